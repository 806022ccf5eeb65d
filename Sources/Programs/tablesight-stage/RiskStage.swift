import ArgumentParser
import Core
import Dispatch
import Foundation
import Foods
import Synchronization

struct RiskStage: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "risk", abstract: "Ingredient lists against evidence.",
        discussion: "A case is {\"id\", \"language\"?, \"ingredients_text\"}.", subcommands: [Time.self])

    struct Time: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints labels a second on all cores, without JSON coding.")

        @OptionGroup var models: ModelOption
        @OptionGroup var passes: TimesOption

        func run() throws {
            try time(RiskInterpreter(models: models.folder()), Lines.all(of: Case.self), times: passes.times)
        }
    }

    private struct Case: Decodable, Sendable {
        var id: String
        var language: String?
        var ingredients_text: String
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
        let spent = ContinuousClock().measure {
            for _ in 0..<times {
                statements += assessments(cases, risk).reduce(0) {
                    $0 + $1.ingredients.reduce(0) { $0 + $1.statements.count }
                }
            }
        }
        let (seconds, count) = (spent.milliseconds / 1000, cases.count * times)
        print(
            "\(count) labels, \(statements) statements, \(seconds) s, \(Int(Double(count) / seconds)) labels a second")
    }
}
