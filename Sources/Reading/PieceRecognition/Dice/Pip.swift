import Foundation
import Core

/// A round spot of one colour on a uniform background.
struct Pip: Sendable {
    /// Pixels of the raster.
    var at: Point
    /// The ellipse that a circle on its face becomes in the photo.
    var shape: Foreshortening
    /// Radius of a circle of equal area, pixels.
    var radius: Double
    /// Maximum channel difference between inside and ring, 0…255.
    var contrast: Double
    /// Variation of the ring around it, 0…255.
    var unevenness: Double
    /// Mean distance of its rim from the ellipse, in radii.
    var misfit: Double
    var isDark: Bool
    var inside: SIMD3<Int32>
    var around: SIMD3<Int32>

    /// 1 for a circle.
    var roundness: Double { shape.roundness }

    /// Distance of its ink from grey, 0…255.
    var colourfulness: Int32 { inside.max() - inside.min() }

    /// True if both may be pips of one die.
    func isLike(_ other: Pip) -> Bool {
        isDark == other.isDark && (0.62...1.62).contains(radius / other.radius)
            && (Self.difference(around, other.around) < 60 || isInOtherLight(other))
            && Self.difference(inside, other.inside) < 100
    }

    /// True if the same background is in shade at one of them: all channels are darker by the same factor.
    private func isInOtherLight(_ other: Pip) -> Bool {
        guard Self.difference(around, other.around) < 100, around.min() > 20, other.around.min() > 20 else {
            return false
        }
        let parts = (0..<3).map { Double(around[$0]) / Double(other.around[$0]) }
        return (parts.max() ?? 1) < 1.2 * (parts.min() ?? 1)
    }

    /// Maximum channel difference.
    static func difference(_ a: SIMD3<Int32>, _ b: SIMD3<Int32>) -> Int32 {
        let off = a &- b
        return max(abs(off.x), abs(off.y), abs(off.z))
    }
}

/// The foreshortening of a plane in an oblique view: a symmetric map of determinant 1 from the plane to the photo.
struct Foreshortening: Sendable {
    /// The squared map: the ellipse that a circle of radius 1 becomes, with xx·yy − xy² = 1.
    private(set) var xx: Double
    private(set) var xy: Double
    private(set) var yy: Double

    static let none = Foreshortening(xx: 1, xy: 0, yy: 1)

    /// - Parameters: The coefficients of an ellipse of any size.
    init(xx: Double, xy: Double, yy: Double) {
        let size = max(1e-12, xx * yy - xy * xy).squareRoot()
        (self.xx, self.xy, self.yy) = (xx / size, xy / size, yy / size)
    }

    /// From two vectors of the photo that have equal length and are perpendicular on the plane.
    init(_ a: Point, _ b: Point) {
        self.init(xx: a.x * a.x + b.x * b.x, xy: a.x * a.y + b.x * b.y, yy: a.y * a.y + b.y * b.y)
    }

    static func mean(_ all: [Foreshortening]) -> Foreshortening {
        Foreshortening(
            xx: all.reduce(0) { $0 + $1.xx }, xy: all.reduce(0) { $0 + $1.xy }, yy: all.reduce(0) { $0 + $1.yy })
    }

    /// Ratio of the shorter to the longer axis of a circle's image.
    var roundness: Double {
        let middle = (xx + yy) / 2
        let off = (((xx - yy) / 2) * ((xx - yy) / 2) + xy * xy).squareRoot()
        return (max(0, middle - off) / (middle + off)).squareRoot()
    }

    /// Maps a vector of the plane to the photo.
    func seen(_ v: Point) -> Point {
        // The square root of a 2×2 matrix of determinant 1: (M + I) / √(trace + 2).
        let size = (xx + yy + 2).squareRoot()
        return Point(((xx + 1) * v.x + xy * v.y) / size, (xy * v.x + (yy + 1) * v.y) / size)
    }

    /// Maps a vector of the photo to the plane.
    func flat(_ v: Point) -> Point {
        let size = (xx + yy + 2).squareRoot()
        return Point(((yy + 1) * v.x - xy * v.y) / size, (-xy * v.x + (xx + 1) * v.y) / size)
    }

    /// 0 for equal maps, else the logarithm of the greatest relative stretch between them.
    func difference(from other: Foreshortening) -> Double {
        // Eigenvalues of M⁻¹N, whose product is 1.
        let half = (yy * other.xx - 2 * xy * other.xy + xx * other.yy) / 2
        return log(max(1, half + max(0, half * half - 1).squareRoot()))
    }
}
