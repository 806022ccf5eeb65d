internal import COpenCV
import Core
import Foundation

/// Searches for the straight strokes among centre lines: votes for lines (Hough), then a robust fit.
struct StrokeSearch {
    struct Parameters: Sendable {
        /// Directions of half a turn, and directions on both sides of a place's own that it votes for: 12°.
        var turns = 60
        var window = 4
        /// Fewer places form no stroke. Set on development pictures, as all values here without another origin.
        var minPlaces = 8
        /// Bin of the votes, smallest reach across a stroke, and largest gap within it: pixels, and in sizes of the
        /// drawing.
        var bin = (least: 1.5, share: 0.012)
        var minReach = 1.6
        var gap = (least: 4.0, share: 0.1)
        /// Votes and places of a stroke, in its smallest length.
        var minVotes = 0.5
        var minOwn = 0.4
        /// Inked share of a stroke.
        var minSupport = 0.55
        /// Strokes of nearly one direction (radians) on one line are the same.
        var sameTurn = 0.12
        /// A place of a failed line votes on if its direction differs by more, radians.
        var otherTurn = 0.3
        /// Tries for each stroke.
        var tries = 2
    }

    /// What is searched for in a drawing.
    struct Limits {
        /// Size of the drawing, pixels.
        var size: Double
        /// Smallest length of a stroke, pixels.
        var shortest: Double
        var most: Int
        /// Allowed curvature: reach across a stroke, in sizes of the drawing.
        var sway: Double
    }

    private let lines: CentreLines
    private let limits: Limits
    private let parameters: Parameters
    private let reach: Double
    private let gap: Double
    private var votes: tcv_votes
    /// Of each direction, x and y one after the other.
    private let normals: [Double]
    private var counts: [Int32]
    private var isUsed: [Bool]

    /// The strokes, longest first.
    static func strokes(
        of lines: CentreLines, _ limits: Limits, _ parameters: Parameters = .init()
    ) throws(PictureFailure) -> [Stroke] {
        guard lines.count >= parameters.minPlaces else { return [] }
        var search = try StrokeSearch(lines, limits, parameters)
        return try search.strokes().sorted { $0.length > $1.length }
    }

    private init(_ lines: CentreLines, _ limits: Limits, _ p: Parameters) throws(PictureFailure) {
        (self.lines, self.limits, parameters) = (lines, limits, p)
        reach = max(p.minReach, limits.sway * limits.size)
        gap = max(p.gap.least, p.gap.share * limits.size)
        let bin = max(p.bin.least, p.bin.share * limits.size)
        let (left, top, right, bottom) = lines.extent
        let half = Int(hypot(right - left, bottom - top) / 2 / bin) + 2
        votes = tcv_votes(
            x: (left + right) / 2, y: (top + bottom) / 2, bin: bin, turns: Int32(p.turns), bins: Int32(2 * half + 1),
            window: Int32(p.window))
        normals = (0..<p.turns).flatMap { turn in
            let angle = .pi * Double(turn) / Double(p.turns)
            return [-sin(angle), cos(angle)]
        }
        counts = [Int32](repeating: 0, count: p.turns * (2 * half + 1))
        isUsed = [Bool](repeating: false, count: lines.count)
        try PictureFailure.check(tcv_votes_add(&votes, normals, lines.places, nil, Int32(lines.count), 1, &counts))
    }

    private mutating func strokes() throws(PictureFailure) -> [Stroke] {
        let p = parameters
        var strokes: [Stroke] = []
        for _ in 0..<p.tries * limits.most where strokes.count < limits.most {
            var (turn, bin, sum) = (Int32(0), Int32(0), Int32(0))
            try PictureFailure.check(tcv_votes_peak(&votes, counts, &turn, &bin, &sum))
            guard Double(sum) >= p.minVotes * limits.shortest else { break }
            let angle = .pi * Double(turn) / Double(p.turns)
            let normal = Point(normals[2 * Int(turn)], normals[2 * Int(turn) + 1])
            let distance = (Double(bin) + 0.5 - Double(votes.bins / 2)) * votes.bin
            let raw = Stroke(at: Point(votes.x, votes.y) + normal * distance, along: Point(cos(angle), sin(angle)))
            let line = try StrokeFit(reach: reach, gap: gap, fewest: p.minOwn * limits.shortest).fitted(raw, to: lines)
            let isKnown = line.map { line in strokes.contains { isSame(line, $0) } } ?? false
            if let line, !isKnown, line.length >= limits.shortest, line.support >= p.minSupport { strokes.append(line) }
            // A place votes only until it is explained.
            let explained = explained(by: line, isKnown: isKnown, angle: angle, normal: normal, bin: Int(bin))
            if explained.isEmpty {
                let at = Int(turn * votes.bins + bin)
                (counts[at], counts[at + 1]) = (0, 0)
            } else {
                for index in explained { isUsed[Int(index)] = true }
                try PictureFailure.check(
                    tcv_votes_add(&votes, normals, lines.places, explained, Int32(explained.count), -1, &counts))
            }
        }
        return strokes
    }

    private func isSame(_ line: Stroke, _ other: Stroke) -> Bool {
        let along = other.coordinate(line.at)
        return HalfTurn.between(line.angle, other.angle) < parameters.sameTurn
            && abs(other.across(line.point((line.from + line.to) / 2))) < reach && along > other.from
            && along < other.to
    }

