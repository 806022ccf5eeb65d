import Foundation
import Vocabulary

/// Reads the upper faces of dice: pips on the 3×3 places that all dice have, on an even face that ends around them.
///
/// Faces turned away from the camera show their pips as narrow ellipses in a squeezed pattern, and lie nearer to an upper face
/// than another upper face can.
struct DiceReader {
    /// One face with what was counted on it.
    struct Face {
        var value: Int
        /// Which of the marks are its pips.
        var pips: Set<Int>
        /// Pixels.
        var centre: Point
        /// Edge of the die, pixels.
        var side: Double
        /// Radians, clockwise; modulo a quarter turn.
        var angle: Double
        /// Median distance of the pips from their places, in parts of the edge.
        var residual: Double
        /// Share of directions in which the face ends where it should, 0…1.
        var body: Double
        /// Shorter over longer axis of the pips.
        var roundness: Double
        var colour: [UInt8]
        /// How surely it is this value and an upper face, 0…1.
        var confidence: Double

        /// Clockwise from the one that is at the top left when the die is not turned.
        var corners: [Point] {
            let half = side / 2
            return [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { corner in
                Point(corner.0 * half, corner.1 * half).turned(cosine: cos(angle), sine: sin(angle)) + centre
            }
        }
    }

    /// Pips lie this part of the edge apart, in rows and columns: .25 to .29 on common dice.
    private static let step = 0.27
    /// That distance over a pip's radius.
    private static let stepOverRadius = 1.7...4.8
    /// A pip may lie off its place by this part of the step.
    private static let play = 0.42
    private static let rays = 40
    /// Below this a face is not told.
    private static let leastConfidence = 0.45

    private let marks: [RoundMark]

    /// A die whose edge is a smaller part of the photo's longer side is print or grain.
    private static let smallest = 0.017
    /// More marks are no dice but a pattern; the best fitting are looked at.
    private static let most = 450

    private let leastSide: Double

    /// - Parameter longSide: of the photo, pixels.
    init(_ sheet: borrowing RoundMarks, longSide: Int) {
        marks = Array(sheet.all().prefix(Self.most))
        leastSide = Self.smallest * Double(longSide)
    }

    /// The upper faces, none nearer to another than dice can lie.
    func faces(on sheet: borrowing RoundMarks) -> [Face] {
        var found = patterns(on: sheet)
        let common = Self.commonSide(found)
        if let common { found = found.filter { (0.6...1.6).contains($0.side / common) } }
        found += marks.indices.compactMap { one($0, side: common, on: sheet) }
        return Self.keptApart(found.filter { $0.confidence >= Self.leastConfidence }, side: common ?? 0)
    }

    /// Two and more pips, every way to see them as a face.
    private func patterns(on sheet: borrowing RoundMarks) -> [Face] {
        var found: [Face] = []
        for (index, first) in marks.enumerated() {
            for other in marks.indices.dropFirst(index + 1) where isLike(first, marks[other]) {
                guard let face = face(diagonal: index, other, on: sheet) else { continue }
                let isKnown = found.contains {
                    ($0.centre - face.centre).length < 0.1 * face.side && $0.value == face.value
                }
                if !isKnown { found.append(face) }
            }
        }
        return found
    }

    private func isLike(_ a: RoundMark, _ b: RoundMark) -> Bool {
        a.isDark == b.isDark && (0.6...1.67).contains(a.radius / b.radius) && Self.difference(a.around, b.around) < 60
            && Self.difference(a.inside, b.inside) < 90
    }

