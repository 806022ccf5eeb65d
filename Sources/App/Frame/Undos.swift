import Foundation
import HTTP
import Hashing
import Hummingbird
import Synchronization

/// What can be taken back for ten seconds, the same on every page.
///
/// What has a way back is done at once. What has none, such as a deletion, is hidden at once and done after the ten seconds; a
/// daemon that stops in between keeps it.
final class Undos: Sendable {
    private struct Offer {
        let text, back: String
        let takeBack: @Sendable () async throws -> Void
        var end: Task<Void, Never>?
    }

    private struct State {
        var offers: [String: Offer] = [:]
        var hidden: Set<String> = []
    }

    private let state = Mutex(State())
    private let wait: @Sendable () async -> Void

    /// - Parameter wait: for as long as something can be taken back; tests give their own.
    init(wait: @escaping @Sendable () async -> Void = { try? await Task.sleep(for: .seconds(10)) }) { self.wait = wait }

    /// Offers to take back what was just done.
    ///
    /// - Parameters:
    ///   - text: what was done.
    ///   - back: the page to which taking back leads.
    /// - Returns: a token that cannot be guessed.
    func offer(_ text: String, back: String, takeBack: @escaping @Sendable () async throws -> Void) -> String {
        add(Offer(text: text, back: back, takeBack: takeBack)) {}
    }

    /// Does something that has no way back, unless it is taken back.
    ///
    /// - Parameter key: what pages do not show meanwhile.
    func later(
        _ text: String, back: String, hiding key: String, _ work: @escaping @Sendable () async throws -> Void
    ) -> String {
        state.withLock { _ = $0.hidden.insert(key) }
        let show: @Sendable () -> Void = { [self] in state.withLock { _ = $0.hidden.remove(key) } }
        return add(Offer(text: text, back: back, takeBack: { show() })) {
            // What somebody else deleted meanwhile is gone as well.
            try? await work()
            show()
        }
    }

    private func add(_ offer: Offer, _ finish: @escaping @Sendable () async -> Void) -> String {
        let token = RandomBytes.token()
        state.withLock { $0.offers[token] = offer }
        let end = Task { [self] in
            await wait()
            if take(token) != nil { await finish() }
        }
        state.withLock { $0.offers[token]?.end = end }
        return token
    }

    private func take(_ token: String) -> Offer? { state.withLock { $0.offers.removeValue(forKey: token) } }

    func text(of token: String) -> String? { state.withLock { $0.offers[token]?.text } }

    func isHidden(_ key: String) -> Bool { state.withLock { $0.hidden.contains(key) } }

    /// The numbers of what pages do not show, with keys such as `list 4`.
    func hidden(_ kind: String) -> Set<Int64> {
        Set(
            state.withLock { $0.hidden }.filter { $0.hasPrefix("\(kind) ") }.compactMap {
                Int64($0.dropFirst(kind.count + 1))
            })
    }

    /// - Returns: the page to show.
    /// - Throws: `Problem` (409) for what can no longer be taken back.
    func takeBack(_ token: String) async throws -> String {
        guard let offer = take(token) else {
            throw Problem(409, "tooLate", "this can no longer be undone")
        }
        offer.end?.cancel()
        try await offer.takeBack()
        return offer.back
    }
}

/// The bar that takes something back, on the page that follows.
struct UndoBar {
    let text, token: String

    static let query = "undone"
}

extension Visit {
    /// The next page, with a bar that takes back what was just done.
    ///
    /// - Parameter back: the page to which taking back leads; nil for the same.
    func next(
        _ address: String, offering text: String, back: String? = nil,
        _ takeBack: @escaping @Sendable () async throws -> Void
    ) -> Response {
        next(address, undos.offer(text, back: back ?? address, takeBack: takeBack))
    }

    /// The next page, with a bar; the work is done when the bar goes.
    func next(
        _ address: String, deleting text: String, back: String? = nil, hiding key: String,
        _ work: @escaping @Sendable () async throws -> Void
    ) -> Response {
        next(
            address,
            undos.later(texts.text("undo.deleted", ["x": text]), back: back ?? address, hiding: key, work))
    }

    private func next(_ address: String, _ token: String) -> Response {
        let parts = address.split(separator: "#", maxSplits: 1)
        let mark = address.contains("?") ? "&" : "?"
        return Visit.next(
            "\(parts[0])\(mark)\(UndoBar.query)=\(token)" + (parts.count > 1 ? "#\(parts[1])" : ""))
    }
}
