import Foundation
import Core

/// A face of a die with its value.
struct DieFace {
    var value: Int
    /// Indices of its pips among the photo's pips.
    var pips: Set<Int>
    /// Clockwise from the corner that is top left on the unrotated die, pixels.
    var corners: [Point]
    /// Radians, clockwise; modulo a quarter turn.
    var angle: Double
    /// Median distance of the pips from the lattice points, relative to the edge.
    var residual: Double
    /// Foreshortening of its pips.
    var seen: Foreshortening
    var colour: SIMD3<Int32>
    /// Appearance of a face of two or more pips, for comparison with others.
    var appearance: Appearance?
    /// True if the model accepted the face, rather than its visible edges.
    var isAcceptedByModel = false
    /// Probability-like score 0…1 that it is a top face of this value.
    var confidence: Double

    var centre: Point { corners.reduce(Point(0, 0), +) * (1 / Double(max(1, corners.count))) }
    /// The longer of its edges, pixels.
    var side: Double {
        max(
            (corners[1] - corners[0] + corners[2] - corners[3]).length,
            (corners[3] - corners[0] + corners[2] - corners[1]).length) / 2
    }
    var area: Double { abs(Outline.area(corners)) }

    /// Properties that dice of one throw share, and the evidence for the face without them.
    struct Appearance {
        var ink: SIMD3<Int32>
        /// Mean radius of the pips, pixels.
        var radius: Double
        /// Spacing of the lattice, pixels.
        var step: Double
        /// 0…1; 1 if the face ends in a straight line on all sides.
        var body: Double
        /// Confidence by all evidence except the edges, 0…1.
        var besides: Double
    }
}
