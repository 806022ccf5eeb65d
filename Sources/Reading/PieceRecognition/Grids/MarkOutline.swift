internal import COpenCV
import Core
import Foundation

/// Classifies a mark by its outline.
///
/// The four arms of a cross have four bays between them, however short they are. A nought has a hole.
struct MarkOutline {
    struct Parameters: Sendable {
        /// Fewer pixels of background have no brightness. Set on development pictures, as all values here without
        /// another origin.
        var minGround = 16
        /// Fewer points have no shape.
        var minPoints = 16
        /// Number of arms, and of bays between them.
        var arms = 4
        /// Certainty of a cross: depth of the fourth bay in the outline's size, of the fifth in the fourth,
        /// collinearity of opposite arms, smallest angle between adjacent arms (radians), and area of holes.
        var depth = Ramp(0.012, 0.026)
        var other = Ramp(0.5, 0.85)
        var straight = Ramp(0.75, 0.92)
        var apart = Ramp(0.55, 0.85)
        var noHole = Ramp(0.01, 0.04)
        /// Certainty of a nought: area of the hole in the outline's, area in the convex hull's, and place of the hole.
        var hole = Ramp(0.008, 0.025)
        var round = Ramp(0.9, 0.95)
        var centred = Ramp(0.5, 0.7)
        /// Ink beside the outline is a shadow or another mark, and would change the box: share of the ink. The outline
        /// covers a pixel of which it holds more than `covered` of 255, and its neighbours within the kernel.
        var beside = Ramp(0.02, 0.08)
        var covered = 64.0
        var kernel = 5
        /// Kernel that adds the ink's blurred rim, pixels.
        var rim = 3
        /// Smallest depth of the fourth bay that is compared with the fifth's, pixels.
        var minDepth = 0.01
    }

    /// Depth of the fourth deepest bay, in the outline's size.
    private var depth = 0.0
    /// Of the fifth, in the fourth.
    private var other = 0.0
    /// Collinearity of the two arms of a stroke, minimum of both: 1 straight, 0 perpendicular.
    private var straight = 0.0
    /// Minimum angle between adjacent arms, radians.
    private var apart = 0.0
    /// Enclosed background, relative to the outline's area.
    private var hole = 0.0
    /// Ink and hole, relative to the convex hull.
    private var round = 0.0
    /// Position of the hole: 1 at the centre, 0 at the outline.
    private var centred = 0.0
    /// The area inside the outline, a mask.
    private var whole: Picture<UInt8>?

    /// - Parameters:
    ///   - ink: A mask.
    ///   - view: The same place in grey at several times the scale, because bays of small marks are shallower than a
    ///     pixel.
    static func likeness(
        of ink: Picture<UInt8>, in view: Picture<UInt8>, _ p: Parameters = .init()
    ) throws(PictureFailure) -> MarkLikeness {
        let own = try ink.morphed(.dilate, .rectangle, p.rim)
            .scaled(toWidth: view.width, height: view.height, .nearest)
        let ground = try own.inverted()
        guard try ground.count() >= p.minGround else { return MarkLikeness() }
        // Half way between the ink and the background beside it.
        let light = try view.mean(where: ground)
        let inverse = try view.inverted().and(own)
        let level = (255 - Double(try inverse.largest()) + light) / 2
        let shape = try inverse.above(254 - level.rounded(.down))
        shape.clearRim()
        let outline = try MarkOutline(shape, p)
        var like = MarkLikeness()
        like.cross =
            p.depth(outline.depth) * p.other.discount(outline.other) * p.straight(outline.straight)
            * p.apart(outline.apart) * p.noHole.discount(outline.hole)
        like.nought = p.hole(outline.hole) * p.round(outline.round) * p.centred(outline.centred)
        guard like.cross > 0 || like.nought > 0, let whole = outline.whole else { return like }
        let covered = try whole.scaled(toWidth: ink.width, height: ink.height, .area).above(p.covered)
            .morphed(.dilate, .rectangle, p.kernel)
        let beside = Double(try ink.without(covered).count()) / max(1, Double(try ink.count()))
        let alone = p.beside.discount(beside)
        return MarkLikeness(nought: like.nought * alone, cross: like.cross * alone)
    }

