import Core

/// The content of one square of a drawn grid. Lengths are in squares.
struct SquareContent {
    /// Centre, from the grid's top-left corner.
    var middle = Point(0, 0)
    var width = 0.0
    var height = 0.0
    /// How well a ring around bare background, and two strokes that cross in their middles, explain the ink.
    var likeness = MarkLikeness()
    /// Darkest ink relative to the grid's lines.
    var darkness = 0.0
    /// Pixels of ink in the plan.
    var ink = 0
}

/// Classifies the ink of one square with fewer and fewer of its paler parts: shadows and paper edges are removed first.
struct SquareReader {
    struct Parameters: Sendable {
        /// Darkest ink: this quantile of it. Set on development pictures, as all values here without another origin.
        var peak = 0.9
        /// Tries: the least darkness in the darkest ink, and the smallest area of a part in the largest one. Fragments
        /// beside the mark are removed; finally everything except the largest part.
        var tries: [(least: Double, crumb: Double)] = [(0, 0.1), (0.45, 0.1), (0.65, 0.1), (0.45, 1)]
        /// A try that leaves more than this share of the ink of the one before is skipped.
        var maxSame = 0.97
        /// Darkness, in the lines', at which an outline counts. Shadows' corners have bays too, but they are paler.
        var inked = Ramp(0.45, 0.7)
        /// The largest part of fragmented ink has less weight: share of all ink.
        var share = Ramp(0.1, 0.35)
        /// Pixels around the ink, and the scale of the view whose outline is examined.
        var rim = 3
        var finer = 4
    }

    let plan: GridPlan
    /// Darkness of the grid's lines, 0…255.
    let lines: Double
    var parameters = Parameters()

    func content(of ink: InkPixels) throws(PictureFailure) -> SquareContent {
        let p = parameters
        var content = SquareContent()
        let values = (0..<ink.count).map { plan.dark[Int(ink.xy[2 * $0]), Int(ink.xy[2 * $0 + 1])] }
        let peak = Double(values.quantile(p.peak) ?? 0)
        let box = ink.box.grown(by: p.rim, inWidth: plan.dark.width, height: plan.dark.height)
        content.darkness = peak / max(1, lines)
        let classifier = MarkClassifier(
            view: try plan.view(box, finer: p.finer), unobserved: plan.unobserved, corner: (box.x, box.y),
            square: plan.side, inked: p.inked(content.darkness))
        var (best, before) = (-1.0, Int?.none)
        for (least, crumb) in p.tries {
            guard let (mask, own) = try mask(of: ink, values, from: least * peak, without: crumb, in: box) else {
                continue
            }
            let count = try mask.count()
            if let before, Double(count) > p.maxSame * Double(before) { continue }
            before = count
            let share = p.share(Double(count) / Double(ink.count))
            var like = try classifier.likeness(of: mask)
            (like.nought, like.cross) = (like.nought * share, like.cross * share)
            content.likeness.nought = max(content.likeness.nought, like.nought)
            content.likeness.cross = max(content.likeness.cross, like.cross)
            guard max(like.nought, like.cross) > best else { continue }
            best = max(like.nought, like.cross)
            content.ink = count
            content.middle = Point(
                plan.u(Double(own.x) + Double(own.width) / 2 - 0.5),
                plan.v(Double(own.y) + Double(own.height) / 2 - 0.5))
            (content.width, content.height) = (Double(own.width) / plan.width, Double(own.height) / plan.height)
        }
        return content
    }

    /// The ink as dark as `least`, without parts smaller than `crumb` of the largest, as a mask of `box`, and its own
    /// box in the plan; nil for none.
    private func mask(
        of ink: InkPixels, _ values: [UInt8], from least: Double, without crumb: Double, in box: PixelBox
    ) throws(PictureFailure) -> (Picture<UInt8>, PixelBox)? {
        let mask = Picture<UInt8>(width: box.width, height: box.height, isCleared: true)
        for (index, value) in values.enumerated() where Double(value) >= least {
            mask[Int(ink.xy[2 * index]) - box.x, Int(ink.xy[2 * index + 1]) - box.y] = 255
        }
        let (labels, parts) = try mask.parts(neighbours: 8)
        let largest = Double(parts.map(\.area).max() ?? 0)
        var own: PixelBox?
        for part in parts {
            if Double(part.area) >= crumb * largest {
                own = own.map { $0.joined(part.box) } ?? part.box
            } else {
                for y in part.box.y..<part.box.bottom {
                    for x in part.box.x..<part.box.right where labels[x, y] == Int32(part.label) { mask[x, y] = 0 }
                }
            }
        }
        return own.map { (mask, PixelBox(x: $0.x + box.x, y: $0.y + box.y, width: $0.width, height: $0.height)) }
    }
}

extension PixelBox {
    /// The smallest box that holds both.
    func joined(_ other: PixelBox) -> PixelBox {
        let (x, y) = (min(x, other.x), min(y, other.y))
        return PixelBox(x: x, y: y, width: max(right, other.right) - x, height: max(bottom, other.bottom) - y)
    }
}
