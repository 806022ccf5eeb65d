import Core
import Dispatch
import Foundation
import Risk
import Synchronization

/// The risk stage as a program, for measurement: cases of ingredient lists in, one JSON object per line.
@main
enum RiskStage {
    static let usage = """
        risk-stage time [--times N]     cases on stdin → labels per second on all cores, without JSON coding
        risk-stage changes --old DIR    cases on stdin → the labels about which two evidence releases differ

        A case is {"id","language"?,"ingredients_text"}. Options: --models DIR (default: the checkout's).
        """

    private struct Case: Decodable, Sendable {
        var id: String
        var language: String?
        var ingredients_text: String
    }

    private struct Change: Encodable {
        var id: String
        var ingredients: [String]
    }

    static func main() {
        do { try run(Array(CommandLine.arguments.dropFirst())) } catch {
            FileHandle.standardError.write(Data("risk-stage: \(error)\n".utf8))
            exit(65)
        }
    }

    private static func run(_ arguments: [String]) throws {
        func option(_ name: String) -> String? {
            arguments.firstIndex(of: name).flatMap { $0 + 1 < arguments.count ? arguments[$0 + 1] : nil }
        }
        guard let command = arguments.first, ["time", "changes"].contains(command) else {
            print(usage)
            exit(arguments.first == "--help" ? 0 : 64)
        }
        let folder =
            try option("--models").map { ModelFolder(URL(filePath: $0)) }
            ?? ModelFolder.locate(program: URL(filePath: CommandLine.arguments[0]))
        let risk = try RiskInterpreter(models: folder)
        var cases: [Case] = []
        while let line = readLine() { cases.append(try JSONDecoder().decode(Case.self, from: Data(line.utf8))) }
        if command == "time" {
            time(risk, cases, times: option("--times").flatMap(Int.init) ?? 1)
        } else {
            guard let old = option("--old") else {
                print(usage)
                exit(64)
            }
            try changes(of: cases, from: RiskInterpreter(models: ModelFolder(URL(filePath: old))), to: risk)
        }
    }

    /// The assessments of all cases, on all cores, in their order.
    private static func assessments(_ cases: [Case], _ risk: RiskInterpreter) -> [IngredientAssessment] {
        let share = 64
        let parts = stride(from: 0, to: cases.count, by: share).map { $0..<min(cases.count, $0 + share) }
        let found = Mutex([[IngredientAssessment]](repeating: [], count: parts.count))
        DispatchQueue.concurrentPerform(iterations: parts.count) { number in
            let own = cases[parts[number]].map { one in
                risk.assessment(ofText: one.ingredients_text, .init(language: one.language))
            }
            found.withLock { $0[number] = own }
        }
        return found.withLock { $0.flatMap(\.self) }
    }

    private static func time(_ risk: RiskInterpreter, _ cases: [Case], times: Int) {
        var statements = 0
        let clock = ContinuousClock()
        let spent = clock.measure {
            for _ in 0..<max(1, times) {
                statements += assessments(cases, risk).reduce(0) {
                    $0 + $1.ingredients.reduce(0) { $0 + $1.statements.count }
                }
            }
        }
        let seconds = Double(spent.components.attoseconds) / 1e18 + Double(spent.components.seconds)
        let count = cases.count * max(1, times)
        print(
            "\(count) labels, \(statements) statements, \(seconds) s, \(Int(Double(count) / seconds)) labels a second")
    }

    private static func changes(of cases: [Case], from old: RiskInterpreter, to new: RiskInterpreter) throws {
        struct Said: Hashable {
            var level: IngredientAssessment.Level?
            var statements: [IngredientAssessment.Statement]
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Numbers of citations depend on the rest of the label; the documents behind them are compared.
        func said(_ one: IngredientAssessment) -> [String: Said] {
            let refs = Dictionary(one.citations.map { ($0.id, $0.ref) }, uniquingKeysWith: { first, _ in first })
            return Dictionary(
                one.ingredients.map { ingredient in
                    let statements = ingredient.statements.map { statement in
                        var plain = statement
                        plain.text += statement.citations.compactMap { refs[$0] }.joined(separator: " ")
                        plain.citations = []
                        return plain
                    }
                    return (ingredient.name, Said(level: ingredient.risk_level, statements: statements))
                }, uniquingKeysWith: { first, _ in first })
        }
        for (one, (before, after)) in zip(cases, zip(assessments(cases, old), assessments(cases, new))) {
            let (first, second) = (said(before), said(after))
            let names = Set(first.keys).union(second.keys).filter { first[$0] != second[$0] }.sorted()
            guard !names.isEmpty else { continue }
            print(String(decoding: try encoder.encode(Change(id: one.id, ingredients: names)), as: UTF8.self))
        }
    }
}
