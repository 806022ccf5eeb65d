internal import COpenCV
import Core

/// Masks: 8 bits, 0 or 255.
extension Picture where Sample == UInt8 {
    enum Morphology: Int32 { case erode, dilate, open, close }
    enum Brush: Int32 { case rectangle, cross, ellipse }

    func above(_ level: Double) throws(PictureFailure) -> Picture { try filled { tcv_mask_above($0, level, $1) } }

    func equal(to value: Int) throws(PictureFailure) -> Picture {
        try filled { tcv_mask_equal($0, Int32(value), $1) }
    }

    /// - Parameter isIsolated: True if the rim counts as 0; else it does not count.
    func morphed(
        _ operation: Morphology, _ brush: Brush, _ side: Int, isIsolated: Bool = false
    ) throws(PictureFailure) -> Picture {
        try filled {
            tcv_mask_morph($0, $1, operation.rawValue, brush.rawValue, Int32(side), isIsolated ? 1 : 0)
        }
    }

    func without(_ other: Picture) throws(PictureFailure) -> Picture {
        try filled { from, to in
            var other = other.image
            return tcv_mask_without(from, &other, to)
        }
    }

    func and(_ other: Picture) throws(PictureFailure) -> Picture {
        try filled { from, to in
            var other = other.image
            return tcv_mask_both(from, &other, to)
        }
    }

    /// Where this picture is darker than the mean of a window by more than `by`.
    func darker(window: Int, by: Double) throws(PictureFailure) -> Picture {
        try filled { tcv_mask_darker($0, Int32(window), by, $1) }
    }

    /// Otsu's threshold.
    func otsu() throws(PictureFailure) -> Double {
        var (from, level) = (image, 0.0)
        try PictureFailure.check(tcv_mask_otsu(&from, &level))
        return level
    }

    /// The number of pixels that are set.
    func count() throws(PictureFailure) -> Int {
        var (from, count) = (image, Int32(0))
        try PictureFailure.check(tcv_mask_count(&from, &count))
        return Int(count)
    }

    /// Sets a convex polygon of whole pixels.
    func fillConvex(_ corners: [(x: Int, y: Int)]) throws(PictureFailure) {
        var target = image
        let xy = corners.flatMap { [Int32($0.x), Int32($0.y)] }
        try PictureFailure.check(tcv_mask_fill_convex(&target, xy, Int32(corners.count), 255))
    }

    /// Sets an outline and its inside.
    func fill(_ outline: PixelOutline, movedBy shift: (x: Int, y: Int)) throws(PictureFailure) {
        var target = image
        try PictureFailure.check(
            tcv_mask_fill(&target, outline.xy, Int32(outline.count), Int32(shift.x), Int32(shift.y)))
    }

    /// The parts joined by 4 or 8 neighbours; the first has label 1.
    func parts(neighbours: Int) throws(PictureFailure) -> (labels: Picture<Int32>, parts: [MaskPart]) {
        let labels = Picture<Int32>(width: width, height: height)
        var (from, to, count) = (image, labels.image, Int32(0))
        // Twice only for a mask of more parts than any other.
        var found = [tcv_part](repeating: tcv_part(), count: 4096)
        try PictureFailure.check(
            tcv_mask_parts(&from, Int32(neighbours), &to, &found, Int32(found.count), &count))
        if Int(count) > found.count {
            found = [tcv_part](repeating: tcv_part(), count: Int(count))
            try PictureFailure.check(tcv_mask_parts(&from, Int32(neighbours), &to, &found, count, &count))
        }
        return (
            labels,
            found.prefix(Int(count)).enumerated().map { index, part in
                MaskPart(
                    label: index + 1, box: PixelBox(part.box), area: Int(part.area), centre: Point(part.x, part.y))
            }
        )
    }
}
