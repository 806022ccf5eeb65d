import Foundation
import Vocabulary

/// P(allergen | words of a dish), learned from dishes whose kitchens declare them: `models/dishes/<language>.json`, made by
/// `scripts/train-dishes`.
struct DishModel: Sendable {
    static let schema = "tablesight.dishes/1"
    /// A name proves nothing: no dish knowledge is surer than this.
    static let mostProbability = 0.95

    private struct File: Codable {
        var schema, version, language, source, licence: String
        var piece: Int
        var allergens: [Allergen]
        var bias: [Double]
        /// For each word or piece of a word, [place of the allergen, weight] pairs.
        var weights: [String: [[Double]]]
    }

    let language, version: String
    private let piece: Int
    private let allergens: [Allergen]
    private let bias: [Double]
    private let weights: [String: [(allergen: Int, weight: Double)]]

    /// Every model of the folder, by language.
    /// - Throws: `StartupError` that names the file.
    static func loadAll(from models: ModelFolder) throws -> [String: DishModel] {
        guard FileManager.default.fileExists(atPath: models.url.appending(path: "dishes").path) else { return [:] }
        var result: [String: DishModel] = [:]
        for name in try models.names(in: "dishes", withExtension: "json") {
            let path = "dishes/\(name)"
            let file = try models.load(File.self, from: path)
            guard file.schema == schema, path == "dishes/\(file.language).json",
                file.bias.count == file.allergens.count,
                file.piece >= 3,
                file.weights.values.allSatisfy({ row in
                    row.allSatisfy { $0.count == 2 && file.allergens.indices.contains(Int($0[0])) }
                })
            else {
                throw StartupError(
                    .configuration,
                    "\(path): schema must be \(schema), a bias for each allergen, weights as [place, weight] pairs; "
                        + "make it again with scripts/train-dishes")
            }
            result[file.language] = DishModel(file)
        }
        return result
    }

    private init(_ file: File) {
        language = file.language
        version = file.version
        piece = file.piece
        allergens = file.allergens
        bias = file.bias
        weights = file.weights.mapValues { row in row.map { (Int($0[0]), $0[1]) } }
    }

    /// Probability of each allergen, and the word that speaks most for it.
    func chances(of tokens: [Token]) -> [(allergen: Allergen, probability: Double, token: Int)] {
        var seen: Set<String> = []
        var sums = [Double](repeating: 0, count: allergens.count)
        var strongest = [(weight: Double, token: Int)](repeating: (0, 0), count: allergens.count)
        var count = 0
        for (index, token) in tokens.enumerated() where token.text.utf8.count >= 2 && !token.isNumber {
            var own = [Double](repeating: 0, count: allergens.count)
            for feature in features(of: token.text) where seen.insert(feature).inserted {
                guard let row = weights[feature] else { continue }
                count += 1
                for (allergen, weight) in row { own[allergen] += weight }
            }
            for allergen in allergens.indices {
                sums[allergen] += own[allergen]
                if own[allergen] > strongest[allergen].weight { strongest[allergen] = (own[allergen], index) }
            }
        }
        guard count > 0 else { return [] }
        let norm = 1 / Double(count + 1).squareRoot()
        return allergens.indices.map { number in
            let chance = 1 / (1 + exp(-(bias[number] + norm * sums[number])))
            return (allergens[number], min(Self.mostProbability, chance), strongest[number].token)
        }
    }

    /// The word, and its pieces of five letters where it is longer.
    private func features(of word: String) -> [String] {
        let letters = Array(word)
        guard letters.count > piece else { return [word] }
        return [word] + (0...(letters.count - piece)).map { "~" + String(letters[$0..<($0 + piece)]) }
    }
}
