import Core

/// Groups the pieces of several sets on one table by player. Near pieces belong together, and no group has more
/// pieces of a type than a set.
struct PlayerSets: Sendable {
    let shapes: PieceShapes

    /// The pieces of each player as ascending indices, ordered by first piece. One group if the table holds at most
    /// one set.
    ///
    /// Agglomerative clustering: the two nearest groups are merged repeatedly, starting with single pieces, unless
    /// the result exceeds a set. Two figures may therefore be closer to each other than the loose pieces of one of
    /// them.
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
        // Pairs in order of increasing gap, so the first pair of two groups has their smallest gap. Groups only grow,
        // so a refused merge stays refused.
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
