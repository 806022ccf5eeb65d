import Foundation
import Core

/// P(allergen | words of a dish), learned from dishes with declared allergens: `models/dishes/<language>.json`, made
/// by `scripts/train-dishes`.
///
/// A logistic regression for each allergen on words, word pairs and character n-grams. Feature hashing (FNV-1a)
/// replaces a vocabulary.
struct DishModel: Sendable {
    /// Maximum probability from dish knowledge, because a name proves nothing.
    static let maximumProbability = 0.95

    private struct File: DataFile {
        static let schema = "tablesight.dishes/2"
        static let remedy = "recreate it with scripts/train-dishes"

        var version, language: String
        /// Lengths of the character n-grams.
        var pieces: [Int]
        /// Norm of a dish's weighted feature vector.
        var scale: Double
        var allergens: [Allergen]
        var bias: [Double]
        /// Quantisation step of each allergen's weights.
        var steps: [Double]
        /// One byte for each bucket: inverse document frequency.
        var rarity: Data
        /// One signed byte for each bucket and allergen.
        var weights: Data

        func validate(name: String) throws(DataFileProblem) {
            let count = allergens.count
            try DataFileProblem.check(language == name, "language", "\(language) differs from the file's name")
            try DataFileProblem.check(
                bias.count == count && steps.count == count, "bias, steps", "give a value for each allergen")
            try DataFileProblem.check(pieces.allSatisfy { $0 >= 2 }, "pieces", "give lengths of at least 2")
            try DataFileProblem.check(
                rarity.count.nonzeroBitCount == 1, "rarity", "the number of buckets is no power of two")
            try DataFileProblem.check(
                weights.count == rarity.count * count, "weights", "give a weight for each allergen of each bucket")
        }
    }

    let language, version: String
    private let pieces: [Int]
    private let scale: Double
    private let allergens: [Allergen]
    private let bias, steps: [Double]
    private let rarity: [UInt8]
    private let weights: [Int8]

    /// Loads every model of the folder, by language.
    /// - Throws: `StartupError` with the file.
    static func loadAll(from models: ModelFolder) throws -> [String: DishModel] {
        guard FileManager.default.fileExists(atPath: models.url.appending(path: "dishes").path) else { return [:] }
        let files = try models.loadAll(File.self, in: "dishes")
        return Dictionary(files.map { ($0.language, DishModel($0)) }, uniquingKeysWith: { first, _ in first })
    }

    private init(_ file: File) {
        language = file.language
        version = file.version
        pieces = file.pieces
        scale = file.scale
        allergens = file.allergens
        bias = file.bias
        steps = file.steps
        rarity = Array(file.rarity)
        weights = file.weights.map { Int8(bitPattern: $0) }
    }

    /// The probability of each allergen, and the token that contributes most to it.
    func probabilities(of tokens: [Token]) -> [(allergen: Allergen, probability: Double, token: Int)] {
        let places = tokens.indices.filter { tokens[$0].text.utf8.count >= 2 && !tokens[$0].isNumber }
        guard !places.isEmpty else { return [] }
        var seen: Set<Int> = []
        var sums = [Double](repeating: 0, count: allergens.count)
        var strongest = [(weight: Double, token: Int)](repeating: (0, places[0]), count: allergens.count)
        var squares = 0.0
        var own = [Double](repeating: 0, count: allergens.count)
        for (number, place) in places.enumerated() {
            for allergen in allergens.indices { own[allergen] = 0 }
            let before = number > 0 ? tokens[places[number - 1]].text : nil
            for bucket in buckets(of: tokens[place].text, before: before) where seen.insert(bucket).inserted {
                let weight = Double(rarity[bucket])
                guard weight > 0 else { continue }
                squares += weight * weight
                for allergen in allergens.indices {
                    own[allergen] += weight * Double(weights[bucket * allergens.count + allergen])
                }
            }
            for allergen in allergens.indices {
                sums[allergen] += own[allergen]
                if own[allergen] > strongest[allergen].weight { strongest[allergen] = (own[allergen], place) }
            }
        }
        guard squares > 0 else { return [] }
        let norm = scale / squares.squareRoot()
        return allergens.indices.map { number in
            let chance = 1 / (1 + exp(-(bias[number] + norm * steps[number] * sums[number])))
            return (allergens[number], min(Self.maximumProbability, chance), strongest[number].token)
        }
    }

    /// Feature buckets of a word: the word, its n-grams, the pair with the previous word, and the first-word feature.
    private func buckets(of word: String, before: String?) -> [Int] {
        let letters = Array(word.unicodeScalars)
        let marked = ["^"] + letters + ["$"]
        var result = [bucket("", letters[...])]
        for length in pieces where marked.count >= length {
            for start in 0...(marked.count - length) { result.append(bucket("~", marked[start..<(start + length)])) }
        }
        result.append(before.map { bucket($0 + " ", letters[...]) } ?? bucket("1:", letters[...]))
        return result
    }

    /// 32-bit FNV-1a over UTF-8, reduced to the number of buckets.
    private func bucket(_ prefix: String, _ letters: ArraySlice<Unicode.Scalar>) -> Int {
        var hash: UInt32 = 0x811C_9DC5
        for byte in prefix.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        for letter in letters {
            for byte in UTF8.encode(letter) ?? .init() { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        }
        return Int(hash) & (rarity.count - 1)
    }
}
