import Foundation
import Core

/// Detects square and oblong tiles by their outlines, and reads the pips, letter or numeral on each.
struct TileReader {
    let set: PreparedPieceSet

    /// Maximum deviation of the aspect ratio, as a natural logarithm.
    private static let maxStretch = 0.2
    /// Maximum deviation from a right angle, as its cosine.
    private static let maxCosine = 0.3
    /// Maximum deviation from the common scale, as a natural logarithm.
    private static let maxDeviation = 0.2
    /// Ink of lower contrast is grain, 0…255.
    static let minContrast = 32.0
    /// Minimum confidence of a reported face.
    private static let minConfidence = 0.35
    /// Aspect ratio above which a tile has two halves.
    static let oblong = 1.6
    /// A smaller colour step around an enclosed region is grain, 0…255.
    static let minStep = 5.0
    /// Minimum area of a part of a glyph, relative to its largest part: dots of letters reach it.
    private static let minPart = 0.09
    /// Minimum number of segmented tiles that determine the size of the others.
    private static let minTiles = 3

    init(_ set: PreparedPieceSet) {
        self.set = set
    }

    /// A quadrangle that may be a tile.
    private struct Candidate {
        var kind: Int
        var corners: [Point]
        var residual: Double
        var quality: Double
        /// Pixels per millimetre.
        var scale: Double
        var centre: Point
        /// Colour as on a white table in even light, as far as known.
        var rgb: [Double]
        /// True if it was detected by the bar across its middle.
        var hasBar = false
    }

    /// The tiles that somebody laid, and the outlines of others that may be print on a board.
    ///
    /// - Parameter known: Pixels per millimetre, if a board gives it.
    func tiles(in outlines: Outlines, scale known: Double? = nil) throws -> (laid: [FoundTile], unclear: [[Point]]) {
        let all = try tiles(in: outlines, scale: known, outside: [])
        guard barred != nil, let first = try PrintedTrack(all) else { return (all, []) }
        let print = first.members.sorted().map { all[$0] }
        // Laid tiles of another size were outvoted by the print.
        let others = try tiles(in: outlines, scale: known, outside: print.map(\.corners))
        let rest = all.indices.filter { index in
            !first.members.contains(index) && !others.contains { Outline.overlap($0.corners, all[index].corners) }
        }
        let tiles = print + others + rest.map { all[$0] }
        let track = try PrintedTrack(tiles) ?? first
        let unclear = track.members.union(print.indices)
        return (
            tiles.indices.filter { !unclear.contains($0) }.map { tiles[$0] }, unclear.sorted().map { tiles[$0].corners }
        )
    }

    /// - Parameter print: Outlines in which no tile is looked for.
    private func tiles(
        in outlines: Outlines, scale known: Double?, outside print: [[Point]]
    ) throws -> [FoundTile] {
        let raster = outlines.raster
        func free(_ shapes: [Shape]) -> [Candidate] {
            shapes.flatMap { self.candidates(for: $0) }.filter { one in
                !print.contains { Outline.overlap($0, one.corners) }
            }
        }
        var candidates = free(outlines.shapes)
        if set.kinds.contains(where: \.isDisc), let marks = try RoundMarks(raster) {
            candidates += try marks.all().flatMap(discs)
        }
        let faces = Faces(raster)
        let edges = self.barred.map { set.kinds[$0].edges }
        let bars = try edges.map { edges in
            try [BarredTiles.Parameters(), .large].compactMap {
                try BarredTiles(raster, aspect: edges.longer / edges.shorter, outside: print, $0)
            }
        }
        let barred = try withBar(bars, in: faces, scale: known)
        // Halves of two adjacent tiles look like one tile, except for the bar.
        candidates =
            barred
            + (candidates + free(outlines.enclosed)).filter { one in
                !barred.contains { Outline.overlap($0.corners, one.corners) }
            }
        var kept = agreeing(candidates, known: known)
        // Pips are segmented too, and outnumber the tiles. In that case only tiles with a number count.
        let hasPips = set.kinds.contains { if case .pips = $0.face { true } else { false } }
        if hasPips, 2 * (try kept.filter { try reading($0, in: faces) != nil }).count < kept.count {
            kept = agreeing(try candidates.filter { try reading($0, in: faces) != nil }, known: known)
        }
        if barred.isEmpty, let scale = try barScale(kept, in: faces) {
            kept = agreeing(try withBar(bars, in: faces, scale: scale) + kept, known: known)
        }
        return try readTogether(withFaint(kept, in: raster, known: known), in: faces)
    }

    /// The kind that has a bar between two halves.
    private var barred: Int? {
        self.set.kinds.firstIndex { kind in
            if case .pips = kind.face { kind.edges.longer > Self.oblong * kind.edges.shorter } else { false }
        }
    }

