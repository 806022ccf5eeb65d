import Foundation
import Core

/// One face of a die with what was counted on it.
struct DieFace {
    var value: Int
    /// Which of the photo's pips are on it.
    var pips: Set<Int>
    /// Clockwise from the one that is at the top left when the die is not turned, pixels.
    var corners: [Point]
    /// Radians, clockwise; modulo a quarter turn.
    var angle: Double
    /// Median distance of the pips from their places, in parts of the edge.
    var residual: Double
    /// How its pips are squeezed.
    var seen: Foreshortening
    var colour: SIMD3<Int32>
    /// Of a face of two and more pips, by what it is compared with others.
    var look: Look?
    /// Whether the model says that it is a face, and not where it ends.
    var isLearned = false
    /// How surely it is this value and an upper face, 0…1.
    var confidence: Double

    var centre: Point { corners.reduce(Point(0, 0), +) * (1 / Double(max(1, corners.count))) }
    /// The longer of its edges, pixels.
    var side: Double {
        max(
            (corners[1] - corners[0] + corners[2] - corners[3]).length,
            (corners[3] - corners[0] + corners[2] - corners[1]).length) / 2
    }
    var area: Double { abs(Outline.area(corners)) }

    /// What dice of one throw have in common, and how much is known of a face without them.
    struct Look {
        var ink: SIMD3<Int32>
        /// Of the pips, mean, pixels.
        var radius: Double
        /// From one place to the next, pixels.
        var step: Double
        /// 0…1; 1 where it ends in a straight line on all sides.
        var body: Double
        /// How surely it is a face by all but where it ends, 0…1.
        var besides: Double
    }
}
