import Foundation
import Core

/// The role classifier of menu texts: `models/menus/roles.json`, made by `scripts/train-menus`.
///
/// A model of letters says what a text sounds like; a network decides the roles of all texts together. The result is the
/// mean of its networks.
public struct RoleModel: Sendable {
    public static let schema = "tablesight.menu-roles/2"

    struct File: Codable, DataFile {
        static let schema = RoleModel.schema
        static let remedy = "recreate it with scripts/train-menus"

        struct Letters: Codable {
            var classes: String
            var bias, steps: [Float]
            /// One signed byte for each bucket and class.
            var weights: Data
        }

        var schema, version, source, licence: String
        var letters: Letters?
        var networks: [RoleNetwork.File]
    }

    public let version: String
    public let letters: LetterScores?
    private let networks: [RoleNetwork]

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
        networks = try file.networks.map { network in
            guard let network = RoleNetwork(network) else {
                throw fault("networks: sizes out of range, or weights that do not fit them")
            }
            return network
        }
    }

    /// Role probabilities of each text, in the order of `MenuRole`'s cases; empty if model and program are incompatible.
    public func probabilities(of features: RoleFeatures) -> [[Float]] {
        let all = networks.map { $0.probabilities(of: features) }
        guard let first = all.first, all.allSatisfy({ $0.count == features.count }) else { return [] }
        guard all.count > 1 else { return first }
        return first.indices.map { text in
            first[text].indices.map { role in
                all.reduce(Float(0)) { $0 + $1[text][role] } / Float(all.count)
            }
        }
    }
}
