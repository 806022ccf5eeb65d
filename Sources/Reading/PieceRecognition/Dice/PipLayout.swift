import Core

/// The arrangement of one number's pips on a square face, in three rows and columns about its centre.
enum PipLayout {
    /// Distance of rows and columns from the centre, relative to the face's edge.
    private static let pitch = 0.13...0.37
    /// Maximum distance of a pip from its position, relative to the face's edge.
    private static let maxDeviation = 0.065
    /// Maximum distance between the pips' centroid and the face's centre, relative to the edge.
    private static let maxShift = 0.1
    /// Larger numbers have no standard arrangement.
    private static let most = 9

    /// True if the pips have the standard arrangement of their number, in either orientation. Also true for numbers
    /// without a standard.
    ///
    /// - Parameter pips: Centres from the face's centre, relative to the face's edge.
    static func isUsual(_ pips: [Point]) -> Bool {
        guard !pips.isEmpty, pips.count <= most else { return true }
        let middle = pips.reduce(Point(0, 0), +) * (1 / Double(pips.count))
        guard max(abs(middle.x), abs(middle.y)) < maxShift else { return false }
        guard let columns = places(pips.map { $0.x - middle.x }), let rows = places(pips.map { $0.y - middle.y }) else {
            return false
        }
        let cells = Set(zip(columns, rows).map { 3 * ($0.1 + 1) + $0.0 + 1 })
        return cells.count == pips.count && known[pips.count]?.contains(cells) == true
    }

    /// −1, 0 or 1 for each offset; nil if they do not lie on three equally spaced lines.
    private static func places(_ off: [Double]) -> [Int]? {
        let reach = off.map(abs).max() ?? 0
        if reach < maxDeviation { return off.map { _ in 0 } }
        guard pitch.contains(reach) else { return nil }
        let places = off.map { Int(($0 / reach).rounded()) }
        guard zip(off, places).allSatisfy({ abs($0 - Double($1) * reach) < maxDeviation }) else { return nil }
        return places
    }

    /// Positions for each number, row by row. Arrangements that a quarter turn changes are listed twice.
    static let known: [Int: [Set<Int>]] = [
        1: [[4]], 2: [[0, 8], [2, 6], [1, 7], [3, 5]], 3: [[0, 4, 8], [2, 4, 6], [1, 4, 7], [3, 4, 5]],
        4: [[0, 2, 6, 8]],
        5: [[0, 2, 4, 6, 8]], 6: [[0, 2, 3, 5, 6, 8], [0, 1, 2, 6, 7, 8]],
        7: [[0, 2, 3, 4, 5, 6, 8], [0, 1, 2, 4, 6, 7, 8]], 8: [[0, 1, 2, 3, 5, 6, 7, 8]],
        9: [[0, 1, 2, 3, 4, 5, 6, 7, 8]],
    ]
}
