import Foundation
import Core

/// Refines a face's corners to the picture. A lens, a bevel or a tilted camera deforms the rigid template a little.
enum ObservedOutline {
    /// Edges farther than this from the rigid side belong to something else, pixels.
    private static let reach = 2.5
    /// Weight of the rigid side, in number of edges.
    private static let rigidWeight = 2.0

    /// Intersections of the sides, after each was rotated and shifted to its own edges. A side without edges stays
    /// rigid.
    ///
    /// - Parameters:
    ///   - sides: The template's sides, clockwise, millimetres.
    ///   - placement: The best fit of the whole template.
    ///   - edges: Visible edges, indexed by `sides`, in pixels.
    static func corners(of sides: [Placement.Side], placement: Placement, edges: [EdgePoint]) -> [Point] {
        let rigid = Placement.Side.corners(of: sides).map { placement($0) - placement.at }
        let (cosine, sine) = (cos(placement.angle), sin(placement.angle))
        let seen = sides.enumerated().map { index, side in
            let normal = side.normal.rotated(cosine: cosine, sine: sine)
            let distance = side.distance * placement.scale
            let along = Point(-normal.y, normal.x)
            let middle = (rigid[index] + rigid[(index + 1) % rigid.count]) * 0.5
            let length = (rigid[(index + 1) % rigid.count] - rigid[index]).length
            // offset = shift + slope · place, least squares with Tukey weights; both are regularised towards 0.
            var (shift, slope) = (0.0, 0.0)
            for _ in 0..<4 {
                var (n, s, ss, o, so) = (rigidWeight, 0.0, rigidWeight * length * length / 12, 0.0, 0.0)
                for edge in edges where edge.side == index {
                    let from = edge.at - placement.at
                    let (offset, place) = (normal.dot(from) - distance, along.dot(from - middle))
                    let weight = Tukey.weight((offset - shift - slope * place) / reach)
                    n += weight
                    s += weight * place
                    ss += weight * place * place
                    o += weight * offset
                    so += weight * offset * place
                }
                let determinant = n * ss - s * s
                guard determinant > 1e-9 else { break }
                (shift, slope) = ((ss * o - s * so) / determinant, (n * so - s * o) / determinant)
            }
            let rotated = (normal - along * slope) * (1 / (1 + slope * slope).squareRoot())
            return Placement.Side(normal: rotated, distance: rotated.dot(middle + normal * shift))
        }
        return Placement.Side.corners(of: seen).map { $0 + placement.at }
    }
}
