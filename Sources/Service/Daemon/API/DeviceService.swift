import Core
import Foundation
import HTTPAPI
import Hashing
import Store
import Synchronization

/// A code that pairs one device: eight letters and digits without those that look alike.
public enum PairingCode {
    private static let letters = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
    private static let length = 8
    /// How long a code is valid.
    public static let seconds: Int64 = 600

    /// A new code, `7KQM-4XRT`.
    static func make() -> String {
        var random = SystemRandomNumberGenerator()
        let drawn = (0..<length).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] }
        return String(drawn[..<4]) + "-" + String(drawn[4...])
    }

    /// SHA-256 of the code, however a person types it: small letters, blanks and hyphens do not matter. Nil for a text
    /// that is no code.
    static func digest(_ text: String) -> [UInt8]? {
        let plain = text.uppercased().filter { $0.isLetter || $0.isNumber }
        guard plain.count == length, plain.allSatisfy({ letters.contains($0) }) else { return nil }
        return SHA256.digest(of: plain.utf8)
    }

    /// Makes a code and stores it.
    ///
    /// - Parameter device: the device that makes it; nil for the daemon's own key.
    public static func issue(
        in store: OutcomeStore, by device: Int64? = nil
    ) throws -> (code: String, expires: Int64) {
        let (code, now) = (make(), Int64(Date().timeIntervalSince1970))
        let expires = now + seconds
        if let digest = digest(code) { try store.addPairing(digest, expires: expires, now: now, by: device) }
        return (code, expires)
    }
}

/// Paired devices. Known tokens are remembered for a moment, so that a page of many parts asks the database once.
final class DeviceService: APIDevices {
    private struct Known {
        var device: StoredDevice
        var until: ContinuousClock.Instant
    }

    private let store: OutcomeStore
    private let known = Mutex<[[UInt8]: Known]>([:])

    /// A device that another process revoked keeps its access for at most this time.
    private static let memory = Duration.seconds(2)
    /// How exactly the last request of a device is noted.
    private static let seenSeconds: Int64 = 3600
    private static let mostKnown = 1000

    init(_ store: OutcomeStore) { self.store = store }

    /// The number of the paired device with this token, or nil.
    func device(of token: String) -> Int64? {
        guard token.utf8.count <= 200 else { return nil }
        let digest = SHA256.digest(of: token.utf8)
        let now = ContinuousClock.now
        if let entry = known.withLock({ $0[digest] }), entry.until > now { return entry.device.id }
        guard let device = try? store.device(digest) else { return nil }
        known.withLock { known in
            if known.count >= Self.mostKnown { known = known.filter { $0.value.until > now } }
            known[digest] = Known(device: device, until: now + Self.memory)
        }
        let seconds = Int64(Date().timeIntervalSince1970)
        if (device.seen ?? 0) + Self.seenSeconds <= seconds {
            // A full disk must not keep a device out.
            try? store.noteDevice(device.id, seen: seconds / Self.seenSeconds * Self.seenSeconds)
        }
        return device.id
    }

    func devices() async throws -> [APIDevice] {
        try store.devices().map {
            APIDevice(
                id: $0.id, name: $0.name, paired: Self.text($0.paired), seen: $0.seen.map(Self.text),
                pairedBy: $0.pairedBy)
        }
    }

    func remove(device id: Int64) async throws -> Bool {
        // It may have paired others, which go with it.
        defer { known.withLock { $0 = [:] } }
        return try store.removeDevice(id)
    }

    func newCode(by holder: TokenHolder?) async throws -> APIPairingCode {
        let device: Int64? = if case .device(let id) = holder { id } else { nil }
        let (code, expires) = try PairingCode.issue(in: store, by: device)
        return APIPairingCode(code: code, expires: Self.text(expires))
    }

    func isOpen(_ code: String) async throws -> Bool {
        guard let digest = PairingCode.digest(code) else { return false }
        return try store.isPairing(digest, now: Int64(Date().timeIntervalSince1970))
    }

    func pair(_ code: String, name: String) async throws -> String? {
        guard let digest = PairingCode.digest(code) else { return nil }
        var random = SystemRandomNumberGenerator()
        let token = (0..<4).map { _ in String(random.next(), radix: 36) }.joined()
        let id = try store.pair(
            digest, name: DisplayName.cleaned(name) ?? "?", token: SHA256.digest(of: token.utf8),
            now: Int64(Date().timeIntervalSince1970))
        return id == nil ? nil : token
    }

    private static func text(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
    }
}
