import Foundation
import Core

/// The common scale at which most shapes of a photo are pieces of the set, in pixels per millimetre.
///
/// The scale varies slowly across the picture. The model includes the bright or bevelled rim that hides a piece's
/// true outline.
struct CommonScale {
    /// Pixels per millimetre at the picture's origin, and its gradient per pixel to the right and down.
    private var surface: (Double, Double, Double)
    /// Width of the rim in millimetres: the visible face is smaller than the template by this on every side.
    let rim: Double
    /// Sum of the agreeing shapes' weights, minus a penalty for more pieces than a set has.
    let score: Double

    /// A known scale without a rim, on which no shape has voted.
    init(everywhere scale: Double) { self.init(surface: (scale, 0, 0), rim: 0, score: 0) }

    private init(surface: (Double, Double, Double), rim: Double, score: Double) {
        (self.surface, self.rim, self.score) = (surface, rim, score)
    }

    func at(_ point: Point) -> Double { surface.0 + surface.1 * point.x + surface.2 * point.y }

    /// Logarithm of the scale error of an interpretation; 0 is perfect.
    func deviation(_ reading: Candidate.Reading, kinds: [PieceKind]) -> Double {
        let kind = kinds[reading.kind]
        let seen = reading.placement.scale * kind.innerRadius / (kind.innerRadius - rim)
        return abs(log(seen / at(reading.placement.at)))
    }

    /// The interpretation of a candidate that fits this scale best, or nil.
    func best(of candidate: Candidate, kinds: [PieceKind], within limit: Double) -> Candidate.Reading? {
        let read = candidate.readings.map { ($0, deviation($0, kinds: kinds)) }.min { $0.1 < $1.1 }
        guard let read, read.1 < limit else { return nil }
        return read.0
    }

    /// Candidate rims, millimetres, for pieces of 35 mm unit length: from none to a broad bevel.
    private static let rims = [0, 0.6, 1.2, 1.8, 2.4]
    /// Maximum deviation of a piece during the search. Two neighbouring sizes differ by .35.
    private static let searchLimit = 0.12

    /// Accepted ratios to a known scale.
    ///
    /// Pieces look larger by their height relative to the camera's: 4 % is a piece of 15 mm below a camera at 40 cm.
    /// They look smaller at most by the markers' residual.
    private static let knownWithin = 0.98...1.04

    /// Each interpretation of each candidate votes for a scale; nil without candidates.
    ///
    /// - Parameter known: Pixels per millimetre of the table, if markers give it. Only constant scales near it are
    ///   then tried.
    static func agreed(by candidates: [Candidate], kinds: [PieceKind], near known: Double? = nil) -> CommonScale? {
        let smallest = kinds.map(\.innerRadius).min() ?? 1
        var best: CommonScale?
        for share in rims {
            let rim = share * smallest / 10.25
            var tried: [Double] = []
            for reading in candidates.lazy.flatMap(\.readings) {
                let kind = kinds[reading.kind]
                let scale = reading.placement.scale * kind.innerRadius / (kind.innerRadius - rim)
                if let known, !knownWithin.contains(scale / known) { continue }
                guard !tried.contains(where: { abs($0 / scale - 1) < 0.01 }) else { continue }
                tried.append(scale)
                let score = score(scale, rim: rim, candidates: candidates, kinds: kinds)
                if score > best?.score ?? 0 {
                    best = CommonScale(surface: (scale, 0, 0), rim: rim, score: score)
                }
            }
        }
        if let known { return best.map { $0.weighed(over: candidates, kinds: kinds, near: known) } }
        return best.map { $0.smoothed(over: candidates, kinds: kinds) }
    }

    private static func score(_ scale: Double, rim: Double, candidates: [Candidate], kinds: [PieceKind]) -> Double {
        let trial = CommonScale(surface: (scale, 0, 0), rim: rim, score: 0)
        var sum = 0.0
        var counts = [Int](repeating: 0, count: kinds.count)
        for candidate in candidates {
            guard let reading = trial.best(of: candidate, kinds: kinds, within: searchLimit) else { continue }
            sum += candidate.quality * exp(-pow(trial.deviation(reading, kinds: kinds) / 0.06, 2))
            counts[reading.kind] += 1
        }
        // Two sets may be on the table. A third triangle of a size that occurs once per set is evidence against the
        // scale.
        let surplus = { (sets: Int) in
            zip(counts, kinds).reduce(0) { $0 + max(0, $1.0 - sets * $1.1.count) }
        }
        let excess = min(Double(surplus(1)), Double(surplus(2)) + 0.4)
        return sum - 0.6 * excess - 0.02 * rim
    }

    /// Estimates magnification and rim from visible radii of large and small pieces: a piece of radius R shows scale
    /// · (R − rim).
    ///
    /// If all pieces have one size, the prior decides: low pieces, no rim.
    private func weighed(over candidates: [Candidate], kinds: [PieceKind], near known: Double) -> CommonScale {
        var system = NormalEquations<SIMD2<Double>>()
        for candidate in candidates {
            guard let reading = best(of: candidate, kinds: kinds, within: Self.searchLimit) else { continue }
            let kind = kinds[reading.kind]
            // A rim shortens both axes of a parallelogram by different ratios, so its scale does not determine the
            // rim.
            guard !kind.chiral else { continue }
            // In units of the table's millimetre: seen/known = (1 + growth) · R − edge.
            let seen = reading.placement.scale * kind.innerRadius / known
            system.add(
                [kind.innerRadius, -1], residual: kind.innerRadius - seen,
                weight: candidate.quality / (Self.radiusNoise * Self.radiusNoise))
        }
        system.hold(0, residual: -0.004, weight: 1 / (0.006 * 0.006))
        system.hold(1, weight: 1 / (0.4 * 0.4))
        guard let solution = system.solution() else { return self }
        let growth = max(0.99, 1 + solution[0])
        return CommonScale(
            surface: (known * growth, 0, 0), rim: max(0, solution[1] / growth), score: score)
    }

    /// Measurement noise of a piece's radius, millimetres.
    private static let radiusNoise = 0.06

    /// The scale as a plane over the picture, fitted to the agreeing candidates. It models a tilted camera, or two
    /// sets.
    private func smoothed(over candidates: [Candidate], kinds: [PieceKind]) -> CommonScale {
        var better = self
        for _ in 0..<3 {
            var system = NormalEquations<SIMD3<Double>>()
            var count = 0
            for candidate in candidates {
                guard let reading = better.best(of: candidate, kinds: kinds, within: Self.searchLimit) else { continue }
                let kind = kinds[reading.kind]
                let seen = reading.placement.scale * kind.innerRadius / (kind.innerRadius - rim)
                let weight = candidate.quality * candidate.area.squareRoot()
                let at = reading.placement.at
                let mean = better.at(at)
                system.add([1, at.x / 1000, at.y / 1000], residual: mean - seen, weight: weight)
                count += 1
            }
            guard count >= 3 else { break }
            // Regularises the gradient: a change by a tenth over 1000 pixels costs as much as one piece with that
            // deviation.
            let middle = better.surface.0
            system.hold(1, residual: better.surface.1 * 1000, weight: middle * middle * 20)
            system.hold(2, residual: better.surface.2 * 1000, weight: middle * middle * 20)
            guard let step = system.solution() else { break }
            better.surface.0 += step[0]
            better.surface.1 += step[1] / 1000
            better.surface.2 += step[2] / 1000
        }
        return better
    }
}
