import Foundation
import Core

/// Detects faces with one pip. The area around the pip must be the square face of a die.
struct SinglePipReader {
    let pips: [Pip]
    let neighbours: [[Int]]
    let minSide: Double
    /// Faces of more pips in the same photo.
    let others: [DieFace]
    let model: DieFaceModel?

    private static let rays = 40
    /// Edge of a die divided by the radius of its pip. Some dice have a one twice as large as others.
    private static let sideOverRadius = 4.3...13.5

    func face(_ index: Int, on image: borrowing PreparedPipImage) throws(PictureFailure) -> DieFace? {
        let pip = pips[index]
        guard pip.contrast > 36, pip.roundness > 0.6, pip.unevenness < 0.28 * pip.contrast, pip.misfit < 0.08
        else { return nil }
        var best: DieFace?
        for seen in pip.roundness < 0.9 ? [pip.shape, .none] : [Foreshortening.none] {
            for part in [0.14, 0.24, 0.38] {
                guard
                    let face = try face(index, seen: seen, tolerance: max(12, part * pip.contrast), on: image)
                else { continue }
                if face.confidence > best?.confidence ?? 0 { best = face }
            }
        }
        guard best?.confidence ?? 0 < Self.minRayConfidence, let like = try faceLikeOthers(index, on: image) else {
            return best
        }
        return like.confidence > best?.confidence ?? 0 ? like : best
    }

    /// Results by rays above this confidence are not checked with the model.
    private static let minRayConfidence = 0.55
    /// Minimum log odds of a one that only the model accepts. It is higher than for other faces, because dots are
    /// common.
    private static let minOdds = 0.7
    /// Number of rotations of a square that are tried.
    private static let turns = 6

    /// A one whose sides are hardly visible, beside confident dice of similar appearance. Its size and foreshortening
    /// are taken from them.
    private func faceLikeOthers(
        _ index: Int, on image: borrowing PreparedPipImage
    ) throws(PictureFailure) -> DieFace? {
        guard let model else { return nil }
        let pip = pips[index]
        let like = others.filter { other in
            guard other.confidence > 0.7, let appearance = other.appearance else { return false }
            return (0.75...2).contains(pip.radius / appearance.radius) && Pip.difference(other.colour, pip.around) < 60
                && (Pip.difference(appearance.ink, pip.inside) < 60 || pip.colourfulness > 60)
        }
        guard !like.isEmpty, !others.contains(where: { $0.confidence > 0.5 && covers($0, pip) }) else { return nil }
        var best: DieFace?
        var sizes: [Double] = []
        for other in like.sorted(by: { $0.confidence > $1.confidence }) {
            guard let step = other.appearance?.step, !sizes.contains(where: { (0.9...1.1).contains($0 / step) }) else {
                continue
            }
            sizes.append(step)
            let half = step / DiceReader.step / 2
            guard extraSpots(index, seen: other.seen, half: half) == 0,
                !isOneOfMore(index, seen: other.seen, half: half),
                !hasMoreInk(pip, seen: other.seen, half: half, on: image)
            else { continue }
            for turn in 0..<Self.turns {
                let angle = Double(turn) * .pi / 2 / Double(Self.turns)
                let lattice = PipLattice(centre: pip.at, step: step, angle: angle, seen: other.seen)
                let odds = try model.odds(of: lattice, colour: pip.around, ink: pip.inside, on: image)
                guard odds > Self.minOdds else { continue }
                let confidence = model.confidence(ofOdds: odds)
                guard confidence > best?.confidence ?? 0 else { continue }
                let end = 0.5 / DiceReader.step
                best = DieFace(
                    value: 1, pips: [index],
                    corners: Outline.square(about: Point(0, 0), half: end).map { lattice.point($0.x, $0.y) },
                    angle: angle, residual: 0, seen: other.seen, colour: pip.around, confidence: confidence)
            }
        }
        return best
    }

    /// True if a pip lies on a face, or too near to belong to another die.
    private func covers(_ face: DieFace, _ pip: Pip) -> Bool {
        (face.centre - pip.at).length < 0.75 * face.side || Outline.contains(face.corners, pip.at)
    }

