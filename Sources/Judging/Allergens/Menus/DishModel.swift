import Foundation
import Core

/// P(allergen | words of a dish), learned from dishes with declared allergens and from recipes:
/// `models/dishes/<language>.json` and the weights beside it, `<language>.weights`. `scripts/train-dishes` makes both.
///
/// A logistic regression for each allergen on `DishFeatures`.
struct DishModel: Sendable {
    /// Maximum probability from dish knowledge, because a name proves nothing.
    static let maximumProbability = 0.95

    private struct File: DataFile {
        static let schema = "tablesight.dishes/3"
        static let remedy = "recreate it with scripts/train-dishes"

        /// Rows that one source gave to the training.
        struct Source: Decodable {
            var name, licence: String
            var rows: Int
        }
        var version, language: String
        var sources: [Source]
        /// 2 to the power of this number is the number of buckets.
        var bits: Int
        var allergens: [Allergen]
        var bias: [Double]
        /// Quantisation step of each allergen's weights.
        var steps: [Double]

        func validate(name: String) throws(DataFileProblem) {
            let count = allergens.count
            try DataFileProblem.check(language == name, "language", "\(language) differs from the file's name")
            try DataFileProblem.check(
                (8...DishFeatures.bits).contains(bits), "bits", "\(bits) is not 8…\(DishFeatures.bits)")
            try DataFileProblem.check(
                !allergens.isEmpty && Set(allergens).count == count && allergens.allSatisfy(Allergen.eu14.contains),
                "allergens", "name allergens of the 14 groups, each once")
            try DataFileProblem.check(
                bias.count == count && bias.allSatisfy(\.isFinite), "bias", "give a number for each allergen")
            try DataFileProblem.check(
                steps.count == count && steps.allSatisfy { $0.isFinite && $0 > 0 }, "steps",
                "give a positive number for each allergen")
        }
    }

    let language, version: String
    let allergens: [Allergen]
    private let bias: [Float]
    private let steps: [Float]
    private let mask: UInt16
    /// One signed byte for each bucket and allergen.
    private let weights: [UInt8]

    /// Loads every model of the folder, by language.
    /// - Throws: `StartupError` with the file.
    static func loadAll(from models: ModelFolder) throws -> [String: DishModel] {
        guard FileManager.default.fileExists(atPath: models.url.appending(path: "dishes").path) else { return [:] }
        var result: [String: DishModel] = [:]
        for name in try models.names(in: "dishes", withExtension: "json") {
            let model = try DishModel(from: models, name: name)
            result[model.language] = model
        }
        return result
    }

    private init(from models: ModelFolder, name: String) throws {
        let file = try models.load(File.self, from: "dishes/\(name)")
        let bytes = models.url.appending(path: "dishes/\(file.language).weights")
        guard let data = try? Data(contentsOf: bytes) else {
            throw StartupError(.unavailable, "cannot read \(bytes.path): restore it from the repository")
        }
        let expected = file.allergens.count << file.bits
        guard data.count == expected else {
            throw StartupError(
                .configuration, "\(bytes.path) has \(data.count) bytes, expected \(expected); \(File.remedy)")
        }
        language = file.language
        version = file.version
        allergens = file.allergens
        bias = file.bias.map(Float.init)
        steps = file.steps.map(Float.init)
        mask = UInt16((1 << file.bits) - 1)
        weights = [UInt8](data)
    }

    /// What the model says of a dish.
    struct Guess: Sendable {
        var allergen: Allergen
        var probability: Double
        /// Index of the token that contributes most.
        var token: Int
    }

    /// The probability of each allergen; empty if the dish has no words.
    func guesses(_ features: DishFeatures) -> [Guess] {
        guard let first = features.words.first else { return [] }
        let count = allergens.count
        var sums = bias
        var own = [Float](repeating: 0, count: count)
        var strongest = [(weight: Float, token: Int)](repeating: (0, first.token), count: count)
        var start = 0
        for (end, token) in features.words {
            add(features.entries[start..<end], to: &own)
            for allergen in 0..<count {
                let weight = own[allergen] * steps[allergen]
                sums[allergen] += weight
                if weight > strongest[allergen].weight { strongest[allergen] = (weight, token) }
                own[allergen] = 0
            }
            start = end
        }
        return (0..<count).map { number in
            let chance = 1 / (1 + exp(-Double(sums[number])))
            return Guess(
                allergen: allergens[number], probability: min(Self.maximumProbability, chance),
                token: strongest[number].token)
        }
    }

    /// Adds the weights of each allergen, in steps, for the features of one word.
    private func add(_ entries: ArraySlice<DishFeatures.Entry>, to sums: inout [Float]) {
        let count = allergens.count
        weights.withUnsafeBufferPointer { weights in
            sums.withUnsafeMutableBufferPointer { sums in
                for entry in entries {
                    let row = weights.baseAddress.map { $0 + Int(entry.bucket & mask) * count }
                    guard let row else { return }
                    for allergen in 0..<count { sums[allergen] += entry.value * Float(Int8(bitPattern: row[allergen])) }
                }
            }
        }
    }
}
