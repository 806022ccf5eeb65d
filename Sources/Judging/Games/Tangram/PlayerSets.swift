import Core

/// Several sets on one table told apart: what lies near each other belongs together, and nobody has more of a piece than a set.
struct PlayerSets: Sendable {
    let shapes: PieceShapes

    /// The pieces of each player, as indices in ascending order, the players in the order of their first piece; one group where the
    /// table holds no more than one set.
    ///
    /// The two nearest groups are joined again and again, beginning with single pieces, unless they would be more than a set; so
    /// two figures may lie closer together than the loose pieces of one of them.
    func groups(of pieces: [TablePiece]) -> [[Int]] {
        guard !isWithinOneSet(pieces.indices.map { $0 }, of: pieces) else { return [Array(pieces.indices)] }
        let outlines = pieces.map { $0.shape.outline.laid(at: $0.pose) }
        var pairs: [(gap: Double, first: Int, second: Int)] = []
        for first in pieces.indices {
            for second in pieces.indices.dropFirst(first + 1) {
                let isOver = outlines[first].overlap(with: outlines[second]) > 0
                pairs.append((isOver ? 0 : outlines[first].gap(to: outlines[second]), first, second))
            }
        }
        pairs.sort { ($0.gap, $0.first, $0.second) < ($1.gap, $1.first, $1.second) }
        var groups = pieces.indices.map { [$0] }
        // Pairs by rising gaps: two groups' first pair is their smallest gap. One refused stays refused, since groups only grow.
        for pair in pairs {
            guard let one = groups.firstIndex(where: { $0.contains(pair.first) }),
                let other = groups.firstIndex(where: { $0.contains(pair.second) }), one != other,
                isWithinOneSet(groups[one] + groups[other], of: pieces)
            else { continue }
            groups[min(one, other)] = (groups[one] + groups[other]).sorted()
            groups.remove(at: max(one, other))
        }
        return groups.sorted { ($0.first ?? 0) < ($1.first ?? 0) }
    }

    private func isWithinOneSet(_ indices: [Int], of pieces: [TablePiece]) -> Bool {
        shapes.shapes.allSatisfy { shape in indices.count { pieces[$0].shape.type == shape.type } <= shape.count }
    }
}