    /// Measures the largest part of a mask.
    private init(_ shape: Picture<UInt8>, _ p: Parameters) throws(PictureFailure) {
        let outlines = try PictureOutlines(shape, .outer)
        // The largest one points into its memory.
        defer { withExtendedLifetime(outlines) {} }
        var (largest, area) = (PixelOutline?.none, -1.0)
        try outlines.forEach { one throws(PictureFailure) in
            if one.area > area { (largest, area) = (one, one.area) }
        }
        guard let outline = largest, outline.count >= p.minPoints else { return }
        let whole = Picture<UInt8>(width: shape.width, height: shape.height, isCleared: true)
        try whole.fill(outline, movedBy: (0, 0))
        self.whole = whole
        round = area / max(1, try outline.hull().area)
        if let all = try whole.centroid(), let hollow = try whole.without(shape).centroid() {
            hole = hollow.count / max(1, all.count)
            centred = 1 - (hollow.at - all.at).length / (all.count / .pi).squareRoot()
        }
        let bays = try outline.bays()
        guard bays.count >= p.arms else { return }
        let box = outline.box
        let fourth = bays[p.arms - 1].depth
        depth = fourth / Double(max(box.width, box.height))
        other = bays.count > p.arms ? bays[p.arms].depth / max(p.minDepth, fourth) : 0
        guard let arms = Self.arms(of: outline, between: bays.prefix(p.arms).map(\.deepest).sorted()) else { return }
        straight = min(-arms[0].dot(arms[2]), -arms[1].dot(arms[3]))
        apart = .pi
        for (index, arm) in arms.enumerated() {
            apart = min(apart, acos(max(-1, min(1, arm.dot(arms[(index + 1) % arms.count])))))
        }
    }

    /// Directions of the four arms between the bays with these deepest points; nil if the points' diagonals do not
    /// cross.
    private static func arms(of outline: PixelOutline, between deepest: [Int]) -> [Point]? {
        // The deepest points are the corners of the strokes' intersection. Its diagonals meet at the crossing.
        let corners = deepest.map { outline.point($0) }
        let (a, b, d) = (corners[2] - corners[0], corners[3] - corners[1], corners[1] - corners[0])
        let turn = a.cross(b)
        guard abs(turn) >= 1 else { return nil }
        let (along, other) = (d.cross(b) / turn, d.cross(a) / turn)
        guard (0...1).contains(along), (0...1).contains(other) else { return nil }
        let middle = corners[0] + a * along
        var arms: [Point] = []
        for index in deepest.indices {
            // An arm's direction is the mean of its points', weighted by their distance.
            let isLast = index + 1 == deepest.count
            let end = isLast ? deepest[0] + outline.count : deepest[index + 1]
            var sum = Point(0, 0)
            for point in deepest[index]...end {
                let way = outline.point(point % outline.count) - middle
                sum = sum + way * way.length
            }
            guard sum.length >= 1e-6 else { return nil }
            arms.append(sum * (1 / sum.length))
        }
        return arms
    }
}

extension PixelOutline {
    /// The bays between the outline and its convex hull, the deepest first: index of the deepest point, and its depth
    /// in pixels.
    fileprivate func bays() throws(PictureFailure) -> [(deepest: Int, depth: Double)] {
        var (found, count) = ([tcv_bay](repeating: tcv_bay(), count: self.count), Int32(0))
        try PictureFailure.check(tcv_outline_bays(xy, Int32(self.count), &found, &count))
        return found.prefix(Int(count)).map { (Int($0.deepest), $0.depth) }
    }
}

extension Picture where Sample == UInt8 {
    /// Clears the outermost rows and columns.
    func clearRim() {
        for x in 0..<width { (self[x, 0], self[x, height - 1]) = (0, 0) }
        for y in 0..<height { (self[0, y], self[width - 1, y]) = (0, 0) }
    }
}

extension Picture {
    /// Copies the samples of a picture of this size.
    func copy(_ other: Picture) {
        precondition(width == other.width && height == other.height && channels == other.channels)
        for y in 0..<height {
            (samples + y * stride).update(from: other.samples + y * other.stride, count: width * channels)
        }
    }
}
