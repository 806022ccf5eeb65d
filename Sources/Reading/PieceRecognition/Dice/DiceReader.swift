import Foundation
import Core

/// Reads the top faces of dice of any size.
///
/// A face is a pattern of pips on a foreshortened 3×3 lattice, on a uniform background that ends around it.
struct DiceReader {
    /// Spacing of the lattice divided by the radius of a pip.
    private static let stepOverRadius = 1.65...4.8
    /// Maximum distance of a pip from its lattice point, relative to the spacing.
    private static let maxOffset = 0.4
    /// Spacing of the lattice relative to the edge: .25 to .29 on common dice.
    static let step = 0.27
    /// Minimum edge of a die, relative to the photo's longer side. Smaller patterns are print or grain.
    private static let smallest = 0.015
    /// Minimum edge, pixels. Pips are not visible on a smaller die.
    private static let minPixels = 14.0
    /// Minimum confidence of a reported face.
    private static let minConfidence = 0.5
    /// The same in a photo without a certain die.
    private static let minConfidenceAlone = 0.55
    /// The same for a face with too few visible sides.
    private static let minModelConfidenceAlone = 0.7

    /// Minimum body score of a face with visible sides.
    private static let minBody = 0.25
    /// Maximum share of rays within a face that meet an obstacle.
    private static let maxCut = 0.2
    /// The same for a face that the model accepts. Marbled dice have veins.
    private static let maxCutModel = 0.65

    /// Roundness of a face seen at 37°. A more oblique face must show its edges.
    private static let minRoundness = 0.8

    private let pips: [Pip]
    /// For each pip, those that may be on the same face.
    private let neighbours: [[Int]]
    private let minSide: Double
    private let model: DieFaceModel?

    /// - Parameters:
    ///   - longSide: Longer side of the photo, pixels.
    ///   - model: Rates faces whose sides are hardly visible. Without it they are omitted.
    init(_ image: borrowing PreparedPipImage, longSide: Int, model: DieFaceModel?) throws(PictureFailure) {
        self.model = model
        let pips = try image.pips()
        self.pips = pips
        minSide = max(Self.minPixels, Self.smallest * Double(longSide))
        neighbours = pips.indices.map { index in
            pips.indices.filter { other in
                other != index && (pips[other].at - pips[index].at).length < 20 * pips[index].radius
                    && pips[index].isLike(pips[other])
            }
        }
    }

    /// The top faces, none nearer to another than dice can be.
    func faces(on image: borrowing PreparedPipImage) throws(PictureFailure) -> [DieFace] {
        var found = try patterns(on: image)
        let isolations = found.map { face in isolation(of: face, among: found) }
        for index in found.indices {
            // On striped cloth a confident die stays, if nothing else contradicts it.
            found[index].confidence *= max(isolations[index], found[index].confidence > 0.93 ? 0.7 : 0)
        }
        let neighbourSupport = DiceNeighbourSupport(of: found)
        for index in found.indices { found[index].confidence = neighbourSupport.confidence(of: found[index]) }
        found.removeAll { $0.confidence < 0.3 }
        let single = SinglePipReader(
            pips: pips, neighbours: neighbours, minSide: minSide, others: found, model: model)
        for index in pips.indices {
            if let face = try single.face(index, on: image) { found.append(face) }
        }
        let hasCertainFace = found.contains { $0.confidence > 0.85 }
        return TopFaces.chosen(
            from: found.filter { face in
                face.confidence
                    >= (hasCertainFace
                        ? Self.minConfidence
                        : face.isAcceptedByModel ? Self.minModelConfidenceAlone : Self.minConfidenceAlone)
            })
    }