    /// Scale estimated from segmented tiles, pixels per millimetre; nil if bars cannot help.
    private func barScale(_ kept: [Candidate], in faces: Faces) throws -> Double? {
        guard barred != nil else { return nil }
        let scales = try kept.filter { try reading($0, in: faces)?.pips?.contains { $0 > 0 } ?? false }.map(\.scale)
        return scales.count > 1 ? scales.median : nil
    }

    /// Oblong tiles detected by their bar.
    private func withBar(_ bars: [BarredTiles]?, in faces: Faces, scale: Double?) throws -> [Candidate] {
        for bars in bars ?? [] {
            for plane in BarredTiles.Plane.allCases {
                let found = try withBar(bars, in: faces, plane: plane, scale: scale)
                if !found.isEmpty { return found }
            }
        }
        return []
    }

    /// Empty if hardly any has pips, as for scratches of a table.
    private func withBar(
        _ bars: BarredTiles, in faces: Faces, plane: BarredTiles.Plane, scale: Double?
    ) throws -> [Candidate] {
        guard let index = barred else { return [] }
        let edges = set.kinds[index].edges
        let found = try bars.tiles(in: plane, side: scale.map { $0 * edges.shorter })
        let read = try found.compactMap { tile -> (candidate: Candidate, tile: BarredTiles.Tile, pips: Int)? in
            // More reliable than an outline, which may belong to two tiles, or to a tile and its shadow.
            let candidate = Candidate(
                kind: index, corners: tile.corners, residual: 0.5,
                quality: 1 + 0.1 * tile.pips + tile.strength / 2550, scale: tile.side / edges.shorter,
                centre: Outline.centroid(tile.corners), rgb: [], hasBar: true)
            guard let reading = try reading(candidate, in: faces), reading.certainty > Self.minConfidence else {
                return nil
            }
            let pips = (reading.pips ?? []).reduce(0, +)
            return tile.standsOut || pips > 0 ? (candidate, tile, pips) : nil
        }
        let proven = read.filter { $0.pips > 0 && $0.tile.pips > 0 }
        guard scale != nil || proven.reduce(0, { $0 + $1.tile.pips }) > 0.5 else { return [] }
        // All bars of a set look alike; a seam between two tiles is fainter.
        let bars = (proven.isEmpty ? read : proven).map(\.tile)
        let usual = bars.map(\.bar).median ?? 1
        let bold = bars.map(\.contrast).quantile(0.75) ?? 0
        let alike = read.filter { one in
            one.tile.contrast > 0.5 * bold && abs(log(one.tile.bar / usual)) < 0.7 * Self.maxDeviation
                && (scale == nil || one.pips > 0)
        }
        return Suppression.best(of: alike, by: { $0.candidate.quality - 3 * abs(log($0.tile.bar / usual)) }) {
            Outline.overlap($0.candidate.corners, $1.candidate.corners)
        }.map(\.candidate)
    }

    /// Adds square tiles with low contrast to the table, detected by their glyphs.
    private func withFaint(
        _ kept: [Candidate], in raster: Raster, known: Double?
    ) throws(PictureFailure) -> [Candidate] {
        guard
            let index = set.kinds.firstIndex(where: { kind in
                if case .glyph = kind.face { kind.edges.longer < 1.2 * kind.edges.shorter } else { false }
            })
        else { return kept }
        let edge = set.kinds[index].area.squareRoot()
        let scale = known ?? (kept.count >= Self.minTiles ? kept.map(\.scale).median : nil)
        // One or two segmented quadrangles may be outlines of letters. They then do not block the search.
        let squares = try FaceSquares.squares(
            in: raster, besides: scale == nil ? [] : kept.map(\.corners), side: scale.map { $0 * edge })
        let faint = squares.map {
            Candidate(
                kind: index, corners: $0.corners, residual: 1, quality: 0.8 * min(1, $0.strength / 4),
                scale: $0.side / edge, centre: Outline.centroid($0.corners), rgb: [])
        }
        guard scale == nil, faint.count > kept.count, let common = faint.map(\.scale).median else {
            return scale == nil ? kept : kept + faint
        }
        return distinct(faint + kept.filter { abs(log($0.scale / common)) < Self.maxDeviation })
    }

