/// Compares faces with a set's templates, in all four ways to turn a square.
struct FaceMatcher: Sendable {
    /// The best likeness of one face to each name, by quarter turns.
    struct Match {
        /// −1…1, indexed by how many quarter turns clockwise the face lies turned.
        var byTurn: [(name: String, value: Int?, likeness: Double, second: Double)]
    }

    private let names: [(name: String, value: Int?)]
    private let templates: [(name: Int, features: OutlineFeatures)]

    init(_ templates: [FaceTemplate]) {
        var names: [(name: String, value: Int?)] = []
        self.templates = templates.map { template in
            let known = names.firstIndex { $0.name == template.name }
            if known == nil { names.append((template.name, template.value)) }
            return (known ?? names.count - 1, OutlineFeatures(template))
        }
        self.names = names
    }

    /// - Parameter coverage: how much of a cell is inked, 0…1, row by row; the face's box fills it.
    func match(_ coverage: [Float]) -> Match {
        var features = OutlineFeatures(coverage)
        var byTurn: [(name: String, value: Int?, likeness: Double, second: Double)] = []
        for _ in 0..<4 {
            byTurn.append(best(for: features))
            features = features.turned
        }
        return Match(byTurn: byTurn)
    }

    private func best(
        for features: OutlineFeatures
    ) -> (name: String, value: Int?, likeness: Double, second: Double) {
        var likeness = [Float](repeating: -1, count: names.count)
        for template in templates {
            likeness[template.name] = max(likeness[template.name], features.likeness(to: template.features))
        }
        let ranked = likeness.indices.sorted { (likeness[$0], $1) > (likeness[$1], $0) }
        guard let first = ranked.first else { return ("", nil, -1, -1) }
        return (
            names[first].name, names[first].value, Double(likeness[first]),
            ranked.count > 1 ? Double(likeness[ranked[1]]) : -1
        )
    }
}
