import Foundation
import Core

/// Estimates the poses of pieces on the table that are extruded to the set's thickness.
///
/// An oblique view shows a piece's top and the side faces towards the camera. A far side shows the edge of the top,
/// which is displaced from the nadir. A near side shows the edge of the base if its side face has the piece's colour.
/// It shows the edge of the top if the colour differs or a neighbour occludes the side face. The fit tries these
/// cases together with the height and the rim. It keeps the hypothesis with the lowest cost over all pieces of the
/// photo.
struct HeightFit {
    /// Initial values of one piece, segmented in the view from above.
    struct Start {
        var corners: [Point]
        var placement: Placement
        var edges: [EdgePoint]
    }

    /// Appearance parameters common to all pieces of the photo.
    private struct Appearance {
        /// Millimetres.
        var height: Double
        var rim: Double
        /// Outward shift of all edges in pixels of the view, because soft light and lenses spread colour.
        var bleed = 0.0
    }

    /// Bit mask of near sides that show the edge of the top: a neighbour occludes the side face, or its colour
    /// differs.
    private typealias OccludedSides = Int

    /// The fit of one piece under these parameters.
    private struct Fit {
        var placement: Placement
        var cost: Double
        var occluded: OccludedSides
    }

    private struct Answer {
        var cost: Double
        var appearance: Appearance
        var fits: [Fit]
    }

    /// In the order of the starts; in pixels of the view, at the view's scale.
    let placements: [Placement]
    /// Median distance of each piece's edges from its sides, pixels.
    let residuals: [Double]
    /// Millimetres.
    let height: Double

    /// Measurement noise of an edge, pixels of the view.
    private static let noise = 0.5
    /// Mean cost per edge below which pieces count as flat: deviations below 1.5 times the noise. Extruded pieces
    /// leave 2.4 and more.
    private static let flat = 2.0
    /// Maximum cost of an extruded fit relative to the flat fit.
    ///
    /// With a height, each near side may match one of two edges, which alone reduces the cost. On boards of two
    /// renderers the ratio was .14 to .54 for pieces of 4 to 6 mm, and .72 or more for flat ones.
    private static let maxHeightCostRatio = 0.6
    /// Cost factor for each occluded side face.
    private static let occludedSideCost = 1.1
    /// Deviations above this multiple of the noise have a constant cost.
    private static let farthest = 4.0

    /// Maximum outward or inward shift of edges, pixels of the view.
    private static let maxBleed = 1.5

    /// - Parameter areExtruded: True if other evidence proves a height. The best height is then used without the
    ///   comparison.
    init(_ starts: [Start], view: BoardView, thickness: Double, rims: [Double], areExtruded: Bool = false) {
        func answer(_ appearance: Appearance) -> Answer {
            let fits = starts.map { Self.bestFit($0, appearance, view) }
            // Among equal fits, the one without a rim is preferred.
            return Answer(
                cost: fits.reduce(0) { $0 + $1.cost } * (appearance.rim > 0 ? 1.01 : 1), appearance: appearance,
                fits: fits)
        }
        var best = answer(Appearance(height: 0, rim: 0))
        func tryAppearance(height: Double, rim: Double, bleed: Double = 0) {
            let other = answer(Appearance(height: height, rim: rim, bleed: bleed))
            if other.cost < best.cost { best = other }
        }
        // Pieces that look larger on all sides are not extruded. An extrusion shifts only the far sides.
        func tryBleed() {
            let (appearance, bleed) = (best.appearance, Self.bleed(starts, best, view))
            tryAppearance(height: appearance.height, rim: appearance.rim, bleed: bleed)
        }
        for rim in rims where rim > 0 { tryAppearance(height: 0, rim: rim) }
        tryBleed()
        let flat = best
        // If every edge is at its expected position, a height cannot improve the fit.
        let enough = Self.flat * Double(starts.reduce(0) { $0 + $1.edges.count })
        let step = thickness / 4
        for count in 1...6 where thickness > 0.5 && best.cost >= enough {
            for rim in rims { tryAppearance(height: Double(count) * step, rim: rim) }
        }
        if best.appearance.height > 0 {
            for part in [step / 2, step / 4] {
                let appearance = best.appearance
                for height in [appearance.height - part, appearance.height + part] {
                    tryAppearance(height: height, rim: appearance.rim)
                }
            }
            tryBleed()
            if !areExtruded, best.cost > Self.maxHeightCostRatio * flat.cost { best = flat }
        }
        placements = best.fits.map(\.placement)
        height = best.appearance.height
        let appearance = best.appearance
        residuals = zip(starts, best.fits).map { start, fit in
            let levels = Self.levels(
                of: start.corners, fit.placement, appearance, fit.occluded, view, edges: start.edges)
            return Self.offsets(start.edges, fit.placement, levels).map(abs).median ?? 0
        }
    }