    /// The face whose corner pips these two are; nil where what lies between is no pattern of a die.
    private func face(diagonal first: Int, _ second: Int, on sheet: borrowing RoundMarks) -> Face? {
        let (a, b) = (marks[first], marks[second])
        let half = (b.at - a.at) * 0.5
        let step = half.length / 2.0.squareRoot()
        guard Self.stepOverRadius.contains(step / ((a.radius + b.radius) / 2)) else { return nil }
        let centre = (a.at + b.at) * 0.5
        let near = marks.indices.filter { isLike(marks[$0], a) && (marks[$0].at - centre).length < 3.2 * step }
        // The other two corners, where there are any, say how the face is squeezed by perspective.
        let across = Point(-half.y, half.x)
        let left = nearest(to: centre + across, among: near, within: 0.75 * step)
        let right = nearest(to: centre - across, among: near, within: 0.75 * step)
        let pattern: Pattern
        if let left, let right, (marks[left].at + marks[right].at - centre * 2).length < 0.9 * step {
            pattern = Pattern(corners: [marks[first].at, marks[right].at, marks[second].at, marks[left].at])
        } else {
            pattern = Pattern(corners: [a.at, centre - across, b.at, centre + across])
        }
        var places: [Int: Int] = [:]
        var offsets: [Double] = []
        for index in near {
            let at = pattern.place(of: marks[index].at)
            let (column, row) = (at.x.rounded(), at.y.rounded())
            let distance = hypot(at.x - column, at.y - row)
            // What lies beside the nine places says that these are not one face.
            guard distance < Self.play, abs(column) < 1.5, abs(row) < 1.5 else {
                if abs(at.x) < 1.45, abs(at.y) < 1.45 { return nil }
                continue
            }
            let place = Int(row + 1) * 3 + Int(column + 1)
            guard places.updateValue(index, forKey: place) == nil else { return nil }
            offsets.append(distance)
        }
        guard let value = Self.value(of: Set(places.keys)) else { return nil }
        let pips = places.values.map { marks[$0] }
        let roundness = pips.map(\.roundness).reduce(0, +) / Double(pips.count)
        let colour = (0..<3).map { channel in UInt8(Self.median(pips.map { Double($0.around[channel]) })) }
        guard pips.allSatisfy({ Self.difference($0.around, colour) < 55 }) else { return nil }
        let contrast = Self.median(pips.map(\.contrast))
        let side = pattern.step / Self.step
        guard side > leastSide else { return nil }
        guard let (reach, body, cut) = ends(of: colour, at: centre, side: side, contrast: contrast, over: pips, sheet),
            body > 0.45, cut < 0.25
        else { return nil }
        // A pip as round and as large that is seen from the middle over even ground belongs to the same face.
        let alike = near.contains { index in
            let off = marks[index].at - centre
            let ray =
                Int((atan2(off.y, off.x) / (2 * .pi) * Double(Self.rays)).rounded() + Double(Self.rays)) % Self.rays
            return !places.values.contains(index) && off.length < 0.82 * side
                && marks[index].roundness > 0.85 * roundness
                && (0.8...1.25).contains(marks[index].radius / pips[0].radius)
                && reach[ray] > off.length - marks[index].radius
        }
        guard value > 3 || !alike else { return nil }
        let residual = Self.median(offsets.sorted().suffix(max(1, offsets.count - 2))) * Self.step
        let spread = (pips.map(\.radius).max() ?? 1) / (pips.map(\.radius).min() ?? 1)
        let square = Self.squareness(reach, side: side, angle: pattern.angle)
        let needed = value <= 3 ? 0.5 : 0.38
        guard square > needed, value > 3 || strays(Set(places.values), about: centre, side: side) == 0,
            pips.map(\.contrast).min() ?? 0 > 0.55 * contrast, contrast > 32
        else { return nil }
        let confidence =
            min(1, body / 0.75) * min(1, (square - needed) / 0.15 + 0.5) * exp(-pow(residual / 0.09, 2))
            * min(1, roundness / 0.8) * pattern.squareness
            * exp(-pow(max(0, spread - 1.15) / 0.6, 2)) * (1 - cut)
        return Face(
            value: value, pips: Set(places.values), centre: centre, side: side, angle: pattern.angle,
            residual: residual,
            body: body, roundness: roundness, colour: colour, confidence: confidence)
    }

    /// How far the face's colour lasts about its middle, in what share of directions it ends where a face does, and in what share
    /// too early. A shaded face wants more tolerance than a white one on a white table; the better answer is taken.
    private func ends(
        of colour: [UInt8], at centre: Point, side: Double, contrast: Double, over pips: [RoundMark],
        _ sheet: borrowing RoundMarks
    ) -> (reach: [Double], body: Double, cut: Double)? {
        var best: (reach: [Double], body: Double, cut: Double)?
        for part in [0.18, 0.3] {
            let reach = sheet.reach(
                from: centre, colour: colour, tolerance: max(14, part * contrast), most: 2 * side, over: pips,
                rays: Self.rays)
            guard reach.count == Self.rays else { return nil }
            let body = Self.share(of: reach, in: 0.34 * side...0.95 * side)
            let cut = Self.share(of: reach, in: 0...0.28 * side)
            if best.map({ body - cut > $0.body - $0.cut }) ?? true { best = (reach, body, cut) }
        }
        return best
    }

