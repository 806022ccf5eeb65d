import Core
import Synchronization

/// Compares faces with a set's templates at all four quarter turns.
struct FaceMatcher: Sendable {
    /// The best similarity of one face to each name, by quarter turns.
    struct Match {
        /// Similarity −1…1, indexed by the number of quarter turns clockwise of the face.
        var byTurn: [(name: String, value: Int?, likeness: Double, second: Double)]
    }

    private let names: [(name: String, value: Int?)]
    private let templates: [(name: Int, features: OutlineFeatures, area: FilledArea)]
    private let comparesAreas: Bool

    /// - Parameter comparesAreas: True for filled shapes, false for letters.
    init(_ templates: [FaceTemplate], comparesAreas: Bool = false) {
        self.comparesAreas = comparesAreas
        var names: [(name: String, value: Int?)] = []
        self.templates = templates.map { template in
            let known = names.firstIndex { $0.name == template.name }
            if known == nil { names.append((template.name, template.value)) }
            return (known ?? names.count - 1, OutlineFeatures(template), FilledArea(template.coverage))
        }
        self.names = names
    }

    /// Nil for a face without templates.
    init?(_ face: PieceFace) {
        switch face {
        case .glyph(let templates): self.init(templates)
        case .symbol(let templates): self.init(templates, comparesAreas: true)
        case .none, .pips: return nil
        }
    }

    /// - Parameter coverage: Inked share of each cell, 0…1, row by row; the face's box fills the grid.
    func match(_ coverage: [Float]) -> Match {
        var features = OutlineFeatures(coverage)
        var coverage = coverage
        var byTurn: [(name: String, value: Int?, likeness: Double, second: Double)] = []
        for _ in 0..<4 {
            byTurn.append(best(for: features, comparesAreas ? FilledArea(coverage) : nil))
            features = features.rotated
            if comparesAreas { coverage = Self.rotated(coverage) }
        }
        return Match(byTurn: byTurn)
    }

    /// A quarter turn counter-clockwise.
    private static func rotated(_ coverage: [Float]) -> [Float] {
        let size = FaceTemplate.size
        return (0..<size * size).map { coverage[$0 % size * size + size - 1 - $0 / size] }
    }

    private func best(
        for features: OutlineFeatures, _ area: FilledArea?
    ) -> (name: String, value: Int?, likeness: Double, second: Double) {
        var likeness = [Float](repeating: -1, count: names.count)
        for template in templates {
            let outline = features.likeness(to: template.features)
            let one = area.map { (outline + $0.likeness(to: template.area)) / 2 } ?? outline
            likeness[template.name] = max(likeness[template.name], one)
        }
        let ranked = likeness.indices.sorted { (likeness[$0], $1) > (likeness[$1], $0) }
        guard let first = ranked.first else { return ("", nil, -1, -1) }
        return (
            names[first].name, names[first].value, Double(likeness[first]),
            ranked.count > 1 ? Double(likeness[ranked[1]]) : -1
        )
    }
}

/// A face's matcher, built at its first use: that takes as long as a photo, and most processes see no such piece.
final class LazyFaceMatcher: Sendable {
    private let face: PieceFace
    private let made = Mutex<FaceMatcher?>(nil)

    init(_ face: PieceFace) { self.face = face }

    /// Nil for a face without templates.
    var value: FaceMatcher? {
        made.withLock { made in
            if made == nil { made = FaceMatcher(face) }
            return made
        }
    }
}
