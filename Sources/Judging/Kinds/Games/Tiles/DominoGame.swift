import Foundation
import Core

/// Dominoes: one chain in which touching halves have the same number.
struct DominoGame: Game {
    let id = "dominoes"
    let title = "Dominoes"
    let description = "Lay a chain in which the halves that touch show the same number."
    let recommendedAge = 4...99
    let skills = ["counting", "matching"]
    static let pointsPerDomino = 10
    static let experience = 50

    /// Length of a domino's long edge, millimetres. The short edge is half as long.
    let length: Double
    let level: GameLevel
    private var state = State()

    private struct State: Sendable, Hashable, Codable {
        /// The dominoes of the chain as pairs of numbers, smaller first. A set has each pair once.
        var chain: [[Int]] = []
        var wrong: [[Int]]?
        var isDone = false
    }

    init(length: Double, level: GameLevel) {
        self.length = length
        self.level = level
    }

    /// Number of dominoes of a finished chain.
    var goal: Int {
        switch level {
        case .easy: 5
        case .normal: 7
        case .hard: 10
        }
    }

    mutating func process(_ frame: PieceFrame) -> GameReport {
        let steadiness = Steadiness(of: frame)
        let confidence = steadiness.confidence
        if let doubt = steadiness.doubt { return makeReport(.noAction, doubt, confidence) }
        let dominoes = frame.pieces.compactMap { Domino($0, length: length) }
        guard Set(dominoes.map(\.name)).count == dominoes.count else {
            return makeReport(.noAction, "sameDominoTwice", confidence)
        }
        guard !dominoes.isEmpty else {
            let hadBegun = !state.chain.isEmpty
            if hadBegun { state = State() }
            return makeReport(hadBegun ? .stateUpdated : .noAction, hadBegun ? "newGame" : "noPieces", confidence)
        }
        return judge(dominoes, confidence)
    }

    private mutating func judge(_ dominoes: [Domino], _ confidence: Double) -> GameReport {
        var links: [(first: Int, second: Int, matches: Bool)] = []
        for first in dominoes.indices {
            for second in dominoes.indices where second > first {
                if let matches = dominoes[first].link(to: dominoes[second]) { links.append((first, second, matches)) }
            }
        }
        // The chain is the group connected to the accepted dominoes, or at first the largest group.
        let groups = groups(of: dominoes.count, links.map { ($0.first, $0.second) })
        guard
            let chain = groups.max(by: { a, b in
                let (heldA, heldB) = (held(a, dominoes), held(b, dominoes))
                return (heldA, a.count) < (heldB, b.count)
            }), chain.count > 1
        else { return makeReport(.noAction, state.chain.isEmpty ? "notBegun" : "dominoesTakenAway", confidence) }
        let names = chain.map { dominoes[$0].name }
        guard state.chain.allSatisfy(names.contains) else {
            return makeReport(.noAction, "dominoesTakenAway", confidence)
        }
        let fresh = names.filter { !state.chain.contains($0) }.sorted { $0.lexicographicallyPrecedes($1) }
        guard !fresh.isEmpty else {
            state.wrong = nil
            return makeReport(.noAction, "nothingNew", confidence)
        }
        guard fresh != state.wrong else { return makeReport(.noAction, "alreadySaid", confidence) }
        let inChain = links.filter { chain.contains($0.first) }
        if let fault = fault(inChain, chain) {
            state.wrong = fresh
            return makeReport(.incorrectPlacement, fault, confidence)
        }
        state.wrong = nil
        state.chain = names.sorted { $0.lexicographicallyPrecedes($1) }
        var report = makeReport(.correctPlacement, "endsMatch", confidence)
        (report.placed, report.needed) = (names.count, goal)
        report.outcome.points = Self.pointsPerDomino * fresh.count
        if names.count >= goal, !state.isDone {
            state.isDone = true
            report.outcome.kind = .levelComplete
            report.outcome.reason = "chainDone"
            report.outcome.xpAwarded = Self.experience
        }
        return report
    }

    private func held(_ group: Set<Int>, _ dominoes: [Domino]) -> Int {
        group.count { state.chain.contains(dominoes[$0].name) }
    }

