import Allergens
import ArgumentParser
import Core
import Foundation

struct DishStage: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dish", abstract: "The word analysis of dishes.", subcommands: [Features.self])

    struct Features: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the features of each dish.",
            discussion: """
                A dish is {"id", "language", "text"}. The answer is {"id", "buckets", "values", "hints", "named"}: values in \
                thousandths, the lexicon's probability of each allergen, and the allergens that the words name.
                """)

        @OptionGroup var models: ModelOption

        func run() throws { try writeSamples(AllergenInterpreter(models: models.folder())) }
    }

    private struct Dish: Decodable {
        var id: String
        var language: String?
        var text: String
    }

    private static func writeSamples(_ interpreter: AllergenInterpreter) throws {
        let decoder = JSONDecoder()
        var output = ""
        try Lines.forEach { line in
            let dish = try decoder.decode(Dish.self, from: line)
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
