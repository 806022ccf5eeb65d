internal import COpenCV
import Foundation
import Core

/// Detects tiles by their glyphs, if tile and table are too similar for segmentation.
///
/// Ink marks on a uniform background are located first; each limits where its tile's edges may be. Steps too faint
/// for a threshold become visible when averaged along a whole edge.
struct FaceSquares {
    struct Square {
        /// Pixels of the raster, clockwise.
        var corners: [Point]
        var side: Double
        /// The weakest edge's step divided by the noise.
        var strength: Double
    }

    /// Steps below this multiple of the noise are grain.
    private static let minStrength = 3.2
    /// The same if the edge length is known.
    private static let minStrengthKnownSide = 2.6
    private static let most = 60
    /// Maximum size difference between squares of one set, as a natural logarithm.
    private static let maxDeviation = 0.12

    /// - Parameters:
    ///   - known: Corners of tiles that are already detected; they are excluded from the search.
    ///   - side: A tile's edge in pixels, if known.
    static func squares(in raster: Raster, besides known: [[Point]], side: Double?) -> [Square] {
        if let side { return detected(raster, known, side: side).filter { $0.strength > minStrengthKnownSide } }
        let first = detected(raster, known, side: 0).filter { $0.strength > minStrength }
        func near(_ side: Double) -> [Square] { first.filter { abs(log($0.side / side)) < maxDeviation } }
        // Two squares of one size are a set. A single one may be any square with a mark on it.
        guard
            let best = first.max(by: { weight(near($0.side)) < weight(near($1.side)) }), near(best.side).count > 1
        else { return [] }
        let sides = near(best.side).map(\.side).sorted()
        return detected(raster, known, side: sides[sides.count / 2]).filter { $0.strength > minStrengthKnownSide }
    }

    private static func weight(_ squares: [Square]) -> Double {
        squares.reduce(0) { $0 + min(12, $1.strength) * $1.side.squareRoot() }
    }

    private static func detected(_ raster: Raster, _ known: [[Point]], side: Double) -> [Square] {
        var found = [tcv_face_square](repeating: tcv_face_square(), count: most)
        var count: Int32 = 0
        let corners = known.flatMap { $0.flatMap { [$0.x, $0.y] } }
        let status = raster.bytes.withUnsafeBufferPointer { pixels in
            tcv_face_squares(
                pixels.baseAddress, Int32(raster.width), Int32(raster.height), Int32(raster.format.rawValue), corners,
                Int32(known.count), side, &found, Int32(most), &count)
        }
        guard status == TCV_OK else { return [] }
        return found.prefix(Int(count)).filter { $0.side > 0 }.map { square in
            let half = square.side / 2
            let middle = Point(square.cx, square.cy)
            return Square(
                corners: [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map {
                    Point($0.0 * half, $0.1 * half).rotated(cosine: cos(square.angle), sine: sin(square.angle)) + middle
                }, side: square.side, strength: square.strength)
        }
    }
}
