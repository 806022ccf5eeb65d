import Core
import Foundation

extension PreparedPieceImage {
    /// How an edge is located across an expected side.
    struct EdgeParameters: Sendable {
        /// Part of a side that is searched. Corners are often rounded.
        var part = 0.1...0.9
        /// Largest reach, pixels.
        var maxReach = 64.0
        /// Minimum reach and additional pixels on both ends, where slopes of stronger edges beyond appear.
        var minReach = 2
        var rim = 2
        /// Standard deviation of the expected distance from the side, in reaches.
        var spread = 0.6
        /// A smaller colour step is noise, 0…255.
        var minStep = 6.0
    }

    /// The true sides of a convex polygon in the full picture, within `reach` pixels across each side.
    func edges(
        of corners: [Point], reach: Double, samples: Int, parameters: EdgeParameters = EdgeParameters()
    ) throws(PictureFailure) -> [EdgePoint] {
        let reach = min(parameters.maxReach, reach)
        let half = max(parameters.minReach, Int(reach.rounded(.up))) + parameters.rim
        let taps = 2 * half + 1
        let width = parameters.part.upperBound - parameters.part.lowerBound
        var starts: [(at: Point, out: Point, side: Int)] = []
        var places: [Double] = []
        starts.reserveCapacity(corners.count * samples)
        places.reserveCapacity(2 * corners.count * samples * (taps + 2))
        for side in corners.indices {
            let along = corners[(side + 1) % corners.count] - corners[side]
            let length = max(1e-6, along.length)
            // Clockwise with y down: outside is to the left.
            let out = Point(along.y / length, -along.x / length)
            for index in 0..<samples {
                let share = samples > 1 ? Double(index) / Double(samples - 1) : 0.5
                let at = corners[side] + along * (parameters.part.lowerBound + width * share)
                starts.append((at, out, side))
                for tap in 0..<taps + 2 {
                    let place = at + out * Double(tap - half - 1)
                    let seen = toFull.map { $0(place) } ?? place
                    places.append(seen.x)
                    places.append(seen.y)
                }
            }
        }
        var profiles = [Double](repeating: 0, count: places.count / 2 * 3)
        try full.sample(places, isClamped: false, into: &profiles)
        var steps = [Double](repeating: 0, count: taps)
        return profiles.withUnsafeBufferPointer { profiles in
            starts.enumerated().compactMap { index, start in
                let first = index * (taps + 2) * 3
                for tap in 0..<taps + 2 where profiles[first + 3 * tap] < 0 { return nil }
                for tap in 0..<taps {
                    let at = first + 3 * tap
                    let (r, g, b) = (
                        profiles[at + 6] - profiles[at], profiles[at + 7] - profiles[at + 1],
                        profiles[at + 8] - profiles[at + 2]
                    )
                    steps[tap] = (r * r + g * g + b * b).squareRoot() / 3.0.squareRoot()
                }
                // Peaks only. A stronger edge beyond the reach appears as a slope at the end and belongs to another
                // side.
                var (best, peak) = (0.0, -1)
                for tap in 1..<taps - 1 where steps[tap] >= steps[tap - 1] && steps[tap] >= steps[tap + 1] {
                    let near = Double(tap - half) / (parameters.spread * reach)
                    let weighed = steps[tap] * exp(-0.5 * near * near)
                    if weighed > best { (best, peak) = (weighed, tap) }
                }
                guard peak >= 0, steps[peak] >= parameters.minStep else { return nil }
                let offset = Double(peak - half) + Peak.offset(steps[peak - 1], steps[peak], steps[peak + 1])
                return EdgePoint(at: start.at + start.out * offset, side: start.side, strength: steps[peak])
            }
        }
    }
}

/// The place of a maximum between samples.
enum Peak {
    /// Offset of the vertex of the parabola through three samples from the middle one, −1…1; 0 without curvature.
    static func offset(_ before: Double, _ middle: Double, _ after: Double, minBend: Double = 1e-9) -> Double {
        let bend = before - 2 * middle + after
        return bend < -minBend ? min(1, max(-1, 0.5 * (before - after) / bend)) : 0
    }
}