    /// The median outward deviation of all edges from the hypothesis, within bounds.
    private static func bleed(_ starts: [Start], _ answer: Answer, _ view: BoardView) -> Double {
        let off = zip(starts, answer.fits).flatMap { start, fit in
            offsets(
                start.edges, fit.placement,
                levels(of: start.corners, fit.placement, answer.appearance, fit.occluded, view, edges: start.edges))
        }
        return off.median.map { answer.appearance.bleed + min(maxBleed, max(-maxBleed, $0)) } ?? 0
    }

    /// The edge that is visible on a side.
    private struct Level {
        /// Outward normal in the view.
        var normal: Point
        /// normal · (point − centre) of the visible edge: the base's or the top's.
        var seen: Double
        /// True if the side face points towards the camera.
        var isNear: Bool
    }

    private static func levels(
        of corners: [Point], _ placement: Placement, _ appearance: Appearance, _ occluded: OccludedSides,
        _ view: BoardView,
        edges: [EdgePoint]
    ) -> [Level] {
        let growth = view.growth(height: appearance.height)
        let nadir = view.nadir
        let (cosine, sine) = (cos(placement.angle), sin(placement.angle))
        return Placement.Side.all(of: corners, inset: 0).enumerated().map { index, side in
            let normal = side.normal.rotated(cosine: cosine, sine: sine)
            let base = side.distance * placement.scale + appearance.bleed
            // The base's line is n·p = base + n·at, seen from the nadir. The top's line is the same, scaled about the
            // nadir.
            let shift = (growth - 1) * (base + normal.dot(placement.at - nadir))
            let top = base + shift - appearance.rim * placement.scale
            if appearance.height > 0 {
                let showsSideFace = shift < 0 && occluded & 1 << index == 0
                return Level(normal: normal, seen: showsSideFace ? base : top, isNear: shift < 0)
            }
            // On a flat piece with a rim, either edge of the rim may be the stronger one.
            guard appearance.rim > 0 else { return Level(normal: normal, seen: top, isNear: false) }
            let off = edges.filter { $0.side == index }.map { normal.dot($0.at - placement.at) }
            let middle = off.median ?? base
            return Level(normal: normal, seen: abs(middle - base) <= abs(middle - top) ? base : top, isNear: false)
        }
    }

    private static func offsets(_ edges: [EdgePoint], _ placement: Placement, _ levels: [Level]) -> [Double] {
        edges.map { levels[$0.side].normal.dot($0.at - placement.at) - levels[$0.side].seen }
    }

    /// The best fit over all combinations of occluded side faces. It starts from the segmented position, and from the
    /// position under the assumption that the segmented region is the top.
    private static func bestFit(_ start: Start, _ appearance: Appearance, _ view: BoardView) -> Fit {
        let flat = fit(start, appearance, 0, view)
        guard appearance.height > 0 else { return flat }
        let shift = (start.placement.at - view.nadir) * (1 - 1 / view.growth(height: appearance.height))
        let near = levels(of: start.corners, start.placement, appearance, 0, view, edges: []).map(\.isNear)
        let choices = near.indices.reduce([0]) { choices, side in
            near[side] ? choices + choices.map { $0 | 1 << side } : choices
        }
        var best: Fit?
        for occluded in choices {
            for part in [0.0, 1] {
                var moved = start
                moved.placement.at = start.placement.at - shift * part
                var other = fit(moved, appearance, occluded, view)
                // Most side faces are visible.
                other.cost *= pow(Self.occludedSideCost, Double(occluded.nonzeroBitCount))
                if other.cost < best?.cost ?? .infinity { best = other }
            }
        }
        return best ?? flat
    }

    /// Least squares with Tukey weights for position and rotation, at the view's scale.
    private static func fit(_ start: Start, _ appearance: Appearance, _ occluded: OccludedSides, _ view: BoardView)
        -> Fit
    {
        var placement = start.placement
        placement.scale = view.scale
        var reach = appearance.height > 0 ? 18.0 : 12
        var cost = 0.0
        for _ in 0..<7 {
            let levels = levels(of: start.corners, placement, appearance, occluded, view, edges: start.edges)
            let offsets = offsets(start.edges, placement, levels)
            var system = NormalEquations<SIMD4<Double>>()
            cost = 0
            for (edge, offset) in zip(start.edges, offsets) {
                let part = min(abs(offset) / noise, farthest)
                cost += part * part
                system.add(edge.at, offset: offset, normal: levels[edge.side].normal, on: placement, reach: reach)
            }
            guard system.moveRigidly(&placement) else { break }
            reach = max(2.5, reach * 0.6)
        }
        return Fit(placement: placement, cost: cost, occluded: occluded)
    }
}