    /// Places that no longer vote: those on the line, and those in the bin of a line that failed or is known.
    private func explained(by line: Stroke?, isKnown: Bool, angle: Double, normal: Point, bin: Int) -> [Int32] {
        let half = Int(votes.bins / 2)
        let takesBin = line == nil || isKnown
        var explained: [Int32] = []
        lines.places.withUnsafeBufferPointer { places in
            for (index, place) in places.enumerated() where !isUsed[index] {
                if let line {
                    let (x, y) = (place.x - line.at.x, place.y - line.at.y)
                    let along = x * line.along.x + y * line.along.y
                    // A pixel more at both ends.
                    if abs(line.along.x * y - line.along.y * x) <= reach, along >= line.from - 1, along <= line.to + 1 {
                        explained.append(Int32(index))
                        continue
                    }
                }
                guard takesBin else { continue }
                let offset = (place.x - votes.x) * normal.x + (place.y - votes.y) * normal.y
                let own = Int(whole: offset / votes.bin) + half
                guard own == bin || own == bin + 1 else { continue }
                if place.isReliable, HalfTurn.between(place.angle, angle) > parameters.otherTurn { continue }
                explained.append(Int32(index))
            }
        }
        return explained
    }
}

/// Fits a stroke to nearby centre lines and measures its extent.
struct StrokeFit {
    struct Parameters: Sendable {
        var rounds = 4
        /// Places of another direction belong to other strokes, radians. Set on development pictures, as all values
        /// here.
        var turn = 0.45
        /// Places so many gaps beyond the ends are considered again.
        var beyond = 2.0
        /// Rounding of the ends, pixels.
        var rounding = 1e-6
        /// Distance beyond which a place's pull is constant, in reaches.
        var huber = 0.35
        /// Half widths within these factors of the median are even. One pixel is added to both, because thin lines vary
        /// by as much.
        var even = (low: 0.6, high: 1.6, more: 1.0)
    }

    /// Largest distance from the line, and largest gap within it, pixels.
    let reach, gap: Double
    /// Smallest number of places.
    let fewest: Double
    var parameters = Parameters()

    init(reach: Double, gap: Double, fewest: Double) { (self.reach, self.gap, self.fewest) = (reach, gap, fewest) }

    /// Nil if there are too few places.
    func fitted(_ raw: Stroke, to lines: CentreLines) throws(PictureFailure) -> Stroke? {
        let p = parameters
        var line = raw
        for round in 1...p.rounds {
            let range =
                round > 1 ? (line.from - p.beyond * gap, line.to + p.beyond * gap) : (-Double.infinity, .infinity)
            let near = try lines.near(
                tcv_corridor(
                    x: line.at.x, y: line.at.y, along_x: line.along.x, along_y: line.along.y, reach: reach,
                    turn: p.turn, from: range.0, to: range.1))
            guard Double(near.count) >= fewest, let own = extend(&line, near, of: lines) else { return nil }
            if round < p.rounds { refit(&line, to: own, of: lines) }
        }
        return line
    }

    /// Sets the ends to the longest run without a large gap, and measures it. Returns its places; nil if they are too
    /// few.
    private func extend(_ line: inout Stroke, _ near: [Int], of lines: CentreLines) -> [Int]? {
        var runs: [(at: Double, half: Float)] = []
        runs.reserveCapacity(near.count)
        for index in near {
            let place = lines.places[index]
            let at = (place.x - line.at.x) * line.along.x + (place.y - line.at.y) * line.along.y
            runs.append((at, Float(place.half)))
        }
        let along = runs.map(\.at)
        runs.sort { $0.at != $1.at ? $0.at < $1.at : $0.half < $1.half }
        guard !runs.isEmpty else { return nil }
        var (first, best) = (0, 0...0)
        for index in runs.indices {
            if index > 0, runs[index].at - runs[index - 1].at > gap { first = index }
            if runs[index].at - runs[first].at > runs[best.upperBound].at - runs[best.lowerBound].at {
                best = first...index
            }
        }
        (line.from, line.to) = (runs[best.lowerBound].at, runs[best.upperBound].at)
        let (low, high) = (line.from - parameters.rounding, line.to + parameters.rounding)
        let own = zip(near, along).filter { $0.1 >= low && $0.1 <= high }.map(\.0)
        guard Double(own.count) >= fewest else { return nil }
        // A diagonal line has fewer pixels than its length.
        let isFlat = abs(line.along.x) > abs(line.along.y)
        let columns = Set(own.map { Int(isFlat ? lines.places[$0].x : lines.places[$0].y) })
        let step = max(abs(line.along.x), abs(line.along.y))
        line.support = min(1, Double(columns.count) / max(1, line.length * step))
        let halves = runs[best].map(\.half)
        let (half, even) = (Double(halves.median ?? 0), parameters.even)
        line.half = half
        let count = halves.count { width in
            let width = Double(width + Float(even.more))
            return width > even.low * (half + even.more) && width < even.high * (half + even.more)
        }
        line.evenness = Double(count) / Double(halves.count)
        return own
    }

    /// Least squares with Huber weights: places far from the previous line have less weight.
    private func refit(_ line: inout Stroke, to own: [Int], of lines: CentreLines) {
        var (n, sx, sy, xx, yy, xy) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for index in own {
            let place = lines.places[index]
            let (u, v) = (place.x - line.at.x, place.y - line.at.y)
            let off = abs(line.along.x * v - line.along.y * u)
            let weight = min(1, parameters.huber * reach / max(1e-6, off))
            n += weight
            sx += weight * u
            sy += weight * v
            xx += weight * u * u
            yy += weight * v * v
            xy += weight * u * v
        }
        let turn = 0.5 * atan2(2 * (xy - sx * sy / n), xx - sx * sx / n - yy + sy * sy / n)
        var next = line
        next.along = Point(cos(turn), sin(turn))
        if next.along.dot(line.along) < 0 { next.along = next.along * -1 }
        next.at = line.at + Point(sx / n, sy / n)
        (next.from, next.to) = (next.coordinate(line.start), next.coordinate(line.end))
        line = next
    }
}
