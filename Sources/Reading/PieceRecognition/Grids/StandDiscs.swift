import Foundation

/// Decides which holes of a stand hold a disc, and of which paint.
///
/// A room may be seen through the others. A disc is evenly coloured and has a paint's hue; and it lies on another disc
/// or on the bottom. Both are weighed for each column together.
struct StandDiscs {
    struct Parameters: Sendable {
        /// Log odds of a disc: constant, and weights of the hue's distance from the nearest paint, the chroma and the
        /// variation of lightness. Fitted by logistic regression to 146 discs of six stands (in four lights each)
        /// against their empty holes, plain backgrounds of wood and plaster in several lights, and 42 random patches of
        /// each of 183 other photos. Both sides have the same total weight.
        var constant = -3.97
        var hue = -3.13
        var chroma = 10.17
        var unevenness = -1.84
        /// Units of those three: degrees, usual chroma, CIELAB lightness. Values above `most` count as `most`.
        var hueUnit = 30.0
        /// Usual chroma of a disc: that of this share of the stand's holes, and at least this part of the paint's. A
        /// wall behind the stand is paler than its discs in the same light.
        var chromaShare = 0.9
        var leastChroma = 0.6
        var unevennessUnit = 10.0
        var most = (hue: 2.0, chroma: 1.2, unevenness: 2.0)
        /// Limit of the log odds of one hole: a picture of discs behind a hole looks like a disc.
        var mostOdds = 6.0
        /// Probability of a disc in the lowest hole, above a disc, and above an empty hole. The last is not 0, because
        /// a disc below may be occluded by a hand or a glint.
        var lowest = 0.6
        var aboveDisc = 0.5
        var aboveEmpty = 0.02
        /// Difference of the distances from two paints, degrees, at which the nearer is e times as probable.
        var hueScale = 6.0
        /// Holes that all look alike show one ground: largest distance of their hues, degrees, and of their chromas, as a
        /// share, from the median hole. The rendered empty board that this was set on has 1.2 and .06. No game fills a
        /// board with one paint.
        var alikeHue = 6.0
        var alikeChroma = 0.12
        /// Paints with less chroma than this have no hue.
        var minChroma = 20.0
    }

    /// What is seen in one hole.
    struct Hole {
        /// Median colour, CIELAB.
        var colour: Colour.Lab
        /// The lightness of three quarters of it is within this of the median.
        var unevenness: Double
    }

    /// A probable disc.
    struct Disc {
        /// Index of the paint.
        var paint: Int
        /// Probability that a disc of this paint is in the hole, 0…1.
        var probability: Double
        /// Probability of any disc by the hole's own look, 0…1.
        var look: Double
    }

    private let paints: [Colour.Lab]
    private let parameters: Parameters

    /// Nil if a paint has no hue.
    init?(paints: [[Double]], _ parameters: Parameters = .init()) {
        self.paints = paints.map(Colour.Lab.init)
        self.parameters = parameters
        guard self.paints.allSatisfy({ $0.chroma >= parameters.minChroma }) else { return nil }
    }

    /// The disc of each hole, by column from the top down; nil for an empty hole.
    func discs(in columns: [[Hole]]) -> [[Disc?]] {
        let chromas = columns.flatMap { $0.map(\.colour.chroma) }.sorted()
        guard let most = chromas.dropLast(Int(Double(chromas.count) * (1 - parameters.chromaShare))).last else {
            return []
        }
        guard !showOneGround(columns.flatMap { $0 }) else { return columns.map { $0.map { _ in nil } } }
        return columns.map { discs(in: $0, usual: most) }
    }

    /// True if all holes look alike, so a disc cannot be distinguished from the ground behind the stand.
    private func showOneGround(_ holes: [Hole]) -> Bool {
        let middle = holes.map(\.colour).sorted { $0.chroma < $1.chroma }[holes.count / 2]
        guard middle.chroma > 0 else { return true }
        return holes.allSatisfy { hole in
            hole.colour.turn(from: middle) <= parameters.alikeHue
                && abs(hole.colour.chroma - middle.chroma) <= parameters.alikeChroma * middle.chroma
        }
    }

    private func discs(in column: [Hole], usual: Double) -> [Disc?] {
        let odds = column.map { self.odds($0, usual: usual) }
        let occupied = Self.occupied(odds, parameters)
        return column.indices.map { index in
            let (hole, probability) = (column[index], occupied[index])
            guard probability > 0.5 else { return nil }
            let off = paints.map { hole.colour.turn(from: $0) }
            guard let paint = off.indices.min(by: { off[$0] < off[$1] }) else { return nil }
            let weights = off.map { exp((off[paint] - $0) / parameters.hueScale) }
            return Disc(
                paint: paint, probability: probability / weights.reduce(0, +), look: 1 / (1 + exp(-odds[index])))
        }
    }

    /// Log odds of a disc by the hole's own look.
    ///
    /// - Parameter usual: Chroma of discs in this photo, as far as known.
    private func odds(_ hole: Hole, usual: Double) -> Double {
        guard let paint = paints.min(by: { hole.colour.turn(from: $0) < hole.colour.turn(from: $1) }) else { return 0 }
        let p = parameters
        let hue = min(p.most.hue, hole.colour.turn(from: paint) / p.hueUnit)
        let chroma = min(p.most.chroma, hole.colour.chroma / max(usual, p.leastChroma * paint.chroma))
        let unevenness = min(p.most.unevenness, hole.unevenness / p.unevennessUnit)
        let odds = p.constant + p.hue * hue + p.chroma * chroma + p.unevenness * unevenness
        return max(-p.mostOdds, min(p.mostOdds, odds))
    }

    /// Probability of a disc in each hole, given all holes of the column (forward–backward from the bottom).
    static func occupied(_ odds: [Double], _ p: Parameters) -> [Double] {
        let upward = Array(odds.reversed())
        /// Probabilities that a hole above an empty one, or above a disc, holds none or one.
        let step = [[1 - p.aboveEmpty, p.aboveEmpty], [1 - p.aboveDisc, p.aboveDisc]]
        let evidence = upward.map { [1 / (1 + exp($0)), 1 / (1 + exp(-$0))] }
        var forward: [[Double]] = []
        for (index, seen) in evidence.enumerated() {
            let prior =
                index == 0
                ? [1 - p.lowest, p.lowest]
                : (0..<2).map { forward[index - 1][0] * step[0][$0] + forward[index - 1][1] * step[1][$0] }
            let both = [prior[0] * seen[0], prior[1] * seen[1]]
            forward.append(both.map { $0 / (both[0] + both[1]) })
        }
        var backward = [1.0, 1.0]
        var result: [Double] = []
        for index in upward.indices.reversed() {
            let both = [forward[index][0] * backward[0], forward[index][1] * backward[1]]
            result.append(both[1] / (both[0] + both[1]))
            let (seen, after) = (evidence[index], backward)
            backward = step.map { (odds: [Double]) -> Double in
                odds[0] * seen[0] * after[0] + odds[1] * seen[1] * after[1]
            }
        }
        return result
    }
}
