internal import COpenCV
import Core

/// Locates a grid of two lines in each direction in a grey picture.
struct GridSearch {
    struct Parameters: Sendable {
        /// Longer sides of working copies, pixels, in this order, and the smallest scale that is worth a copy larger
        /// than the first. Strokes may be a hair or a tenth of the picture wide; at each scale some are thin lines.
        /// Set on development pictures, as all values here without another origin.
        var sizes = [500.0, 1000, 250]
        var minScale = 0.75
        /// Longer side of the copy from which the others are made, pixels.
        var fine = 1000.0
        var minSide = 8
        /// Chalk is looked for in pictures whose mean is at most so many grey levels.
        var maxChalkMean = 120.0
        /// Minimum quality of a grid, and the quality at which the search ends.
        var minQuality = 0.6
        var sufficient = 0.93
        /// Dark structures narrower than so many pixels are ink: strokes are narrower at one of the scales.
        var window = 35
        /// The strongest ink is this quantile. If it is below `faintest` (0…255), the picture holds no drawing.
        var strongest = 0.995
        var faintest = 20
        /// Thresholds in the strongest ink, because print beside thin lines may be much darker than they are; and the
        /// smallest difference of two thresholds, 0…255.
        var levels = [0.5, 0.22, 0.1]
        var minStep = 8
        /// Kernel that closes small gaps between strokes, pixels.
        var bridge = 3
        /// Shorter side of a drawing: pixels, and in the picture's longer side. A part that fills more of its box is an
        /// object, not a drawing.
        var drawing = (least: 24.0, share: 0.06)
        var maxFill = 0.62
        var mostDrawings = 5
        /// Longer side of any part that may hold a piece of a line, and the largest number of parts.
        var part = (least: 12.0, share: 0.05)
        var mostParts = 40
        /// Fewer places form no grid, more are print or texture.
        var places = 40..<6000
        /// Straight lines first; if they form no grid, curved ones are allowed. Curvature in sizes of the drawing.
        var sways = [0.03, 0.05]
        /// Smallest length of a stroke, in sizes of the drawing, and their largest number.
        var shortest = 0.12
        var mostStrokes = 24
        /// Pixels around a part, where there is no ink. Dilation made half widths a pixel larger; they are at least
        /// `minHalf`.
        var rim = 2
        var minHalf = 0.5
    }

    /// A located grid.
    struct Found {
        /// In pixels of a working copy.
        var grid: LineGrid
        /// Pixels of the copy → pixels of the picture.
        var enlarging: Homography
        /// True for light lines on a dark board.
        var isChalk: Bool
    }

    var parameters = Parameters()

    /// The best grid; nil if none is good enough.
    func best(in grey: Picture<UInt8>) throws(PictureFailure) -> Found? {
        let p = parameters
        let longer = Double(max(grey.width, grey.height))
        func scaled(_ picture: Picture<UInt8>, to size: Double, atLeast least: Double = 0) throws(PictureFailure)
            -> Picture<UInt8>
        {
            let less = max(least, longer / size)
            return try picture.scaled(
                toWidth: max(p.minSide, Int(whole: Double(grey.width) / less)),
                height: max(p.minSide, Int(whole: Double(grey.height) / less)), less > 1 || least > 0 ? .area : .linear)
        }
        var fine = try scaled(grey, to: p.fine, atLeast: 1)
        var found: Found?
        for isChalk in [false, true] {
            if isChalk {
                guard found?.grid.quality ?? -1 < p.minQuality, try fine.mean() <= p.maxChalkMean else { break }
                fine = try fine.inverted()
            }
            for size in p.sizes {
                // A good result ends the search; a larger scale than the picture's own adds no detail.
                if found?.grid.quality ?? -1 > p.sufficient { break }
                if size > p.sizes[0], longer / size < p.minScale { continue }
                let work = size < p.fine ? try scaled(fine, to: size) : fine
                guard let grid = try grid(in: work), grid.quality > found?.grid.quality ?? -1 else { continue }
                found = Found(
                    grid: grid,
                    enlarging: .enlarging(
                        x: Double(grey.width) / Double(work.width), y: Double(grey.height) / Double(work.height)),
                    isChalk: isChalk)
            }
        }
        return found.flatMap { $0.grid.quality < p.minQuality ? nil : $0 }
    }

