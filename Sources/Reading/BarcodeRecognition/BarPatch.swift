internal import COpenCV
import Foundation
import Core

/// A patch of parallel bars in a picture: a candidate for a linear barcode, located by its gradients.
struct BarPatch {
    private var bars: tcv_bars

    private init(_ bars: tcv_bars) { self.bars = bars }

    /// The bars of a linear code with these corners, clockwise. Nil if they have no length.
    init?(corners: [Point]) {
        guard corners.count == 4 else { return nil }
        func middle(_ one: Int, _ other: Int) -> Point {
            Point((corners[one].x + corners[other].x) / 2, (corners[one].y + corners[other].y) / 2)
        }
        let (right, down) = ((middle(0, 3), middle(1, 2)), (middle(0, 1), middle(3, 2)))
        // Nearly every code is wider than its bars are high.
        let (from, to) = Self.distance(right) >= Self.distance(down) ? right : down
        let height = min(Self.distance(right), Self.distance(down))
        guard Self.distance((from, to)) > 0 else { return nil }
        bars = tcv_bars()
        bars.angle = atan2(to.y - from.y, to.x - from.x)
        let (ux, uy) = (cos(bars.angle), sin(bars.angle))
        bars.from_along = from.x * ux + from.y * uy
        bars.to_along = to.x * ux + to.y * uy
        let across = from.y * ux - from.x * uy
        (bars.from_across, bars.to_across) = (across - height / 2, across + height / 2)
    }

    private static func distance(_ ends: (Point, Point)) -> Double {
        let (x, y) = (ends.1.x - ends.0.x, ends.1.y - ends.0.y)
        return (x * x + y * y).squareRoot()
    }

    /// How patches are searched for.
    enum Search {
        /// On one scale. Finer detail only adds noise to the gradients.
        case quick
        /// On four scales: small codes among print, large ones, and weak bars.
        case thorough

        fileprivate var scales: [tcv_bar_scale] {
            switch self {
            case .quick: [tcv_bar_scale(side: 480, window: 15, coherence: 0.6, strength: 0.25)]
            case .thorough:
                [
                    tcv_bar_scale(side: 640, window: 15, coherence: 0.6, strength: 0.2),
                    tcv_bar_scale(side: 320, window: 13, coherence: 0.6, strength: 0.2),
                    tcv_bar_scale(side: 960, window: 31, coherence: 0.6, strength: 0.2),
                    tcv_bar_scale(side: 400, window: 27, coherence: 0.5, strength: 0.12),
                ]
            }
        }
    }

    /// Patches taken from one scale.
    private static let mostOfScale = 8

    /// The strongest patches of the plane, at most `limit`. Empty if memory runs out.
    static func find(in plane: GrayPlane, limit: Int, search: Search = .quick) -> [BarPatch] {
        let scales = search.scales
        guard scales.count > 1 else { return find(in: plane, limit: limit, scale: scales[0]) }
        // Reduced once to the largest side that a scale needs.
        let side = Double(scales.map(\.side).max() ?? 1)
        let factor = min(1, side / Double(max(plane.width, plane.height)))
        guard let small = factor < 1 ? plane.scaled(by: factor) : plane else { return [] }
        let all = scales.flatMap { find(in: small, limit: mostOfScale, scale: $0) }
            .map { $0.scaled(by: 1 / factor) }.sorted { $0.bars.weight > $1.bars.weight }
        var kept: [BarPatch] = []
        for patch in all where kept.count < limit && !kept.contains(where: { patch.isSame(as: $0) }) {
            kept.append(patch)
        }
        return kept
    }

    private static func find(in plane: GrayPlane, limit: Int, scale: tcv_bar_scale) -> [BarPatch] {
        var found = [tcv_bars](repeating: tcv_bars(), count: limit)
        var count: Int32 = 0
        let status = withUnsafePointer(to: scale) { scale in
            plane.bytes.withUnsafeBufferPointer {
                tcv_gray_bars(
                    $0.baseAddress, Int32(plane.width), Int32(plane.height), scale, &found, Int32(limit), &count)
            }
        }
        guard status == TCV_OK else { return [] }
        return found.prefix(Int(count)).map(BarPatch.init)
    }

    /// True if another scale found the same bars.
    private func isSame(as other: BarPatch) -> Bool {
        let (mine, theirs) = (centre, other.centre)
        let apart = ((mine.x - theirs.x) * (mine.x - theirs.x) + (mine.y - theirs.y) * (mine.y - theirs.y)).squareRoot()
        return apart <= 0.12 * other.length && abs(length / max(1, other.length) - 1) <= 0.15
    }

    private var centre: Point {
        point((bars.from_along + bars.to_along) / 2, (bars.from_across + bars.to_across) / 2)
    }

