import Core
import Foundation

/// A quadrangle that may be a board.
struct BoardQuadrangle {
    /// Clockwise from the corner nearest to the top left.
    var corners: [Point]
    /// Mean distance of its evidence from it, pixels.
    var residual: Double

    /// - Parameter corners: Any first corner, clockwise.
    init(_ corners: [Point], residual: Double) {
        let first = corners.indices.min { corners[$0].x + corners[$0].y < corners[$1].x + corners[$1].y } ?? 0
        self.corners = corners.indices.map { corners[(first + $0) % corners.count] }
        self.residual = residual
    }
}

/// Detects convex quadrangles that differ from their environment and fill much of the picture, one for each
/// segmentation: some include a board's shadow.
struct BoardOutlines {
    struct Parameters: Sendable {
        /// Longer side of the working copy, pixels, and its smoothing kernel. Set on development photos, as all values
        /// here.
        var longSide = 800.0
        var smoothing = 5
        /// Width of the picture's rim, which shows the environment, as a share of its width.
        var rim = 1.0 / 60
        /// Levels of difference from the environment, 0…255.
        var levels = [18.0, 28, 42, 60, 80]
        /// Canny's thresholds.
        var edges = (low: 30.0, high: 80.0)
        /// Levels of hue, which excludes shadows: differences between shares of the channels' sum times `hueFactor`.
        /// Sums below `darkest` count as that. What is brighter by `brighter` is no shadow, and differs by `ifBrighter`.
        var hueLevels = [20.0, 40]
        var hueFactor = 600.0
        var darkest = 24.0
        var brighter = 1.15
        var ifBrighter = 0.2
        /// Brush that closes gaps, pixels.
        var closing = 9
        /// Share of the picture that a board fills.
        var area = 0.1...0.97
        /// Tolerances of the approximation that finds four corners, in lengths of the outline, and the smallest share
        /// of the hull that these enclose.
        var tolerances = stride(from: 0.02, to: 0.08, by: 0.01).map { $0 }
        var minEnclosed = 0.9
        /// Points beside a side: part of it, and distance in lengths of the side plus pixels.
        var part = 0.05..<0.95
        var beside = (share: 0.025, pixels: 2.0)
        /// Fewest such points in lengths of the side, and the smallest sine between sides.
        var minPoints = 0.4
        var minSine = 0.3
    }

    var parameters = Parameters()

    func all(in colour: Picture<UInt8>) throws(PictureFailure) -> [BoardQuadrangle] {
        let p = parameters
        let scale = max(1, Double(max(colour.width, colour.height)) / p.longSide)
        let work = try colour.reduced(by: scale).blurred(p.smoothing)
        let table = try work.medianColour(where: rim(of: work))
        let off = try work.difference(from: table)
        var masks: [Picture<UInt8>] = []
        for level in p.levels { masks.append(try off.above(level)) }
        masks.append(
            try work.grey().edges(low: p.edges.low, high: p.edges.high).morphed(.dilate, .rectangle, 3))
        let hue = try work.hueDifference(
            from: table, factor: p.hueFactor, leastSum: p.darkest, brighter: p.brighter, ifBrighter: p.ifBrighter)
        for level in p.hueLevels { masks.append(try hue.above(level)) }
        var found: [BoardQuadrangle] = []
        for mask in masks {
            var best: (quadrangle: BoardQuadrangle, area: Double)?
            let closed = try mask.morphed(.close, .rectangle, p.closing)
            try PictureOutlines(closed).forEach { outline throws(PictureFailure) in
                guard let (corners, residual, area) = try quadrangle(outline, in: work), area >= best?.area ?? 0 else {
                    return
                }
                best = (
                    BoardQuadrangle(corners.map { $0.enlarged(by: scale) }, residual: residual * scale), area
                )
            }
            if let best { found.append(best.quadrangle) }
        }
        return found
    }

    private func rim(of work: Picture<UInt8>) -> Picture<UInt8> {
        let mask = Picture<UInt8>(width: work.width, height: work.height, isCleared: true)
        let width = max(2, Int(Double(work.width) * parameters.rim)) / 2 + 1
        for y in 0..<mask.height {
            for x in 0..<mask.width
            where x < width || y < width || x >= mask.width - width || y >= mask.height - width { mask[x, y] = 255 }
        }
        return mask
    }

    /// Four sides fitted to an outline, their mean distance from it, and the area of its hull.
    private func quadrangle(
        _ outline: PixelOutline, in work: Picture<UInt8>
    ) throws(PictureFailure) -> (corners: [Point], residual: Double, area: Double)? {
        let all = Double(work.width * work.height)
        // A hull cannot enclose more than the outline's box.
        let box = outline.box
        guard Double(box.width * box.height) >= parameters.area.lowerBound * all else { return nil }
        let hull = try outline.hull()
        let area = hull.area
        guard parameters.area.contains(area / all) else { return nil }
        let few = try hull.simplified(by: parameters.tolerances, to: 4)
        guard few.count == 4, few.area >= parameters.minEnclosed * area else { return nil }
        return try outline.fitted(
            few.clockwise, within: parameters.part, beside: parameters.beside, minSine: parameters.minSine
        ) { Double($0) > parameters.minPoints * $1 }.map { ($0.corners, $0.misfit, area) }
    }
}
