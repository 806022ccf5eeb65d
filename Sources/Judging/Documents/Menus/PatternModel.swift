import Core
import Foundation

/// What the roles of menu texts look like on most pages, and how much each kind of evidence counts:
/// `models/menus/pattern.json`. A page starts from it and finds its own pattern.
public struct PatternModel: Sendable {
    struct File: Codable, DataFile {
        static let schema = "tablesight.menu-pattern/1"
        static let remedy = "recreate it with scripts/train-menus"

        struct Feature: Codable {
            var name: String
            /// How much the feature counts, and how many texts the table is worth.
            var weight, strength: Double
            /// Shares of the values for each role.
            var shares: [[Double]]
        }
        /// A table of shares without a name.
        struct Table: Codable {
            var weight, strength: Double
            var shares: [[Double]]
        }

        var schema, version, source, licence: String
        /// The weight of the network's probabilities, the number of texts of a page on which they count twice as much, and
        /// the least of them.
        var network, fewTexts, leastProbability: Double
        var features: [Feature]
        /// Distances by relation, and roles by the role of the text that a text follows.
        var gaps, roles: Table
        /// The weight of a style for its role, and the pseudo-count of all styles.
        var style, styles: Double

        func validate(name: String) throws(DataFileProblem) {
            let known = PatternTexts.features
            try DataFileProblem.check(
                features.map(\.name) == known.map(\.name), "features", "other features than the program's")
            let roleCount = ItemRole.allCases.count
            let isTable = { (shares: [[Double]], rows: Int, columns: Int) in
                shares.count == rows
                    && shares.allSatisfy { $0.count == columns && $0.allSatisfy { $0 > 0 && $0.isFinite } }
            }
            let areFeatures = zip(features, known).allSatisfy { isTable($0.shares, roleCount, $1.values) }
            try DataFileProblem.check(areFeatures, "features", "need a share above 0 for each role and value")
            try DataFileProblem.check(
                isTable(gaps.shares, ItemRelation.allCases.count, PatternTexts.gapValues)
                    && isTable(roles.shares, roleCount + 1, roleCount), "gaps, roles", "sizes that do not fit")
            let positive =
                features.map(\.strength) + [gaps.strength, roles.strength, leastProbability, styles, fewTexts]
            try DataFileProblem.check(positive.allSatisfy { $0 > 0 }, "strength", "must be above 0")
        }
    }

    let file: File
    var version: String { file.version }

    /// - Throws: `StartupError` with the file.
    public init(from models: ModelFolder) throws { file = try models.load(File.self, from: "menus/pattern.json") }
}

/// The roles that the pattern of a page distinguishes: the first five of `MenuRole`, and all others.
enum ItemRole: Int, CaseIterable {
    case name, continuation, description, heading, variant, other

    init(_ role: MenuRole) { self = ItemRole(rawValue: Int(role.rawValue)) ?? .other }
}

/// What the distance between two texts is a distance of. The page shares one table of distances for each.
enum ItemRelation: Int, CaseIterable {
    case insideItem, betweenItems, belowHeading, aboveHeading, other

    /// - Parameter parent: the role of the text that another one follows; nil at the top.
    init(_ parent: ItemRole?, _ child: ItemRole) {
        let isItem = parent.map { ![.heading, .other].contains($0) } ?? false
        switch child {
        case .heading: self = parent == .heading ? .belowHeading : .aboveHeading
        case .name: self = isItem ? .betweenItems : parent == .heading ? .belowHeading : .other
        case .continuation, .description, .variant:
            self = isItem ? .insideItem : parent == .heading ? .belowHeading : .other
        case .other: self = .other
        }
    }
}
