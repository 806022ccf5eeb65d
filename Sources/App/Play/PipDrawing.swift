import Core
import Foundation

/// The pips of a die or a domino as the path of an SVG, in millimetres of the table.
enum PipDrawing {
    /// The places of 1 to 9 pips on a square from -1 to 1.
    private static func places(_ count: Int) -> [Point] {
        guard (1...9).contains(count) else { return [] }
        return Array(pairs.prefix(count / 2 * 2)) + (count.isMultiple(of: 2) ? [] : [Point(0, 0)])
    }

    /// Two more pips take the next two places.
    private static let pairs = [
        Point(-1, -1), Point(1, 1), Point(1, -1), Point(-1, 1), Point(0, -1), Point(0, 1), Point(-1, 0), Point(1, 0),
    ]

    /// - Returns: nil for a piece without pips, or without corners.
    static func path(of piece: RecognizedPiece) -> String? {
        guard piece.symbol == nil, piece.polygonMM.count == 4 else { return nil }
        let next = piece.polygonMM.dropFirst() + piece.polygonMM.prefix(1)
        let sides = zip(piece.polygonMM, next).map { hypot($0.x - $1.x, $0.y - $1.y) }
        guard let short = sides.min(), let long = sides.max(), short > 0 else { return nil }
        let halves: [(count: Int, shift: Double)] =
            switch (piece.values, piece.value) {
            // The first number is on the half at -x of the unrotated piece.
            case (let values?, _) where values.count == 2: [(values[0], -long / 4), (values[1], long / 4)]
            case (_, let value?): [(value, 0)]
            default: []
            }
        let pips: [Point] = halves.flatMap { half in
            places(half.count).map { Point(half.shift + $0.x * short * 0.27, $0.y * short * 0.27) }
        }
        guard !pips.isEmpty else { return nil }
        let radius: Double = (short * 0.09).rounded(toPlaces: 2)
        let arc = "a\(radius) \(radius) 0 1 0"
        let (sine, cosine) = (sin(piece.angleDegrees * .pi / 180), cos(piece.angleDegrees * .pi / 180))
        return pips.map { pip -> String in
            let x: Double = piece.xMM + pip.x * cosine - pip.y * sine - radius
            let y: Double = piece.yMM + pip.x * sine + pip.y * cosine
            return "M\(x.rounded(toPlaces: 1)) \(y.rounded(toPlaces: 1))\(arc) \(2 * radius) 0\(arc) \(-2 * radius) 0"
        }.joined()
    }
}