    /// All interpretations of two or more pips as a face.
    private func patterns(on image: borrowing PreparedPipImage) throws(PictureFailure) -> [DieFace] {
        var found: [DieFace] = []
        var tried: Set<Set<Int>> = []
        for first in pips.indices {
            for second in neighbours[first] where second > first {
                let reach = (pips[first].at - pips[second].at).length / 2
                let ratio = reach / 2.0.squareRoot() / ((pips[first].radius + pips[second].radius) / 2)
                guard ratio > 0.7 * Self.stepOverRadius.lowerBound, ratio < 1.4 * Self.stepOverRadius.upperBound
                else { continue }
                for lattice in lattices(first, second) {
                    guard let (places, residual) = pattern(lattice, around: first) else { continue }
                    // Four corners are found twice, once for each diagonal.
                    if places.count > 3, !tried.insert(Set(places.values)).inserted { continue }
                    if let face = try face(lattice, places, residual, on: image) { found.append(face) }
                }
            }
        }
        return found
    }

    /// Candidate lattices with these two pips in opposite corners.
    private func lattices(_ first: Int, _ second: Int) -> [PipLattice] {
        let (a, b) = (pips[first], pips[second])
        let centre = (a.at + b.at) * 0.5
        let half = (b.at - a.at) * 0.5
        var found: [PipLattice] = []
        for left in neighbours[first] where left != second {
            let off = pips[left].at - centre
            let ratio = off.length / half.length
            // One orientation of the two is enough.
            guard (0.45...2.2).contains(ratio), half.cross(off) < -0.5 * half.length * off.length else { continue }
            let opposite = centre * 2 - pips[left].at
            guard let right = neighbours[first].min(by: { distance($0, opposite) < distance($1, opposite) }),
                right != left, right != second, distance(right, opposite) < 0.32 * min(half.length, off.length)
            else { continue }
            found.append(PipLattice(corners: [a.at, pips[left].at, b.at, pips[right].at]))
        }
        let own = Foreshortening.mean([a.shape, b.shape])
        found.append(PipLattice(corner: a.at, opposite: b.at, seen: own))
        if own.roundness < 0.9 { found.append(PipLattice(corner: a.at, opposite: b.at, seen: .none)) }
        return found
    }

    private func distance(_ index: Int, _ point: Point) -> Double { (pips[index].at - point).length }

    /// The lattice points of the pips, and their median distance from them in steps. Nil if it is not a pattern of a
    /// die.
    private func pattern(_ lattice: PipLattice, around first: Int) -> (places: [Int: Int], residual: Double)? {
        let mean = pips[first].radius
        guard Self.stepOverRadius.contains(lattice.step / mean), lattice.step / Self.step > minSide else {
            return nil
        }
        var places: [Int: Int] = [:]
        var offsets: [Double] = []
        for index in neighbours[first] + [first] {
            let at = lattice.place(of: pips[index].at)
            guard abs(at.x) < 1.6, abs(at.y) < 1.6 else { continue }
            let (column, row) = (at.x.rounded(), at.y.rounded())
            let distance = hypot(at.x - column, at.y - row)
            // A pip beside the nine lattice points is evidence against one face.
            guard distance < Self.maxOffset, abs(column) < 1.5, abs(row) < 1.5 else {
                if abs(at.x) < 1.45, abs(at.y) < 1.45 { return nil }
                continue
            }
            let place = Int(row + 1) * 3 + Int(column + 1)
            guard places.updateValue(index, forKey: place) == nil else { return nil }
            offsets.append(distance)
        }
        // One pip of a six may be undetected, and one of a four if the model accepts the face.
        guard
            places.count >= 4 || PipLattice.value(of: Set(places.keys)) != nil
                || (model != nil && places.count == 3 && places.keys.allSatisfy { [0, 2, 6, 8].contains($0) })
        else { return nil }
        return (places, offsets.median ?? 0)
    }