    /// The best grid in one working copy.
    private func grid(in work: Picture<UInt8>) throws(PictureFailure) -> LineGrid? {
        let p = parameters
        let dark = try Ink.darkness(of: work, window: p.window)
        let strongest = try dark.quantile(p.strongest)
        guard strongest >= p.faintest else { return nil }
        let grain = try Ink.grain(of: dark)
        var best: LineGrid?
        var before: Int?
        for part in p.levels {
            if best?.quality ?? -1 > p.sufficient { break }
            let level = Int(max(grain, part * Double(strongest)))
            if let before, level > before - p.minStep { break }
            before = level
            try search(dark.above(Double(level)).morphed(.dilate, .rectangle, p.bridge), &best)
        }
        return best
    }

    /// Searches each drawing of a mask by itself, then all together, because an object on the grid may occlude a
    /// crossing.
    private func search(_ mask: Picture<UInt8>, _ best: inout LineGrid?) throws(PictureFailure) {
        let p = parameters
        let longSide = Double(max(mask.width, mask.height))
        let picture = (mask.width, mask.height)
        let (labels, parts) = try mask.parts(neighbours: 8)
        let large = parts.filter { part in
            let (w, h) = (Double(part.box.width), Double(part.box.height))
            return min(w, h) > max(p.drawing.least, p.drawing.share * longSide)
                && Double(part.area) < p.maxFill * w * h
        }.sorted { $0.area > $1.area }.prefix(p.mostDrawings)
        var drawings: [CentreLines] = []
        for part in large {
            let lines = try centreLines(of: part, labels)
            drawings.append(lines)
            try search(lines, picture, &best)
        }
        if best?.quality ?? -1 > p.sufficient { return }
        let taken = Set(large.map(\.label))
        for part in parts where !taken.contains(part.label) && drawings.count <= p.mostParts {
            let side = Double(max(part.box.width, part.box.height))
            guard side >= max(p.part.least, p.part.share * longSide) else { continue }
            drawings.append(try centreLines(of: part, labels))
        }
        guard drawings.count > 1 else { return }
        var all = CentreLines.none
        all.places = drawings.flatMap(\.places)
        if all.count < p.places.upperBound { try search(all, picture, &best) }
    }

    private func centreLines(of part: MaskPart, _ labels: Picture<Int32>) throws(PictureFailure) -> CentreLines {
        let p = parameters
        let (box, rim) = (part.box, p.rim)
        let own = Picture<UInt8>(width: box.width + 2 * rim, height: box.height + 2 * rim, isCleared: true)
        let inner = own.part(PixelBox(x: rim, y: rim, width: box.width, height: box.height))
        try inner.fill(from: labels.part(box), equalTo: part.label)
        var lines = try CentreLines(thinning: own, depth: try own.depth())
        lines.move(by: Point(Double(box.x - rim), Double(box.y - rim)))
        for index in lines.places.indices { lines.places[index].half = max(p.minHalf, lines.places[index].half - 1) }
        return lines
    }

    /// Searches for a grid among these centre lines.
    private func search(
        _ lines: CentreLines, _ picture: (Int, Int), _ best: inout LineGrid?
    ) throws(PictureFailure) {
        let p = parameters
        guard lines.count >= p.places.lowerBound else { return }
        let (left, top, right, bottom) = lines.extent
        let size = max(right - left, bottom - top)
        for sway in p.sways {
            if best?.quality ?? -1 > p.sufficient { break }
            let limits = StrokeSearch.Limits(
                size: size, shortest: p.shortest * size, most: p.mostStrokes, sway: sway)
            let strokes = try StrokeSearch.strokes(of: lines, limits).joined(size: size)
            if let grid = try LineGridSearch(strokes: strokes, picture: picture, size: size).best(),
                grid.quality > best?.quality ?? -1
            {
                best = grid
            }
        }
    }
}

extension Picture where Sample == UInt8 {
    /// Sets the pixels where labels have this value, and clears the others.
    func fill(from labels: Picture<Int32>, equalTo label: Int) throws(PictureFailure) {
        var (from, to) = (labels.image, image)
        try PictureFailure.check(tcv_mask_equal(&from, Int32(label), &to))
    }
}
