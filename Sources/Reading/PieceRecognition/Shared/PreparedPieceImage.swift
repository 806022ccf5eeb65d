internal import COpenCV
import Core
import Foundation

/// A region of uniform colour with straight sides, segmented from the photo.
struct Shape {
    /// Pixels of the raster, clockwise.
    var corners: [Point]
    /// Palette index of the colour that segmented it; nil if contrast did.
    var label: Int?
    /// Share of the polygon's interior that belongs to the region, 0…1.
    var fill: Double
    /// Difference from the table, 0…255.
    var contrast: Double
    /// Variation of its colour, 0…255.
    var spread: Double
    /// Colour as on a white table in even light.
    var rgb: [Double]
}

/// A point on a side's edge in the full picture.
struct EdgePoint {
    var at: Point
    /// Side from corner `side` to the next.
    var side: Int
    /// Colour step across the side, 0…255; 0 if no edge was found and the point is the expected one.
    var strength: Double
}

/// A photo prepared for piece detection: the table's light, the difference from the table, the set's colours.
struct PreparedPieceImage {
    struct Parameters: Sendable {
        /// Longest side of the working copy on which shapes are segmented, pixels. A larger copy takes longer and finds
        /// no more pieces.
        var longSide = 1000
        /// A board seen from above is segmented at this fraction of its size. Its sides are then located in the full
        /// picture.
        var boardStep = 2
        /// A size within this share of a whole fraction of the picture is that fraction, which is scaled much faster.
        var wholeStep = 0.1
        /// A remaining reduction below this factor is not done.
        var minReduction = 1.1
        /// Share of a working pixel by which a picture may be larger before it is warped, so that no pixel is skipped.
        var warpStep = 0.9
        /// Kernel that smooths the working copy, pixels.
        var smoothing = 3
        /// Threshold of seams between touching pieces: in multiples of the table's noise, at least `minSeam` (0…255),
        /// and the factor of Canny's upper threshold.
        var seamInNoise = 5.0
        var minSeam = 12.0
        var seamUpper = 2.5
    }

    /// The full picture, R G B.
    let full: Picture<UInt8>
    /// Caller's coordinates → full picture; nil if they are the same.
    let toFull: Homography?
    /// The smaller copy, lightly smoothed.
    let work: Picture<UInt8>
    /// The copy as on a white table in even light.
    let even: Picture<UInt8>
    /// Maximum channel difference from the table.
    let difference: Picture<UInt8>
    /// Mask of edges inside regions; nil for a board seen from above.
    let seams: Picture<UInt8>?
    /// Palette number + 1; nil without a palette.
    let labels: Picture<UInt8>?
    let palette: Palette?
    /// Median difference of the table from its model, 0…255.
    let noise: Double
    let width: Int
    let height: Int
    /// Raster pixels per pixel of the working copy.
    let workingStep: Double
    /// Saturation of the table, 0…1: its own colour or the light's.
    let tint: Double

    /// Prepares the raster.
    ///
    /// - Parameter tableIsWhite: True attributes any tint of the table to the light.
    init(
        _ raster: Raster, palette: [[UInt8]], tableIsWhite: Bool, parameters: Parameters = Parameters()
    ) throws(PictureFailure) {
        let full = try Picture(raster).coloured()
        let (work, scale) = try Self.reduced(full, parameters)
        try self.init(
            full: full, toFull: nil, work: work, scale: scale, size: (raster.width, raster.height),
            colours: palette, tableIsWhite: tableIsWhite, parameters: parameters)
    }

    /// Prepares a board as seen from above, in pixels of that view. Shapes are segmented by the set's colours alone,
    /// if it has any.
    init(
        _ raster: Raster, through view: BoardView, palette: [[UInt8]], parameters: Parameters = Parameters()
    ) throws(PictureFailure) {
        // A printed board is white, so any tint comes from the light.
        guard !palette.isEmpty else {
            try self.init(view.fromAbove(raster), palette: palette, tableIsWhite: true)
            return
        }
        let full = try Picture(raster).coloured()
        let work = try Self.seenFromAbove(full, through: view, parameters)
        try self.init(
            full: full, toFull: view.viewToPicture, work: work, scale: Double(parameters.boardStep),
            size: (view.width, view.height), colours: palette, tableIsWhite: true, parameters: parameters)
    }

    private init(
        full: Picture<UInt8>, toFull: Homography?, work: Picture<UInt8>, scale: Double, size: (Int, Int),
        colours: [[UInt8]], tableIsWhite: Bool, parameters: Parameters
    ) throws(PictureFailure) {
        let smooth = try work.blurred(parameters.smoothing)
        let light = try TableLight(smooth)
        (difference, even) = try light.even(smooth, tableIsWhite: tableIsWhite)
        palette = colours.isEmpty ? nil : .of(colours)
        labels = try palette?.labels(of: even)
        if toFull == nil {
            let quiet = max(parameters.minSeam, parameters.seamInNoise * light.noise)
            seams = try smooth.grey().edges(low: quiet, high: parameters.seamUpper * quiet)
                .morphed(.dilate, .cross, 3)
        } else {
            seams = nil
        }
        (self.full, self.toFull, self.work, workingStep) = (full, toFull, smooth, scale)
        (width, height) = size
        (noise, tint) = (light.noise, toFull == nil ? light.tint : 0)
    }