    private func face(
        _ index: Int, seen: Foreshortening, tolerance: Double, on image: borrowing PreparedPipImage
    ) throws(PictureFailure) -> DieFace? {
        let pip = pips[index]
        let ways = (0..<Self.rays).map { index in
            let turn = 2 * Double.pi * Double(index) / Double(Self.rays)
            return seen.seen(Point(cos(turn), sin(turn)))
        }
        let ends = try image.ends(
            of: ways.map { .init(from: pip.at, way: $0 * (1 / $0.length), most: 13 * pip.radius * $0.length) },
            colour: pip.around, tolerance: tolerance, side: 8 * pip.radius, over: [pip])
        // Pixels of the plane seen from above.
        let reach = zip(ends, ways).map { $0.distance / $1.length }
        let sorted = reach.sorted()
        guard sorted[Self.rays - 9] < 2.4 * sorted[3], sorted[Self.rays / 2] > 1.8 * pip.radius else { return nil }
        let fit = Self.square(reach)
        guard fit.share > 0.55, fit.side * 1.15 > minSide, Self.sideOverRadius.contains(fit.side / pip.radius)
        else { return nil }
        let half = fit.side / 2
        guard reach.allSatisfy({ $0 > 0.55 * half }) else { return nil }
        let centre = Self.middle(of: reach, below: 1.6 * half)
        let off = centre.length / fit.side
        guard off < 0.17 else { return nil }
        let change = zip(ends, fit.fits).filter { $1 }.map(\.0.change).median ?? 0
        guard extraSpots(index, seen: seen, half: half) == 0, !hasMoreInk(pip, seen: seen, half: half, on: image)
        else { return nil }
        guard !isOneOfMore(index, seen: seen, half: half) else { return nil }
        // On a face with another, uncertain pip, a one is rejected unless its square is complete.
        guard fit.share > 0.8 || !others.contains(where: { $0.pips.contains(index) }) else { return nil }
        let neighbourSupport = neighbourSupport(of: pip, side: fit.side)
        let isCovered = fit.share > 0.75 && hasMatchingFace(pip, side: fit.side)
        // Print is uneven around its dots and distorts them. Dots in cloth have many similar ones around them.
        let evenness = exp(-pow(max(0, pip.unevenness / pip.contrast - 0.04) / 0.12, 2))
        // With the foreshortening of certain faces nearby, it need not be round.
        let matchesOthers = others.contains { $0.confidence > 0.7 && $0.seen.difference(from: pip.shape) < 0.25 }
        let roundness = matchesOthers ? 1 : exp(-pow(max(0, 0.84 - pip.roundness) / 0.16, 2))
        // On print and striped cloth, a complete square like others in the photo is still a die.
        let isolation = max(
            exp(-pow(max(0, Double(clutter(about: pip, side: fit.side)) - 8) / 6, 2)), isCovered ? 0.7 : 0)
        // Only coloured single pips are large.
        let size =
            (fit.side / pip.radius > 6.6 || pip.colourfulness > 60 ? 1 : 0.5) * exp(-pow(max(0, 24 - fit.side) / 14, 2))
        let confidence =
            min(1, 0.45 + (fit.share - 0.55) / 0.4) * min(1, (pip.contrast - 20) / 40) * exp(-pow(off / 0.16, 2))
            * exp(-pow(pip.misfit / 0.08, 2))
            * min(1, change / (0.3 * pip.contrast) + 0.3) * evenness * roundness * isolation * size * neighbourSupport
        let corners = Outline.square(about: Point(0, 0), half: half, angle: fit.angle).map { pip.at + seen.seen($0) }
        return DieFace(
            value: 1, pips: [index], corners: corners, angle: fit.angle, residual: off / 2, seen: pip.shape,
            colour: pip.around, confidence: confidence)
    }

    /// Dice of one throw have the same colour, or at least the same size.
    private func neighbourSupport(of pip: Pip, side: Double) -> Double {
        let certain = others.filter { $0.confidence > 0.5 }
        guard !certain.isEmpty else { return 0.82 }
        let alike = certain.contains { face in
            (0.7...1.4).contains(side / face.side) && Pip.difference(face.colour, pip.around) < 70
        }
        if alike { return 1 }
        // A die of another colour must be at least as large and seen from the same direction.
        return certain.contains {
            $0.confidence > 0.8 && (0.7...1.4).contains(side / $0.side) && $0.seen.difference(from: pip.shape) < 0.3
        } ? 0.85 : 0.7
    }

    /// True if a certain face of the photo has the same colour, size and foreshortening.
    private func hasMatchingFace(_ pip: Pip, side: Double) -> Bool {
        others.contains {
            $0.confidence > 0.85 && (0.75...1.33).contains(side / $0.side)
                && Pip.difference($0.colour, pip.around) < 50 && $0.seen.difference(from: pip.shape) < 0.3
        }
    }