    private func face(
        _ lattice: PipLattice, _ places: [Int: Int], _ residual: Double, on image: borrowing PreparedPipImage
    ) throws(PictureFailure) -> DieFace? {
        let own = places.values.sorted().map { pips[$0] }
        let count = Double(own.count)
        let colour = own.reduce(SIMD3<Int32>(0, 0, 0)) { $0 &+ $1.around } / Int32(own.count)
        guard own.allSatisfy({ Pip.difference($0.around, colour) < 50 }) else { return nil }
        let contrast = own.reduce(0) { $0 + $1.contrast } / count
        guard contrast > 30, own.allSatisfy({ $0.contrast > 0.55 * contrast }) else { return nil }
        guard let value = value(places, on: lattice, colour: colour, image) else { return nil }
        let seen = Foreshortening.mean(own.map(\.shape))
        let sizes = own.map(\.radius)
        let spread = (sizes.max() ?? 1) / (sizes.min() ?? 1)
        guard let foreshortening = Self.foreshorteningAgreement(lattice, seen, isOblong: value == 6) else { return nil }
        let edges = try FaceEdges(of: lattice, colour: colour, contrast: contrast, over: own, on: image)
        let (body, cut) = (edges.body, edges.cut)
        let square = edges.squareness(isOblong: value == 6)
        guard extraSpots(places, lattice) == 0, !isPart(places, lattice, edges, seen) else { return nil }
        // Visibility of the pips, and their distance from the lattice points.
        let clear = min(1, (contrast - 15) / 35) * exp(-pow(residual / 0.3, 2))
        let besides =
            clear * foreshortening * exp(-pow(max(0, (value <= 3 ? 0.82 : 0.78) - seen.roundness) / 0.15, 2))
            * exp(-pow(max(0, spread - 1.2) / 0.6, 2)) * (1 - 2 * cut)
        let needed = value <= 3 ? 0.5 : 0.4
        let isGuessed = places.count == 3 && value > 3
        let bySides =
            body > needed && !isGuessed && cut < Self.maxCut
            ? min(1, (value <= 3 ? 0.4 : 0.55) + (body - needed) / 0.6) * besides * square
                * min(1, edges.change / 0.3 + 0.3)
            : 0
        let ink = own.reduce(SIMD3<Int32>(0, 0, 0)) { $0 &+ $1.inside } / Int32(own.count)
        var confidence = bySides
        if confidence < DieFaceModel.maxConfidence, cut < Self.maxCutModel,
            let learned = try model?.confidence(of: value, on: lattice, colour: colour, ink: ink, body: body, image)
        {
            // A side face looks like a face, but foreshortened.
            let upright = exp(-pow(max(0, Self.minRoundness - Self.roundness(lattice, seen, value)) / 0.12, 2))
            confidence = max(confidence, learned * clear * upright)
        }
        // Similar dice may support a face whose sides are hardly visible.
        guard confidence > 0 || (body > Self.minBody && cut < Self.maxCut) else { return nil }
        return DieFace(
            value: value, pips: Set(places.values), corners: Self.corners(lattice, edges, isOblong: value == 6),
            angle: lattice.angle, residual: residual * Self.step, seen: seen, colour: colour,
            appearance: .init(
                ink: ink, radius: sizes.reduce(0, +) / count, step: lattice.step, body: body,
                besides: cut < Self.maxCut && !isGuessed ? besides : 0),
            isAcceptedByModel: confidence > bySides, confidence: confidence)
    }

    /// The face's value. A lattice point without a pip must be bare, or contain ink that was not detected as a pip.
    private func value(
        _ places: [Int: Int], on lattice: PipLattice, colour: SIMD3<Int32>, _ image: borrowing PreparedPipImage
    ) -> Int? {
        let inks = places.values.sorted().map { pips[$0].inside }
        let ink = inks.reduce(SIMD3<Int32>(0, 0, 0), &+) / Int32(inks.count)
        let contrast = Pip.difference(ink, colour)
        var filled: Set<Int> = Set(places.keys)
        for place in 0..<9 where places[place] == nil {
            let (column, row) = (Double(place % 3 - 1), Double(place / 3 - 1))
            let spots = [(0.0, 0.0), (-0.12, 0), (0.12, 0), (0, -0.12), (0, 0.12)].map {
                lattice.point(column + $0.0, row + $0.1)
            }
            guard let found = image.colour(at: spots, side: lattice.step / Self.step) else { return nil }
            if 10 * Pip.difference(found, colour) > 6 * contrast,
                Pip.difference(found, ink) < Pip.difference(found, colour)
            {
                filled.insert(place)
            }
        }
        guard 2 * (filled.count - places.count) <= places.count else { return nil }
        return PipLattice.value(of: filled)
    }