    private func candidates(for shape: Shape) -> [Candidate] {
        guard shape.corners.count == 4, Self.isFilled(shape) else { return [] }
        let sides = (0..<4).map { side -> Point in shape.corners[(side + 1) % 4] - shape.corners[side] }
        let slanted = (0..<4).map { side -> Double in
            let (one, next) = (sides[side], sides[(side + 1) % 4])
            return abs(one.dot(next)) / (one.length * next.length)
        }
        guard let worst = slanted.max(), worst < Self.maxCosine else { return [] }
        let across = (sides[0].length + sides[2].length) / 2
        let down = (sides[1].length + sides[3].length) / 2
        return set.kinds.indices.compactMap { index -> Candidate? in
            guard !set.kinds[index].isDisc else { return nil }
            let edges = set.kinds[index].edges
            let stretched = abs(log(max(across, down) / min(across, down) / (edges.longer / edges.shorter)))
            guard stretched < Self.maxStretch else { return nil }
            // An oblong tile lies along its longer edge.
            let corners =
                edges.longer > 1.2 * edges.shorter && down > across
                ? (0..<4).map { shape.corners[($0 + 1) % 4] } : shape.corners
            let area = Outline.area(corners)
            return Candidate(
                kind: index, corners: corners, residual: 0.5,
                quality: shape.fill * exp(-pow(stretched / 0.15, 2)) * (1 - worst),
                scale: (area / set.kinds[index].area).squareRoot(), centre: Outline.centroid(corners), rgb: shape.rgb)
        }
    }

    private func discs(_ mark: RoundMark) -> [Candidate] {
        guard mark.roundness > 0.75, mark.unevenness < 0.3 * mark.contrast else { return [] }
        return set.kinds.indices.filter { set.kinds[$0].isDisc }.map { index in
            Candidate(
                kind: index, corners: Outline.square(about: mark.at, half: mark.radius),
                residual: mark.misfit * mark.radius, quality: mark.roundness * (1 - mark.misfit),
                scale: 2 * mark.radius / set.kinds[index].edges.longer, centre: mark.at,
                rgb: (0..<3).map { Double(mark.inside[$0]) })
        }
    }

    /// The tiles of the most common size.
    private func agreeing(_ all: [Candidate], known: Double?) -> [Candidate] {
        let scales = all.map(\.scale).sorted()
        var tried: [Double] = []
        for scale in scales where tried.last.map({ scale / $0 > 1.06 }) ?? true { tried.append(scale) }
        return distinct(
            SizeConsensus.agreeing(
                all, size: \.scale, tried: known.map { [$0] } ?? tried, within: Self.maxDeviation
            ) { near in distinct(near).reduce(0) { $0 + $1.quality } })
    }

    /// The best of overlapping candidates.
    private func distinct(_ all: [Candidate]) -> [Candidate] {
        Suppression.best(of: all, by: \.quality) {
            ($0.centre - $1.centre).length < 0.6
                * min(Outline.area($0.corners), Outline.area($1.corners)).squareRoot()
        }
    }

    /// One tile with the possible interpretations of its face.
    private struct Reading {
        var candidate: Candidate
        var pips: [Int]?
        var match: FaceMatcher.Match?
        var certainty: Double
        /// Angle of the first edge, clockwise from the positive x axis.
        var angle: Double
    }

    private func readTogether(_ candidates: [Candidate], in faces: Faces) throws -> [FoundTile] {
        let readings = try candidates.compactMap { try reading($0, in: faces) }
        let direction = commonDirection(readings)
        return readings.compactMap { tile($0, towards: direction) }.filter { $0.confidence >= Self.minConfidence }
    }

    /// The faces of one raster that were rectified and read. A candidate is read up to four times, each time among
    /// other candidates.
    private final class Faces {
        struct Key: Hashable {
            var kind: Int
            var corners: [Point]
            var hasBar: Bool
        }

        let raster: Raster
        /// Nil if the face shows something else.
        private var known: [Key: Reading?] = [:]

        init(_ raster: Raster) { self.raster = raster }

        func reading(_ candidate: Candidate, read: (Candidate, Raster) throws -> Reading?) throws -> Reading? {
            let key = Key(kind: candidate.kind, corners: candidate.corners, hasBar: candidate.hasBar)
            if let one = known[key] { return one }
            let one = try read(candidate, raster)
            known[key] = .some(one)
            return one
        }
    }

    private func reading(_ candidate: Candidate, in faces: Faces) throws -> Reading? {
        guard var reading = try faces.reading(candidate, read: firstReading) else { return nil }
        reading.candidate = candidate
        return reading
    }

