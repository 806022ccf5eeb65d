internal import CRoleNetwork
import Core
import Foundation

/// The network that gives the texts of a page their roles together: every text sees every other one, with what lies
/// between them and how differently they are printed.
struct RoleNetwork: Sendable {
    struct File: Codable, Sendable {
        var features, width, layers, heads, relations: Int
        /// IEEE half precision, little-endian, in the order of `trole_run`.
        var weights: Data
    }

    /// Number of features of a text.
    let featureCount: Int
    private let width, layers, heads, relations: Int
    private let weights: [Float]

    /// Nil if the sizes are out of range, or the number of weights does not fit them.
    init?(_ file: File) {
        (featureCount, width, layers, heads) = (file.features, file.width, file.layers, file.heads)
        relations = file.relations
        guard [featureCount, width, layers, heads, relations].allSatisfy({ (1...512).contains($0) }) else { return nil }
        weights = stride(from: 0, to: file.weights.count - 1, by: 2).map { place in
            let start = file.weights.startIndex + place
            return Float(Float16(bitPattern: UInt16(file.weights[start]) | UInt16(file.weights[start + 1]) << 8))
        }
        var sizes = sizes
        guard trole_weight_count(&sizes) == Int64(weights.count), weights.allSatisfy(\.isFinite) else { return nil }
    }

    private var sizes: trole_sizes {
        trole_sizes(
            features: Int32(featureCount), width: Int32(width), layers: Int32(layers), heads: Int32(heads),
            relations: Int32(relations), roles: Int32(MenuRole.allCases.count))
    }

    /// Texts of a long page are decided in windows that overlap, because the work grows with the square of their number.
    private static let window = Int(TROLE_MOST_TEXTS)
    /// Texts at the inner edges of a window are decided by the next one, which sees what is around them.
    private static let margin = 32

    /// The role probabilities of each text, in the order of `MenuRole`'s cases; empty if the page's features do not fit.
    func probabilities(of features: RoleFeatures) -> [[Float]] {
        guard features.width == featureCount || features.count == 0 else { return [] }
        var result: [[Float]] = []
        while result.count < features.count {
            let start = result.isEmpty ? 0 : result.count - Self.margin
            let texts = start..<min(features.count, start + Self.window)
            guard let rows = probabilities(of: features, in: texts) else { return [] }
            let end = texts.upperBound == features.count ? texts.count : texts.count - Self.margin
            result += rows[(result.count - start)..<end]
        }
        return result
    }

    private func probabilities(of features: RoleFeatures, in texts: Range<Int>) -> [[Float]]? {
        let roles = MenuRole.allCases.count
        let links = features.links[texts].flatMap { links in
            links.map { link in link.flatMap { texts.contains($0) ? Int32($0 - texts.lowerBound) : nil } ?? -1 }
        }
        let rows = Array(features.flatRows[(texts.lowerBound * features.width)..<(texts.upperBound * features.width)])
        let placeWidth = Int(TROLE_PLACE)
        let places = Array(features.places[(texts.lowerBound * placeWidth)..<(texts.upperBound * placeWidth)])
        var values = [Float](repeating: 0, count: texts.count * roles)
        var sizes = sizes
        let status = trole_run(
            &sizes, weights, Int64(weights.count), Int32(texts.count), rows, places, links, &values)
        guard status == TROLE_OK else { return nil }
        return texts.indices.map { place in
            let start = (place - texts.lowerBound) * roles
            return Array(values[start..<(start + roles)])
        }
    }
}