    private func fault(_ links: [(first: Int, second: Int, matches: Bool)], _ chain: Set<Int>) -> String? {
        if links.contains(where: { !$0.matches }) { return "endsDiffer" }
        let branches = chain.contains { one in links.count { $0.first == one || $0.second == one } > 2 }
        return branches || links.count >= chain.count ? "noChain" : nil
    }

    private func groups(of count: Int, _ links: [(Int, Int)]) -> [Set<Int>] {
        var groups = (0..<count).map { Set([$0]) }
        for (a, b) in links {
            guard let first = groups.firstIndex(where: { $0.contains(a) }),
                let second = groups.firstIndex(where: { $0.contains(b) }), first != second
            else { continue }
            groups[first].formUnion(groups[second])
            groups.remove(at: second)
        }
        return groups
    }

    private func makeReport(_ kind: PlayerActionOutcome.Kind, _ reason: String, _ confidence: Double) -> GameReport {
        GameReport(game: id, outcome: .init(kind: kind, confidence: confidence.rounded(toPlaces: 4), reason: reason))
    }

    var standing: GameStanding { GameStanding(placed: min(state.chain.count, goal), needed: goal) }

    func advice(_ step: HintStep) -> Advice? {
        switch step {
        case .none: return nil
        case .visual: return Advice(step: step)
        case .gentle: return Advice(step, "ends", "Count the dots on both ends of the chain.")
        case .directed, .solution:
            if let wrong = state.wrong {
                let names = wrong.map { "\($0[0])|\($0[1])" }.joined(separator: ", ")
                return Advice(step, "nofit", "{x} does not fit there.", ["x": names])
            }
            guard let (one, other) = ends else { fallthrough }
            return step == .directed
                ? Advice(step, "open", "One end shows {n}, the other shows {m}.", ["n": "\(one)", "m": "\(other)"])
                : Advice(step, "either", "Look for a domino with {n} or {m}.", ["n": "\(one)", "m": "\(other)"])
        case .specific: return Advice(step, "halves", "The halves that touch must show the same number.")
        }
    }

    /// The numbers at the ends of the chain: within it, each number touches its like. Nil for no chain, and for one with
    /// the same number at both ends.
    private var ends: (Int, Int)? {
        let counts = state.chain.joined().reduce(into: [:]) { $0[$1, default: 0] += 1 }
        let odd = counts.filter { $0.value % 2 == 1 }.keys.sorted()
        return odd.count == 2 ? (odd[0], odd[1]) : nil
    }

    mutating func reset() { state = State() }

    func saveState() throws -> Data { try JSONCoding.encode(state) }

    mutating func loadState(_ data: Data) throws {
        do { state = try JSONCoding.decode(State.self, from: data) } catch {
            throw StartupError(.badInput, "these bytes are not a saved state of the game \(id): start a new game")
        }
    }
}

/// A domino on the table.
private struct Domino {
    /// Contact points and their numbers: the centres of both halves. A double also has its own centre, which a
    /// crosswise domino touches.
    var contacts: [(at: Point, value: Int)]
    /// Both numbers, smaller first.
    var name: [Int]
    var width: Double

    /// Nil for a piece without two numbers.
    init?(_ piece: RecognizedPiece, length: Double) {
        guard let values = piece.values, values.count == 2 else { return nil }
        let angle = piece.angleDegrees * .pi / 180
        let (dx, dy) = (cos(angle) * length / 4, sin(angle) * length / 4)
        contacts = [
            (Point(piece.xMM - dx, piece.yMM - dy), values[0]), (Point(piece.xMM + dx, piece.yMM + dy), values[1]),
        ]
        if values[0] == values[1] { contacts.append((Point(piece.xMM, piece.yMM), values[0])) }
        name = values.sorted()
        width = length / 2
    }

    /// True if the numbers at the contact are equal, false if they differ; nil if the dominoes do not touch.
    func link(to other: Domino) -> Bool? {
        var nearest: (distance: Double, matches: Bool)?
        for own in contacts {
            for their in other.contacts {
                let distance = own.at.distance(to: their.at)
                if distance < nearest?.distance ?? .infinity { nearest = (distance, own.value == their.value) }
            }
        }
        // Touching halves are one width apart; another quarter allows for a gap.
        guard let nearest, nearest.distance < 1.25 * width else { return nil }
        return nearest.matches
    }
}