    private func firstReading(_ candidate: Candidate, in raster: Raster) throws -> Reading? {
        let kind = set.kinds[candidate.kind]
        let edge = candidate.corners[1] - candidate.corners[0]
        var reading = Reading(candidate: candidate, certainty: 1, angle: atan2(edge.y, edge.x))
        if case .none = kind.face { return reading }
        let isOblong = kind.edges.longer > Self.oblong * kind.edges.shorter
        guard
            let face = try TileFace(raster, corners: candidate.corners, squares: (isOblong ? 2 : 1, 1))
        else { return nil }
        let hasPips = if case .pips = kind.face { true } else { false }
        let ink = try face.ink(rim: hasPips ? TileFace.pipRim : TileFace.rim)
        switch kind.face {
        case .pips(let most):
            guard
                let counted = Self.pips(
                    ink, face: face, halves: isOblong ? 2 : 1, most: most, hasBar: candidate.hasBar)
            else { return nil }
            (reading.pips, reading.certainty) = counted
        case .glyph:
            guard let matcher = set.kinds[candidate.kind].matcher, let largest = ink.parts.first?.area,
                ink.contrast >= Self.minContrast
            else { return nil }
            let parts = ink.parts.filter { Double($0.area) >= Self.minPart * Double(largest) }
            reading.match = matcher.match(ink.coverage(parts, width: face.width))
        case .none, .symbol: break
        }
        return reading
    }

    /// The direction in which most tiles are read; nil if each has its own.
    private func commonDirection(_ readings: [Reading]) -> Double? {
        let lettered = readings.filter { $0.match != nil }
        guard lettered.count >= 3 else { return nil }
        func best(_ reading: Reading, near direction: Double?) -> Double {
            (reading.match?.byTurn ?? []).enumerated().filter { turn, _ in
                guard let direction else { return true }
                let angle = reading.angle + Double(turn) * .pi / 2
                return abs(remainder(angle - direction, 2 * .pi)) < 0.5
            }.map(\.element.likeness).max() ?? 0
        }
        let free = lettered.reduce(0) { $0 + best($1, near: nil) }
        let directions = lettered.flatMap { reading in (0..<4).map { reading.angle + Double($0) * .pi / 2 } }
        let sums = directions.map { direction in (direction, lettered.reduce(0) { $0 + best($1, near: direction) }) }
        guard let common = sums.max(by: { $0.1 < $1.1 }), common.1 > 0.93 * free else { return nil }
        return common.0
    }

    private func tile(_ reading: Reading, towards direction: Double?) -> FoundTile? {
        let kind = set.kinds[reading.candidate.kind]
        let candidate = reading.candidate
        var turn = 0
        var certainty = reading.certainty * min(1, candidate.quality / 0.8)
        var features = PieceFeatures(["outline": min(1, candidate.quality / 0.8), "face": reading.certainty])
        var tile = FoundTile(
            kind: candidate.kind, corners: candidate.corners, angle: reading.angle, residual: candidate.residual,
            confidence: 0)
        if let pips = reading.pips {
            if pips.count == 2 { tile.values = pips } else { tile.value = pips[0] }
            turn = 0
        } else if let match = reading.match {
            let allowed = match.byTurn.enumerated().filter { turn, _ in
                direction.map { abs(remainder(reading.angle + Double(turn) * .pi / 2 - $0, 2 * .pi)) < 0.5 } ?? true
            }
            guard let best = allowed.max(by: { $0.element.likeness < $1.element.likeness }) else { return nil }
            turn = best.offset
            // The next best name, in any rotation.
            let others = allowed.filter { $0.element.name != best.element.name }.map(\.element.likeness)
            let second = max(best.element.second, others.max() ?? -1)
            let likeness = best.element.likeness
            // Of 1,080 faces in fonts without templates, 99 % had a similarity of .93 and a margin of .03 to the next
            // name.
            features["likeness"] = min(1, max(0, (likeness - 0.74) / 0.14))
            features["margin"] = min(1, max(0, (likeness - second) / 0.045 + 0.15))
            certainty *= features["likeness"] * features["margin"]
            (tile.symbol, tile.value) = (best.element.value == nil ? best.element.name : nil, best.element.value)
        }
        // The first corner is the upper left one of the face as read.
        tile.corners = (0..<4).map { candidate.corners[(turn + $0) % 4] }
        tile.angle = reading.angle + Double(turn) * .pi / 2
        tile.confidence = certainty
        tile.features = features
        guard !candidate.rgb.isEmpty else { return tile }
        let colours = kind.members.enumerated().compactMap { index, member in
            member.rgb.map { (index, Colour.difference(candidate.rgb, $0.map(Double.init))) }
        }
        guard !colours.isEmpty else { return tile }
        guard let nearest = colours.min(by: { $0.1 < $1.1 }), nearest.1 < 1 else { return nil }
        tile.member = nearest.0
        tile.features["colour"] = exp(-pow(nearest.1 / 0.9, 4))
        tile.confidence *= tile.features["colour"]
        return tile
    }
}
