import Dispatch
import Foundation
import Synchronization
import Core

/// Judges cases of text as NDJSON. Answers keep the order of the cases.
public struct TextJudge: Sendable {
    /// One case: `{"id","language","regime","kind","text","house"?}`.
    public struct Case: Sendable, Hashable, Codable {
        public var id: CaseID
        /// BCP 47; `und` or nil detects the language.
        public var language: String?
        public var regime: String?
        public var kind: AllergenInterpreter.TextKind?
        public var text: String
        /// Dishes of the same kitchen with known allergens.
        public var house: [DeclaredDish]?

        public init(
            id: CaseID, language: String? = nil, regime: String? = nil, kind: AllergenInterpreter.TextKind? = nil,
            text: String, house: [DeclaredDish]? = nil
        ) {
            self.id = id
            self.language = language
            self.regime = regime
            self.kind = kind
            self.text = text
            self.house = house
        }
    }

    /// A line that could not be judged.
    public struct Failure: Sendable, Hashable {
        /// Index of the line within the batch, from 0.
        public var line: Int
        public var detail: String
    }

    private let interpreter: AllergenInterpreter
    private let language, regime: String?
    private let profile: AllergenProfile?
    private let everyoneProfiles: [String: AllergenProfile]

    /// - Parameters:
    ///   - language: the default for cases without a language.
    ///   - regime: the default for cases without a regime.
    ///   - profile: the profile to judge for; nil means every allergen of the case's regime.
    /// - Throws: `StartupError` if the regime is unknown.
    public init(
        _ interpreter: AllergenInterpreter, language: String?, regime: String?, profile: AllergenProfile?
    ) throws {
        self.interpreter = interpreter
        self.language = language
        self.regime = regime
        self.profile = profile
        if let regime { _ = try interpreter.regime(named: regime) }
        everyoneProfiles = interpreter.everyoneProfiles
    }

    /// - Throws: `StartupError` if the case names an unknown regime.
    public func judgement(of one: Case) throws -> TextJudgement {
        interpreter.judgement(
            ofText: one.text, language: one.language ?? language, kind: one.kind ?? .label,
            profile: try profile(of: one), house: one.house ?? [])
    }

    private func profile(of one: Case) throws -> AllergenProfile {
        if let profile { return profile }
        let name = one.regime ?? regime ?? "eu14"
        if let known = everyoneProfiles[name] { return known }
        let found = try interpreter.regime(named: name)
        return everyoneProfiles[found.name] ?? AllergenProfile(name: found.name, regime: found.name, allergens: [:])
    }

    /// Judges lines in parallel. Answers keep the order of the lines; blank lines are skipped.
    public func answers(to lines: [Data], threads: Int) -> (output: Data, failures: [Failure]) {
        let share = max(1, (lines.count + threads * 4 - 1) / (threads * 4))
        let parts = stride(from: 0, to: lines.count, by: share).map { $0..<min(lines.count, $0 + share) }
        let results = Results(count: parts.count)
        DispatchQueue.concurrentPerform(iterations: parts.count) { number in
            results.set(number, part(lines, parts[number]))
        }
        var output = Data()
        var failures: [Failure] = []
        for result in results.all {
            output.append(contentsOf: result.output)
            failures += result.failures
        }
        return (output, failures)
    }

    fileprivate typealias Part = (output: [UInt8], failures: [Failure])

    /// Reads the bytes through a buffer, because element access to `Data` is slow.
    private static func isBlank(_ line: Data) -> Bool {
        line.withUnsafeBytes { $0.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }
    }

    private func part(_ lines: [Data], _ range: Range<Int>) -> Part {
        var part: Part = ([], [])
        let decoder = JSONDecoder()
        for number in range where !Self.isBlank(lines[number]) {
            do {
                let one = try decoder.decode(Case.self, from: lines[number])
                JudgementJSON.append(try judgement(of: one), id: one.id, to: &part.output)
            } catch {
                let detail = (error as? DecodingError)?.brief ?? (error as? StartupError)?.message ?? "\(error)"
                part.failures.append(Failure(line: number, detail: detail))
                let id = try? decoder.decode(NamedCase.self, from: lines[number]).id
                JudgementJSON.append(failure: detail, id: id, to: &part.output)
            }
            part.output.append(0x0A)
        }
        return part
    }
}

/// The id of a case that may be invalid otherwise.
private struct NamedCase: Decodable {
    var id: CaseID
}

/// The answers of the threads, by index.
private final class Results: Sendable {
    private let parts: Mutex<[TextJudge.Part]>
    init(count: Int) { parts = Mutex(Array(repeating: ([], []), count: count)) }
    func set(_ number: Int, _ part: TextJudge.Part) { parts.withLock { $0[number] = part } }
    var all: [TextJudge.Part] { parts.withLock { $0 } }
}

extension DecodingError {
    fileprivate var brief: String {
        switch self {
        case .keyNotFound(let key, _): "no \(key.stringValue): a case is {id, language, regime, kind, text}"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            (context.codingPath.isEmpty ? "" : context.codingPath.map(\.stringValue).joined(separator: ".") + ": ")
                + context.debugDescription
        @unknown default: "no case"
        }
    }
}
