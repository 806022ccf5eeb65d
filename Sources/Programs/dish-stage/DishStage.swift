import Allergens
import Core
import Foundation

/// The word analysis of dishes as a program, for training: texts in, features out, one JSON object per line.
@main
enum DishStage {
    static let usage = """
        dish-stage [--models DIR]    dishes on stdin → features of each dish

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
        var folder: ModelFolder?
        if arguments.count == 2, arguments[0] == "--models" {
            folder = ModelFolder(URL(filePath: arguments[1]))
        } else if !arguments.isEmpty {
            print(usage)
            exit(arguments == ["--help"] ? 0 : 64)
        }
        let models = try folder ?? ModelFolder.locate(program: URL(filePath: CommandLine.arguments[0]))
        let interpreter = try AllergenInterpreter(models: models)
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