    /// Pixels along the code, from the first bar to the last.
    var length: Double { bars.to_along - bars.from_along }
    /// Pixels along the bars.
    var height: Double { bars.to_across - bars.from_across }

    /// Corners in pixels of the plane in which the patch was located.
    var corners: [Point] {
        [
            point(bars.from_along, bars.from_across), point(bars.to_along, bars.from_across),
            point(bars.to_along, bars.to_across), point(bars.from_along, bars.to_across),
        ]
    }

    private func point(_ along: Double, _ across: Double) -> Point {
        let (ux, uy) = (cos(bars.angle), sin(bars.angle))
        return Point(along * ux - across * uy, along * uy + across * ux)
    }

    /// The patch enlarged at both ends by the quiet zones, which have no gradient.
    private var withQuietZones: BarPatch {
        let room = 0.15 * length + 8
        var wider = self
        wider.bars.from_along -= room
        wider.bars.to_along += room
        return wider
    }

    /// The same patch in a plane that is `factor` times as large.
    func scaled(by factor: Double) -> BarPatch {
        var other = self
        other.bars.from_along *= factor
        other.bars.to_along *= factor
        other.bars.from_across *= factor
        other.bars.to_across *= factor
        return other
    }

    /// The same patch in a part of the plane with this origin.
    private func moved(to origin: Point) -> BarPatch {
        var other = self
        let (ux, uy) = (cos(bars.angle), sin(bars.angle))
        other.bars.from_along -= origin.x * ux + origin.y * uy
        other.bars.to_along -= origin.x * ux + origin.y * uy
        other.bars.from_across -= origin.y * ux - origin.x * uy
        other.bars.to_across -= origin.y * ux - origin.x * uy
        return other
    }

    /// The patch enlarged by a share of its length at both ends, and reduced to a share of its height about its middle.
    func widened(by share: Double, height part: Double) -> BarPatch {
        var other = self
        other.bars.from_along -= share * length
        other.bars.to_along += share * length
        other.bars.from_across += (1 - part) / 2 * height
        other.bars.to_across -= (1 - part) / 2 * height
        return other
    }

    /// The patch, at least so high as this share of its length.
    func raised(to share: Double) -> BarPatch {
        var other = self
        let more = max(0, share * length - height) / 2
        other.bars.from_across -= more
        other.bars.to_across += more
        return other
    }

    /// The part of the patch between two shares 0…1 of its length.
    func part(from: Double, to: Double) -> BarPatch {
        var other = self
        other.bars.from_along += from * length
        other.bars.to_along = bars.from_along + to * length
        return other
    }

    /// The patch with its quiet zones as an upright image, enlarged if its bars are thin. Nil if it is too narrow to hold a
    /// code, or if memory runs out.
    func cut(from plane: GrayPlane) -> BarCut? {
        let wide = withQuietZones
        let length = wide.length
        guard length >= 20 else { return nil }
        // A code has 95 modules and its quiet zones. Some 7 pixels per module suffice; more only cost time.
        let scale = min(max(1, min(4, 800 / length)), 1600 / length)
        let (width, height) = (Int(length * scale), min(400, max(24, Int(wide.height * scale))))
        return wide.cut(from: plane, width: width, height: height).map {
            BarCut(plane: $0, patch: wide, outline: corners)
        }
    }

    /// Share of a picture's scale below which it is reduced before a cut, so that fine bars do not alias.
    private static let reducedScale = 0.7

    /// The patch as an upright image of this width and about this height, and without fine bars that alias. Nil if memory
    /// runs out.
    func smoothCut(from plane: GrayPlane, width: Int, heights: ClosedRange<Int>) -> GrayPlane? {
        let scale = Double(width) / length
        let height = min(heights.upperBound, max(heights.lowerBound, Int(height * scale)))
        guard scale < Self.reducedScale else { return cut(from: plane, width: width, height: height) }
        let factor = max(0.02, 1.3 * scale)
        guard let (part, origin) = plane.part(around: corners, margin: Int(4 / factor)) else { return nil }
        return part.scaled(by: factor).flatMap {
            moved(to: origin).scaled(by: factor).cut(from: $0, width: width, height: height)
        }
    }

    /// The patch as an upright image of this size. Nil if memory runs out.
    private func cut(from plane: GrayPlane, width: Int, height: Int) -> GrayPlane? {
        withUnsafePointer(to: bars) { bars in
            GrayPlane(width: width, height: height) { to in
                plane.bytes.withUnsafeBufferPointer {
                    tcv_gray_cut(
                        $0.baseAddress, Int32(plane.width), Int32(plane.height), bars, to, Int32(width), Int32(height))
                }
            }
        }
    }
}

/// A patch of bars, cut out as an upright image with its quiet zones.
struct BarCut {
    var plane: GrayPlane
    /// What was cut out.
    var patch: BarPatch
    /// Corners of the bars in the picture that they were cut from.
    var outline: [Point]
}
