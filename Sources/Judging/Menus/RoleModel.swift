import Foundation
import Layout
import Core

/// The role classifier of menu texts: `models/menus/roles.json`, made by `scripts/train-menus`.
///
/// The second pass also uses the first-pass results of a text's neighbours and style. Names with a price thereby help
/// to recognise names without one. The result averages several models of both passes.
public struct RoleModel: Sendable {
    public static let schema = "tablesight.menu-roles/1"

    struct File: Codable, DataFile {
        static let schema = RoleModel.schema
        static let remedy = "recreate it with scripts/train-menus"

        struct Letters: Codable {
            var classes: String
            var bias, steps: [Float]
            /// One signed byte for each bucket and class.
            var weights: Data
        }
        struct Passes: Codable {
            var first: BoostedTrees.File
            var second: BoostedTrees.File?
        }

        var schema, version, source, licence: String
        var letters: Letters?
        var models: [Passes]
    }

    public let version: String
    public let letters: LetterScores?
    private let models: [(first: BoostedTrees, second: BoostedTrees?)]

    /// - Throws: `StartupError` with the file.
    public init(from models: ModelFolder) throws {
        let path = "menus/roles.json"
        try self.init(models.load(File.self, from: path), path: models.url.appending(path: path).path)
    }

    /// - Throws: `StartupError` with the file.
    public init(contentsOf file: URL) throws {
        try self.init(File(contentsOf: file), path: file.path)
    }

    private init(_ file: File, path: String) throws {
        func fault(_ what: String) -> StartupError {
            StartupError(.configuration, "\(path), \(what); \(File.remedy)")
        }
        version = file.version
        letters = try file.letters.map {
            guard
                let model = LetterModel(
                    classes: $0.classes, bias: $0.bias, steps: $0.steps, weights: $0.weights)
            else { throw fault("letters: needs a bias and a step a class, and a weight for each class of each bucket") }
            return LetterScores(model: model)
        }
        let known = Set(MenuRole.letters)
        models = try file.models.map { passes in
            guard let first = BoostedTrees(passes.first), known.isSuperset(of: first.classes) else {
                throw fault("models.first: the trees of the first pass are damaged")
            }
            guard let trees = passes.second else { return (first, nil) }
            guard let second = BoostedTrees(trees), known.isSuperset(of: second.classes) else {
                throw fault("models.second: the trees of the second pass are damaged")
            }
            return (first, second)
        }
    }

    /// False for a file with the letter model only, an intermediate step of training.
    public var isComplete: Bool { !models.isEmpty }

    /// True if the model expects this number of features.
    private func fits(_ features: RoleFeatures) -> Bool {
        guard features.count > 0 else { return true }
        return models.allSatisfy { model in
            model.first.featureCount == features.width
                && model.second.map { $0.featureCount == features.width + 8 * MenuRole.allCases.count } ?? true
        }
    }

    /// Role probabilities of each text, in the order of `MenuRole`'s cases. `passes` 1 gives the first pass only.
    /// Rows are empty if model and program are incompatible.
    public func probabilities(of features: RoleFeatures, passes: Int = 2) -> [[Float]] {
        guard fits(features), !models.isEmpty else { return [] }
        var sums = (0..<features.count).map { _ in [Float](repeating: 0, count: MenuRole.allCases.count) }
        for model in models {
            let first = Self.spread(model.first, features.flatRows)
            var probabilities = first
            if passes == 2, let second = model.second { probabilities = Self.spread(second, features.second(first)) }
            for index in sums.indices {
                for role in sums[index].indices {
                    sums[index][role] += probabilities[index][role] / Float(models.count)
                }
            }
        }
        return sums
    }

    /// Probabilities in the order of all roles.
    private static func spread(_ trees: BoostedTrees, _ rows: [Float]) -> [[Float]] {
        let places = trees.classes.map { MenuRole.letters.firstIndex(of: $0) }
        return trees.probabilities(ofRows: rows).map { probabilities in
            var result = [Float](repeating: 0, count: MenuRole.allCases.count)
            for (place, probability) in zip(places, probabilities) { if let place { result[place] = probability } }
            return result
        }
    }
}
