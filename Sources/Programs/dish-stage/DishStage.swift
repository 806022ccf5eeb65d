import Allergens
import Core
import Foundation

/// The word analysis of dishes as a program, for training: texts in, features out, one JSON object per line.
@main
enum DishStage {
    static let usage = """
        dish-stage [--models DIR]          dishes on stdin → features of each dish
        dish-stage judge [--models DIR]    cases on stdin → answers, as `tablesight judge` gives them, on one thread

        A dish is {"id", "language", "text"}, one per line. The answer is {"id", "buckets", "values", "hints", "named"}:
        values in thousandths, the lexicon's probability of each allergen, and the allergens that the words name.
        """

    private struct Dish: Decodable {
        var id: String
        var language: String?
        var text: String
    }

    static func main() {
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch let error as StartupError {
            FileHandle.standardError.write(Data("dish-stage: \(error.message)\n".utf8))
            exit(error.exitCode.rawValue)
        } catch {
            FileHandle.standardError.write(Data("dish-stage: \(error)\n".utf8))
            exit(65)
        }
    }

    private static func run(_ arguments: [String]) throws {
        let judges = arguments.first == "judge"
        let options = judges ? Array(arguments.dropFirst()) : arguments
        var folder: ModelFolder?
        if options.count == 2, options[0] == "--models" {
            folder = ModelFolder(URL(filePath: options[1]))
        } else if !options.isEmpty {
            print(usage)
            exit(options == ["--help"] ? 0 : 64)
        }
        let models = try folder ?? ModelFolder.locate(program: URL(filePath: CommandLine.arguments[0]))
        let interpreter = try AllergenInterpreter(models: models)
        if judges { try judge(interpreter) } else { try writeSamples(interpreter) }
    }

    private static func judge(_ interpreter: AllergenInterpreter) throws {
        let judge = try TextJudge(interpreter, language: nil, regime: nil, profile: nil)
        while let line = readLine() {
            let (output, failures) = judge.answers(to: [Data(line.utf8)], threads: 1)
            FileHandle.standardOutput.write(output)
            for failure in failures { FileHandle.standardError.write(Data("dish-stage: \(failure.detail)\n".utf8)) }
        }
    }

    private static func writeSamples(_ interpreter: AllergenInterpreter) throws {
        let decoder = JSONDecoder()
        var output = ""
        while let line = readLine() {
            guard !line.isEmpty else { continue }
            let dish = try decoder.decode(Dish.self, from: Data(line.utf8))
            let sample = interpreter.dishSample(ofText: dish.text, language: dish.language)
            output += answer(dish.id, sample) + "\n"
            if output.utf8.count > 1 << 16 {
                FileHandle.standardOutput.write(Data(output.utf8))
                output = ""
            }
        }
        FileHandle.standardOutput.write(Data(output.utf8))
    }

    /// Assembled by hand, because training asks for a million of them. The keys are the program's own names.
    private static func answer(_ id: String, _ sample: DishSample) -> String {
        let buckets = sample.buckets.map { "\($0)" }.joined(separator: ",")
        let values = sample.values.map { "\(Int(($0 * 1000).rounded()))" }.joined(separator: ",")
        let hints = sample.hints.map { "\"\($0.key.rawValue)\":\($0.value.rounded(toPlaces: 4))" }.sorted()
        let named = sample.named.map { "\"\($0.rawValue)\"" }.sorted()
        let name = (try? JSONEncoder().encode(id)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
        return "{\"id\":\(name),\"buckets\":[\(buckets)],\"values\":[\(values)],"
            + "\"hints\":{\(hints.joined(separator: ","))},\"named\":[\(named.joined(separator: ","))]}"
    }
}