    private func nearest(to at: Point, among indices: [Int], within limit: Double) -> Int? {
        let best = indices.min { (marks[$0].at - at).length < (marks[$1].at - at).length }
        return best.flatMap { (marks[$0].at - at).length < limit ? $0 : nil }
    }

    /// The nine places of a face whose four corner places are known: corners on ±1, clockwise from the top left.
    private struct Pattern {
        let centre: Point
        /// From one place to the next in a row and in a column, pixels.
        let across: Point
        let down: Point

        init(corners: [Point]) {
            centre = corners.reduce(Point(0, 0), +) * 0.25
            across = (corners[1] + corners[2] - corners[0] - corners[3]) * 0.25
            down = (corners[2] + corners[3] - corners[0] - corners[1]) * 0.25
        }

        /// Columns to the right and rows down of the middle.
        func place(of point: Point) -> Point {
            let off = point - centre
            let turn = across.cross(down)
            return Point(off.cross(down) / turn, across.cross(off) / turn)
        }

        var step: Double { abs(across.cross(down)).squareRoot() }
        /// Of the unturned face's upper edge, with half of the error that the left edge shows.
        var angle: Double {
            let one = atan2(across.y, across.x)
            let other = atan2(-down.x, down.y)
            return one + remainder(other - one, 2 * .pi) / 2
        }
        /// 1 for a square, less where it is squeezed or slanted as the side of a die is.
        var squareness: Double {
            let ratio = across.length / max(1e-9, down.length)
            let slant = across.dot(down) / max(1e-9, across.length * down.length)
            return exp(-pow(log(ratio) / 0.45, 2) - pow(slant / 0.45, 2))
        }
    }

    /// A pip in the middle of a face, by itself.
    private func one(_ index: Int, side known: Double?, on sheet: borrowing RoundMarks) -> Face? {
        let mark = marks[index]
        let most = known.map { 1.6 * $0 } ?? 14 * mark.radius
        let near = marks.filter { ($0.at - mark.at).length < most }
        let reach = sheet.reach(
            from: mark.at, colour: mark.around, tolerance: max(14, 0.2 * mark.contrast), most: most, over: [mark],
            rays: Self.rays)
        guard reach.count == Self.rays else { return nil }
        let sorted = reach.sorted()
        // A face reaches from its middle to its edge, and half as far again to its corners.
        let (least, usual) = (sorted[Self.rays / 5], sorted[Self.rays / 2])
        let side = known ?? usual / 0.56
        guard side > leastSide, (5.2...14).contains(side / mark.radius), least > 0.3 * side else { return nil }
        let body = Self.share(of: reach, in: 0.36 * side...0.85 * side)
        guard body > 0.6 else { return nil }
        // No other pip on the face.
        guard
            !near.contains(where: {
                let distance = ($0.at - mark.at).length
                return distance > 0 && distance < 0.48 * side && isLike($0, mark)
            })
        else { return nil }
        let centre = Self.middle(of: reach, about: mark.at, below: 0.9 * side)
        let off = (centre - mark.at).length / side
        guard off < 0.2 else { return nil }
        let square = Self.squareness(reach, side: side, angle: nil)
        guard square > 0.6, strays([index], about: mark.at, side: side) == 0, mark.contrast > 40 else { return nil }
        let evenness = exp(-pow(max(0, log(sorted[Self.rays * 4 / 5] / max(1, least)) - 0.3) / 0.5, 2))
        let confidence =
            min(1, body / 0.85) * min(1, (square - 0.6) / 0.15 + 0.5) * min(1, mark.roundness / 0.8)
            * exp(-pow(off / 0.2, 2)) * evenness
            * exp(-pow(mark.misfit / 0.1, 2)) * (known == nil ? 0.8 : 1)
        return Face(
            value: 1, pips: [index], centre: mark.at, side: side, angle: Self.squareAngle(reach), residual: off / 2,
            body: body,
            roundness: mark.roundness, colour: mark.around, confidence: confidence)
    }

