import Foundation

/// A black and white face in the templates' size, softened so that a stroke a cell off still counts for half.
struct SoftFace: Sendable {
    let cells: [Float]

    static let size = FaceTemplate.size
    /// Empty cells around it: a square that fills its box differs from nothing else but by them.
    private static let margin = 2

    /// - Parameter isSet: by row and column.
    init(_ isSet: (Int, Int) -> Bool) {
        let n = Self.size + 2 * Self.margin
        var hard = [Float](repeating: 0, count: n * n)
        for row in 0..<Self.size {
            for column in 0..<Self.size where isSet(row, column) {
                hard[(row + Self.margin) * n + column + Self.margin] = 1
            }
        }
        var soft = hard
        for row in 0..<n {
            for column in 0..<n {
                var sum: Float = 0
                var weights: Float = 0
                for r in max(0, row - 1)...min(n - 1, row + 1) {
                    for c in max(0, column - 1)...min(n - 1, column + 1) {
                        let weight: Float = r == row && c == column ? 4 : r == row || c == column ? 2 : 1
                        sum += weight * hard[r * n + c]
                        weights += weight
                    }
                }
                soft[row * n + column] = sum / weights
            }
        }
        // Mean 0 and length 1, so that a product of two is their correlation.
        let mean = soft.reduce(0, +) / Float(n * n)
        let length = soft.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }.squareRoot()
        cells = soft.map { ($0 - mean) / max(1e-6, length) }
    }

    init(_ template: FaceTemplate) { self.init { template.isSet(row: $0, column: $1) } }

    func likeness(to other: SoftFace) -> Float {
        var sum: Float = 0
        for index in cells.indices { sum += cells[index] * other.cells[index] }
        return sum
    }
}

/// Compares faces with a set's templates, in all four ways to turn a square.
struct FaceMatcher: Sendable {
    /// The best likeness of one face to each name, by quarter turns.
    struct Match {
        /// −1…1, indexed by how many quarter turns clockwise the face lies turned.
        var byTurn: [(name: String, value: Int?, likeness: Double, second: Double)]
    }

    private let templates: [(name: String, value: Int?, soft: SoftFace)]

    init(_ templates: [FaceTemplate]) {
        self.templates = templates.map { ($0.name, $0.value, SoftFace($0)) }
    }

    func match(_ isSet: @escaping (Int, Int) -> Bool) -> Match {
        let last = SoftFace.size - 1
        let turned: [(Int, Int) -> Bool] = [
            isSet, { isSet($1, last - $0) }, { isSet(last - $0, last - $1) }, { isSet(last - $1, $0) },
        ]
        return Match(
            byTurn: turned.map { face in
                let soft = SoftFace(face)
                var best: [String: (value: Int?, likeness: Double)] = [:]
                for template in templates {
                    let likeness = Double(soft.likeness(to: template.soft))
                    if likeness > best[template.name]?.likeness ?? -2 {
                        best[template.name] = (template.value, likeness)
                    }
                }
                let ranked = best.sorted { ($0.value.likeness, $1.key) > ($1.value.likeness, $0.key) }
                guard let first = ranked.first else { return ("", nil, -1, -1) }
                return (
                    first.key, first.value.value, first.value.likeness,
                    ranked.count > 1 ? ranked[1].value.likeness : -1
                )
            })
    }
}
