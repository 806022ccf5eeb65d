import Hummingbird
import NIOCore
import Synchronization

/// Limits how often one kind of secret is guessed in a minute: a few times from each source, so that nobody uses up the
/// guesses of others, and many times from all sources together, so that many sources help nobody.
///
/// Each kind of secret has its own limit. Right guesses do not count.
package final class GuessLimit: Sendable {
    private struct State {
        var since: ContinuousClock.Instant
        var all = 0
        var sources: [String: Int] = [:]
    }

    private let each: Int
    private let all: Int
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<State>

    private static let window = Duration.seconds(60)

    /// - Parameters:
    ///   - each: wrong guesses of one source in a minute.
    ///   - all: wrong guesses of all sources in a minute.
    package init(
        each: Int, all: Int, now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        self.each = each
        self.all = all
        self.now = now
        state = Mutex(State(since: now()))
    }

    /// Counts a guess before it is checked: then many at the same time are not more than one after the other.
    ///
    /// - Throws: ``Problem`` (429) when the guesses of the source, or of all, are used up.
    package func take(_ source: String) throws(Problem) {
        let wait = state.withLock { state -> Int? in
            let now = now()
            if state.since.duration(to: now) >= Self.window { state = State(since: now) }
            guard state.all < all, state.sources[source, default: 0] < each else {
                return max(1, Int((Self.window - state.since.duration(to: now)) / .seconds(1)))
            }
            state.all += 1
            state.sources[source, default: 0] += 1
            return nil
        }
        if let wait { throw Problem(429, "tooMany", "too many wrong guesses: wait a minute", retryAfter: wait) }
    }

    /// The guess was right.
    package func giveBack(_ source: String) {
        state.withLock { state in
            guard let count = state.sources[source], count > 0 else { return }
            state.sources[source] = count - 1
            state.all -= 1
        }
    }

    /// One source for one machine. A network gives a machine as many IPv6 addresses as it wants, so their first half
    /// counts.
    ///
    /// - Parameter forwarded: the address that a proxy on this machine saw; others may claim anything.
    static func source(of peer: SocketAddress?, forwarded: String?) -> String {
        guard let peer, let text = peer.ipAddress else { return "unknown" }
        if isLoopback(text), let forwarded, let seen = try? SocketAddress(ipAddress: forwarded, port: 0) {
            return source(of: seen, forwarded: nil)
        }
        guard case .v6(let address) = peer else { return text }
        let bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
        // An IPv4 address in an IPv6 one, and addresses of this network segment only, which share their first half.
        if bytes[..<10].allSatisfy({ $0 == 0 }) { return bytes[12...].map(String.init).joined(separator: ".") }
        guard bytes[0] != 0xFE else { return text }
        return bytes[..<8].map { String($0, radix: 16) }.joined(separator: ":")
    }

    private static func isLoopback(_ address: String) -> Bool {
        address.hasPrefix("127.") || address == "::1" || address.hasPrefix("::ffff:127.")
    }
}

extension Request {
    /// The client's address as the last proxy saw it. Entries before the last one are the client's claims.
    var forwardedFor: String? {
        headers.first { $0.name.canonicalName == "x-forwarded-for" }?.value.split(separator: ",").last
            .map { $0.trimmingPrefix(" ").prefix { $0 != " " } }.map { String($0) }
    }
}