    /// The value whose pips lie on these of the nine places, numbered row by row.
    private static func value(of places: Set<Int>) -> Int? {
        switch places {
        case [0, 8]: 2
        case [0, 4, 8]: 3
        case [0, 2, 6, 8]: 4
        case [0, 2, 4, 6, 8]: 5
        case [0, 2, 3, 5, 6, 8], [0, 1, 2, 6, 7, 8]: 6
        default: nil
        }
    }

    /// The edge that most patterns of three and more pips have.
    private static func commonSide(_ faces: [Face]) -> Double? {
        let sides = faces.filter { $0.value >= 3 && $0.confidence > 0.5 }.map(\.side)
        return sides.isEmpty ? nil : median(sides)
    }

    /// The surest first; the faces of one die lie nearer than two dice can.
    private static func keptApart(_ faces: [Face], side: Double) -> [Face] {
        // Part of a pattern is often another pattern.
        let whole = faces.filter { face in
            !faces.contains { $0.pips.isStrictSuperset(of: face.pips) && $0.confidence > 0.5 * face.confidence }
        }
        var kept: [Face] = []
        func worth(_ face: Face) -> Double { face.confidence * face.roundness * (1 + 0.05 * Double(face.value)) }
        for face in whole.sorted(by: { worth($0) > worth($1) })
        where !kept.contains(where: { ($0.centre - face.centre).length < 0.88 * max($0.side, face.side, side) }) {
            kept.append(face)
        }
        return kept
    }

    /// The middle of what the rays enclose.
    private static func middle(of reach: [Double], about at: Point, below limit: Double) -> Point {
        var sum = Point(0, 0)
        for (index, distance) in reach.enumerated() {
            let turn = 2 * Double.pi * Double(index) / Double(reach.count)
            sum = sum + Point(cos(turn), sin(turn)) * min(distance, limit)
        }
        return at + sum * (1 / Double(reach.count))
    }

    /// Corners are farther than edges: the phase of the fourth harmonic of the reach.
    private static func squareAngle(_ reach: [Double]) -> Double {
        var (even, odd) = (0.0, 0.0)
        for (index, distance) in reach.enumerated() {
            let turn = 8 * Double.pi * Double(index) / Double(reach.count)
            even += distance * cos(turn)
            odd += distance * sin(turn)
        }
        return atan2(odd, even) / 4 - .pi / 4
    }

    /// Share of directions in which what the rays measured ends where the edge of a square does: of about the side that the pips
    /// tell, turned as they are, or any way where there is but one. Grain and print end anywhere.
    private static func squareness(_ reach: [Double], side: Double, angle: Double?) -> Double {
        var best = 0
        let angles = angle.map { [$0] } ?? (0..<6).map { Double($0) * .pi / 12 }
        for angle in angles {
            for part in stride(from: 0.8, through: 1.36, by: 0.07) {
                let half = part * side / 2
                let fitting = reach.indices.count { index in
                    let turn = 2 * Double.pi * Double(index) / Double(reach.count) - angle
                    return abs(reach[index] - half / max(abs(cos(turn)), abs(sin(turn)))) < 0.09 * side
                }
                best = max(best, fitting)
            }
        }
        return Double(best) / Double(max(1, reach.count))
    }

    /// Round marks of any like size on a face that are none of its pips: none on a die, many in grain and print.
    private func strays(_ pips: Set<Int>, about centre: Point, side: Double) -> Int {
        let radius = pips.map { marks[$0].radius }.reduce(0, +) / Double(max(1, pips.count))
        return marks.indices.count { index in
            !pips.contains(index) && (marks[index].at - centre).length < 0.6 * side && marks[index].roundness > 0.7
                && (0.45...2.2).contains(marks[index].radius / radius)
        }
    }

    private static func share(of values: [Double], in range: ClosedRange<Double>) -> Double {
        values.isEmpty ? 0 : Double(values.count { range.contains($0) }) / Double(values.count)
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }

    private static func difference(_ a: [UInt8], _ b: [UInt8]) -> Int {
        zip(a, b).map { abs(Int($0) - Int($1)) }.max() ?? 0
    }
}
