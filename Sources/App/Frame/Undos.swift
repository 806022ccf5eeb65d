import Foundation
import HTTP
import Hashing
import Hummingbird
import Store
import Synchronization

/// What can be taken back for ten seconds, the same on every page.
///
/// What has a way back is done at once. A deletion has none: it is hidden at once, stored, and carried out after the ten
/// seconds, or at the next start of a daemon that stops in between.
final class Undos: Sendable {
    private struct Offer {
        let text, back: String
        let takeBack: @Sendable () async throws -> Void
        var end: Task<Void, Never>?
    }

    private struct State {
        var offers: [String: Offer] = [:]
        var hidden: Set<Deletion> = []
    }

    private let state = Mutex(State())
    private let store: OutcomeStore?
    private let carryOut: @Sendable (Deletion) async throws -> Void
    private let wait: @Sendable () async -> Void

    /// - Parameters:
    ///   - store: keeps deletions until they are carried out; nil in a program that never stops in between.
    ///   - wait: for as long as something can be taken back; tests give their own.
    ///   - carryOut: deletes.
    init(
        _ store: OutcomeStore? = nil,
        wait: @escaping @Sendable () async -> Void = { try? await Task.sleep(for: .seconds(10)) },
        carryOut: @escaping @Sendable (Deletion) async throws -> Void = { _ in }
    ) { (self.store, self.wait, self.carryOut) = (store, wait, carryOut) }

    /// Carries out what was deleted before the daemon stopped.
    func finish() async throws {
        for deletion in try store?.deletions() ?? [] { await finish(deletion) }
    }

    /// Offers to take back what was just done.
    ///
    /// - Parameters:
    ///   - text: what was done.
    ///   - back: the page to which taking back leads.
    /// - Returns: a token that cannot be guessed.
    func offer(_ text: String, back: String, takeBack: @escaping @Sendable () async throws -> Void) -> String {
        add(Offer(text: text, back: back, takeBack: takeBack)) {}
    }

    /// Deletes something, unless it is taken back. Pages do not show it meanwhile.
    func later(_ text: String, back: String, _ deletion: Deletion) throws -> String {
        try store?.add(deletion)
        state.withLock { _ = $0.hidden.insert(deletion) }
        let keep: @Sendable () throws -> Void = { [self] in
            try store?.forget(deletion)
            show(deletion)
        }
        return add(Offer(text: text, back: back, takeBack: keep)) { [self] in await finish(deletion) }
    }

    private func finish(_ deletion: Deletion) async {
        // What somebody else deleted meanwhile is gone as well.
        try? await carryOut(deletion)
        try? store?.forget(deletion)
        show(deletion)
    }

    private func show(_ deletion: Deletion) { state.withLock { _ = $0.hidden.remove(deletion) } }

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

    /// The ids of what pages do not show.
    func hidden(_ kind: Deletion.Kind) -> Set<String> {
        Set(state.withLock { $0.hidden }.filter { $0.kind == kind }.map(\.id))
    }

    /// The numbers of lists or members that pages do not show.
    func hiddenNumbers(_ kind: Deletion.Kind) -> Set<Int64> { Set(hidden(kind).compactMap { Int64($0) }) }

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

    /// The next page, with a bar; what is deleted is gone when the bar goes.
    func next(_ address: String, deleting text: String, back: String? = nil, _ deletion: Deletion) throws -> Response {
        next(
            address,
            try undos.later(texts.text("undo.deleted", ["x": text]), back: back ?? address, deletion))
    }

    private func next(_ address: String, _ token: String) -> Response {
        let parts = address.split(separator: "#", maxSplits: 1)
        let mark = address.contains("?") ? "&" : "?"
        return Visit.next(
            "\(parts[0])\(mark)\(UndoBar.query)=\(token)" + (parts.count > 1 ? "#\(parts[1])" : ""))
    }
}