    /// Number of similar spots nearby outside all faces, as in print and cloth.
    private func clutter(about pip: Pip, side: Double) -> Int {
        pips.count { other in
            let distance = (other.at - pip.at).length
            return distance > 0.75 * side && distance < 3.5 * side && other.isDark == pip.isDark
                && (0.4...2.5).contains(other.radius / pip.radius)
                && Pip.difference(other.around, pip.around) < 60
                && !others.contains { $0.confidence > 0.5 && (other.at - $0.centre).length < 1.1 * $0.side }
        }
    }

    /// Number of spots on the face other than its pip.
    private func extraSpots(_ index: Int, seen: Foreshortening, half: Double) -> Int {
        pips.indices.count { other in
            guard other != index, (0.4...2.5).contains(pips[other].radius / pips[index].radius),
                pips[other].contrast > 0.4 * pips[index].contrast
            else { return false }
            let off = pips[other].at - pips[index].at
            return off.length > 1.1 * pips[index].radius && seen.flat(off).length < 0.9 * half
        }
    }

    /// True if a similar pip outside the certain faces is nearer than one of an adjacent die can be. The square may
    /// end between them.
    private func isOneOfMore(_ index: Int, seen: Foreshortening, half: Double) -> Bool {
        let pip = pips[index]
        return neighbours[index].contains { other in
            let one = pips[other]
            return (0.8...1.25).contains(one.radius / pip.radius) && one.shape.difference(from: pip.shape) < 0.25
                && Pip.difference(one.around, pip.around) < 30 && Pip.difference(one.inside, pip.inside) < 50
                && seen.flat(one.at - pip.at).length < 1.75 * half
                && !others.contains { $0.confidence > 0.7 && $0.pips.contains(other) }
        }
    }

    /// True if the face has similar ink elsewhere. It then has more pips, and the others were not detected.
    private func hasMoreInk(_ pip: Pip, seen: Foreshortening, half: Double, on image: borrowing PreparedPipImage)
        -> Bool
    {
        let contrast = Pip.difference(pip.inside, pip.around)
        var inked = 0
        for ring in stride(from: 1.7 * pip.radius, to: Self.inked * half, by: max(1, 0.5 * pip.radius)) {
            // The same spacing along the ring as between rings.
            let count = max(8, Int(2 * Double.pi * ring / max(1, 0.5 * pip.radius)))
            for place in 0..<count {
                let turn = 2 * Double.pi * Double(place) / Double(count)
                let at = pip.at + seen.seen(Point(cos(turn), sin(turn)) * ring)
                guard let found = image.colour(at: [at], side: half) else { continue }
                if 5 * Pip.difference(found, pip.around) > 2 * contrast,
                    Pip.difference(found, pip.inside) < Pip.difference(found, pip.around)
                {
                    inked += 1
                }
            }
        }
        return inked > 1
    }

    /// The face's rim may belong to a side face or a neighbour's shadow.
    private static let inked = 0.85

    /// The square around the centre on which most rays end.
    private static func square(_ reach: [Double]) -> (side: Double, angle: Double, share: Double, fits: [Bool]) {
        let usual = (reach.median ?? 0) / 0.56
        var best = (side: usual, angle: 0.0, share: 0.0, fits: reach.map { _ in false })
        for turn in 0..<9 {
            let angle = Double(turn) * .pi / 18
            let nearer = reach.indices.map { index in
                let off = 2 * Double.pi * Double(index) / Double(reach.count) - angle
                return max(abs(cos(off)), abs(sin(off)))
            }
            for part in stride(from: 0.7, through: 1.25, by: 0.05) {
                let half = part * usual / 2
                let fits = reach.indices.map { index in
                    let edge = half / nearer[index]
                    // Corners are rounded.
                    return reach[index] > min(edge, 1.18 * half) - 0.14 * half && reach[index] < edge + 0.14 * half
                }
                let share = Double(fits.count { $0 }) / Double(reach.count)
                if share > best.share { best = (2 * half, angle, share, fits) }
            }
        }
        return best
    }

    /// Centre of the area enclosed by the rays, relative to their start.
    private static func middle(of reach: [Double], below limit: Double) -> Point {
        var sum = Point(0, 0)
        for (index, distance) in reach.enumerated() {
            let turn = 2 * Double.pi * Double(index) / Double(reach.count)
            sum = sum + Point(cos(turn), sin(turn)) * min(distance, limit)
        }
        return sum * (1 / Double(reach.count))
    }
}