    /// A copy of at most the working size, and its scale.
    private static func reduced(
        _ full: Picture<UInt8>, _ parameters: Parameters
    ) throws(PictureFailure) -> (Picture<UInt8>, Double) {
        // Scaled down by a whole number first, which is several times faster. The remaining factor is below two.
        let less = Double(max(full.width, full.height)) / Double(parameters.longSide)
        let isWhole = abs(less - less.rounded()) < parameters.wholeStep * less
        let whole = max(1, Int(isWhole ? less.rounded() : less))
        var (work, scale) = (full, Double(whole))
        if whole > 1 { work = try full.reduced(byWhole: whole) }
        if less / Double(whole) > parameters.minReduction {
            work = try work.scaled(
                toWidth: max(1, Int((Double(full.width) / less).rounded(.toNearestOrEven))),
                height: max(1, Int((Double(full.height) / less).rounded(.toNearestOrEven))), .linear)
            scale = less
        }
        return (work, scale)
    }

    /// The working copy of a board from above.
    private static func seenFromAbove(
        _ full: Picture<UInt8>, through view: BoardView, _ parameters: Parameters
    ) throws(PictureFailure) -> Picture<UInt8> {
        let toFull = view.viewToPicture
        let step = parameters.boardStep
        let middle = Point(Double(view.width) / 2, Double(view.height) / 2)
        let right = toFull(middle + Point(1, 0)) - toFull(middle)
        let down = toFull(middle + Point(0, 1)) - toFull(middle)
        // The picture is first scaled down by a whole number, which is cheap, so that warping skips no pixels.
        let pixelsAStep = Double(step) * abs(right.cross(down)).squareRoot()
        let less = max(
            1,
            min(
                Int((parameters.warpStep * pixelsAStep).rounded(.toNearestOrEven)), full.width / 16, full.height / 16))
        let small = try full.reduced(byWhole: less)
        // Working place (u, v) → view's (step (u + ½) − ½) → picture's p → small's ((p + ½) / less − ½).
        let matrix = Homography.enlarging(by: 1 / Double(less)) * toFull * Homography.enlarging(by: Double(step))
        return try small.warped(matrix, width: view.width / step, height: view.height / step)
    }
}

extension PreparedPieceImage {
    /// Mean difference from the table, 0…255, for each cell of a grid over the picture, row by row.
    func coarse(columns: Int, rows: Int) throws(PictureFailure) -> [UInt8] {
        let cells = try difference.scaled(toWidth: columns, height: rows, .area)
        return Array(UnsafeBufferPointer(start: cells.samples, count: columns * rows))
    }

    /// The largest region of a palette colour: evenly spaced points of its outline, and its area; nil without such a region.
    func region(of label: Int) throws(PictureFailure) -> (outline: [Point], area: Double)? {
        /// Enough for a pose, and few enough to fit it from many starts.
        let most = 140
        guard let labels else { return nil }
        let outlines = try PictureOutlines(labels.equal(to: label + 1).morphed(.open, .rectangle, 3))
        var largest: (outline: PixelOutline, area: Double)?
        for index in 0..<outlines.count {
            guard let one = outlines.outline(index) else { continue }
            if one.area > largest?.area ?? -1 { largest = (one, one.area) }
        }
        guard let (outline, area) = largest else { return nil }
        return withExtendedLifetime(outlines) {
            let kept = min(outline.count, most)
            guard kept > 2 else { return nil }
            // The outline runs through the centres of the outermost pixels.
            return (
                (0..<kept).map { outline.point($0 * outline.count / kept).enlarged(by: workingStep) },
                (area + 0.5 * Double(outline.count)) * workingStep * workingStep
            )
        }
    }

    /// Removes the less similar part of a palette colour's region if it contains two colours. False if it has only
    /// one.
    mutating func narrow(label: Int) throws(PictureFailure) -> Bool {
        guard let labels, let palette else { return false }
        return try palette.narrow(labels, label: label, in: even)
    }

    /// A pixel that differs less from the table is bare, 0…255, and in multiples of the table's noise.
    private static let bare = (least: 14.0, inNoise: 4.0)

    /// Shares of a palette colour and of bare table inside a convex polygon, 0…1.
    func inside(_ corners: [Point], label: Int) throws(PictureFailure) -> (own: Double, bare: Double)? {
        guard let labels else { return nil }
        let places = corners.map { corner -> (x: Int, y: Int) in
            let p = corner.reduced(by: workingStep)
            return (Int(p.x.rounded(.toNearestOrEven)), Int(p.y.rounded(.toNearestOrEven)))
        }
        guard let left = places.map(\.x).min(), let right = places.map(\.x).max(), let top = places.map(\.y).min(),
            let bottom = places.map(\.y).max()
        else { return nil }
        let rim = 2
        let box = PixelBox(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
            .grown(by: rim, inWidth: labels.width, height: labels.height)
        guard box.width > 0, box.height > 0 else { return (0, 1) }
        let filled = Picture<UInt8>(width: box.width, height: box.height, isCleared: true)
        try filled.fillConvex(places.map { ($0.x - box.x, $0.y - box.y) })
        // The rim mixes the colours of both sides.
        let mask = try filled.morphed(.erode, .rectangle, 3)
        let mine = try labels.part(box).equal(to: label + 1).and(mask)
        let level = max(Self.bare.least, Self.bare.inNoise * noise).rounded(.up) - 1
        let other = try mask.without(difference.part(box).above(level)).without(mine)
        let all = Double(try mask.count())
        return all > 0 ? (Double(try mine.count()) / all, Double(try other.count()) / all) : (0, 1)
    }
}