    /// Roundness of the face. Corners determine it better than pips. The rows of a six may be close, and two or three
    /// pips in a row do not determine it.
    private static func roundness(_ lattice: PipLattice, _ seen: Foreshortening, _ value: Int) -> Double {
        let places = lattice.foreshortening.roundness
        return switch value {
        case 2, 3: min(places, seen.roundness)
        case 6: max(places, seen.roundness)
        default: places
        }
    }

    /// Agreement 0…1 between the foreshortening of the lattice and of the pips. Nil if they contradict each other.
    private static func foreshorteningAgreement(_ lattice: PipLattice, _ seen: Foreshortening, isOblong: Bool)
        -> Double?
    {
        let (across, down) = (seen.flat(lattice.across), seen.flat(lattice.down))
        let slant = across.dot(down) / (across.length * down.length)
        // The rows of a six are as far apart as its columns, or closer.
        let stretch = abs(log(across.length / down.length)) - (isOblong ? 0.35 : 0)
        guard abs(slant) < 0.4, stretch < 0.6 else { return nil }
        return exp(-pow(max(0, abs(slant) - 0.08) / 0.22, 2) - pow(max(0, stretch - 0.12) / 0.35, 2))
    }

    /// The detected sides; a missing side is placed as on a common die.
    private static func corners(_ lattice: PipLattice, _ edges: FaceEdges, isOblong: Bool) -> [Point] {
        let usual = 0.5 / step
        let d = edges.distances.map { min($0 ?? usual, 1.15 * usual) }
        return [
            lattice.point(-d[1], -d[3]), lattice.point(d[0], -d[3]), lattice.point(d[0], d[2]),
            lattice.point(-d[1], d[2]),
        ]
    }

    /// True if another pip of equal roundness lies on the face beside the pattern. Part of a six looks like a four.
    private func isPart(_ places: [Int: Int], _ lattice: PipLattice, _ edges: FaceEdges, _ seen: Foreshortening) -> Bool
    {
        guard let first = places.values.min() else { return false }
        let own = Set(places.values)
        return neighbours[first].contains { index in
            !own.contains(index) && pips[index].roundness > 0.8 * seen.roundness
                && (0.75...1.33).contains(pips[index].radius / pips[first].radius)
                && edges.contains(lattice.place(of: pips[index].at))
        }
    }

    /// 1 if few similar spots surround the face outside other faces; lower in print and cloth.
    private func isolation(of face: DieFace, among faces: [DieFace]) -> Double {
        guard let first = face.pips.min() else { return 0 }
        let near = faces.filter { $0.confidence > 0.3 && ($0.centre - face.centre).length < 5 * face.side }
        let count = neighbours[first].count { index in
            let distance = (pips[index].at - face.centre).length
            return distance > 0.8 * face.side && distance < 3 * face.side
                && !near.contains { $0.pips.contains(index) || (pips[index].at - $0.centre).length < 1.1 * $0.side }
        }
        return exp(-pow(max(0, Double(count) - (face.value <= 3 ? 5 : 8)) / 6, 2))
    }

    /// Number of round spots on the face that are not its pips: none on a die, many in grain and print.
    private func extraSpots(_ places: [Int: Int], _ lattice: PipLattice) -> Int {
        guard let first = places.values.min() else { return 0 }
        let own = Set(places.values)
        let radius = places.values.sorted().reduce(0) { $0 + pips[$1].radius } / Double(places.count)
        return pips.indices.count { index in
            guard !own.contains(index), (0.6...1.7).contains(pips[index].radius / radius),
                pips[index].contrast > 0.4 * pips[first].contrast
            else { return false }
            let at = lattice.place(of: pips[index].at)
            // A corner of the face may look like a light spot.
            guard max(abs(at.x), abs(at.y)) < (pips[index].isDark == pips[first].isDark ? 1.5 : 1.1) else {
                return false
            }
            // A glint on a pip does not count.
            return !own.contains {
                (pips[$0].at - pips[index].at).length < 1.1 * max(pips[$0].radius, pips[index].radius)
            }
        }
    }
}
