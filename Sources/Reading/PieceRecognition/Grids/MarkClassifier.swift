import Core
import Foundation

/// How well two kinds of marks explain ink, 0…1.
struct MarkLikeness {
    /// A ring around bare background.
    var nought = 0.0
    /// Two strokes that cross in their middles.
    var cross = 0.0
}

/// Classifies a mark's ink by its centre lines and its outline: a ring, two crossing strokes, or neither.
struct MarkClassifier {
    struct Parameters: Sendable {
        /// Fewer centre lines form no mark, places. Set on development pictures, as all values here without another
        /// origin.
        var minPlaces = 8
        var ring = Ring()
        var crossing = Crossing()
        var curved = CurvedCrossing()
        /// A blot has centre lines too, but it fills its convex hull: share of it.
        var blot = Ramp(0.66, 0.8)
        /// Pixels around the ink, for thinning.
        var rim = 2
    }

    /// How well centre lines fit one ring.
    struct Ring: Sendable {
        /// Rounds of the fit to places within `near` radii of the ellipse; smallest share of these.
        var rounds = 2
        var near = 0.35
        var minNear = 0.5
        /// Smallest half axis, pixels; limits of the shorter and the longer one in squares.
        var minRadius = 2.0
        var shorter = 0.06
        var longer = 0.95
        /// Sectors of the ring. Places within `on` radii of the ellipse cover theirs; places within `inside` radii of
        /// the centre are inside.
        var sectors = 36
        var on = 0.28
        var inside = 0.5
        /// Smallest visible share of the ring.
        var minVisible = 0.5
        /// Certainty by the share of places on the ring, by the share of places inside, and by the ratio of the axes.
        var onRamp = Ramp(0.55, 0.8)
        var insideRamp = Ramp(0.06, 0.2)
        var shape = Ramp(0.3, 0.5)
        /// Certainty by the covered share of the visible sectors: from `least` to `least + range`. The smaller the
        /// visible part of a ring, the more complete it must be: an angle beside a line is no ring.
        var covered = (least: 0.62, range: 0.23, whole: 0.88, stricter: 0.45)
    }

    /// How well centre lines fit two straight strokes.
    struct Crossing: Sendable {
        /// Smallest length of a stroke in the box's diagonal, largest number of strokes, and their curvature in the
        /// box's longer side.
        var shortest = 0.2
        var most = 8
        var sway = 0.06
        /// Reach across a stroke: pixels, and in the diagonal. Places within it are explained.
        var reach = (least: 2.0, share: 0.07)
        /// Certainty by the place of the crossing in the strokes, the share of explained places, the shorter stroke in
        /// the diagonal, the angle (radians) and the ratio of lengths.
        var middle = Ramp(0.05, 0.18)
        var explained = Ramp(0.6, 0.82)
        var length = Ramp(0.3, 0.5)
        var turn = Ramp(0.45, 0.8)
        var ratio = Ramp(0.35, 0.55)
    }

    /// Curved strokes cross too: four arms leave one place in the centre. This is weaker evidence.
    struct CurvedCrossing: Sendable {
        /// Largest distance of the place from the centre, and radii of the rings around it, in the box's diagonal.
        var centre = 0.15
        var radii = [0.2, 0.26, 0.32]
        /// Directions of a ring, the number of arms, and the smallest angle between adjacent arms as a share of a
        /// turn.
        var directions = 72
        var arms = 4
        var minAngle = 0.1
        /// Certainty by the number of rings that agree, 0…3.
        var certainty = [0, 0, 0.55, 0.8]
    }

    /// The ink's place in grey, several times as large.
    let view: Picture<UInt8>
    /// Where nothing is known, and the ink's corner in it. Places outside are unknown too.
    let unobserved: Picture<UInt8>
    let corner: (x: Int, y: Int)
    /// Side of a square, pixels.
    let square: Double
    /// Certainty that the ink is as dark as ink for an outline, 0…1.
    let inked: Double
    var parameters = Parameters()

    func likeness(of ink: Picture<UInt8>) throws(PictureFailure) -> MarkLikeness {
        let p = parameters
        var like = MarkLikeness()
        let padded = Picture<UInt8>(width: ink.width + 2 * p.rim, height: ink.height + 2 * p.rim, isCleared: true)
        padded.part(PixelBox(x: p.rim, y: p.rim, width: ink.width, height: ink.height)).copy(ink)
        var lines = try CentreLines(thinning: padded)
        guard lines.count >= p.minPlaces else { return like }
        lines.move(by: Point(Double(-p.rim), Double(-p.rim)))
        let box = InkPixels(xy: lines.pixels).box
        like.nought = try nought(lines)
        let pixels = PixelPolygon(xy: try ink.points())
        let hull = try pixels.withOutline { outline throws(PictureFailure) in try outline.hull() }
        let length = Outline.perimeter(hull.corners)
        // The hull runs through the centres of pixels, which are half a pixel from their rims.
        let fill = Double(pixels.count) / max(1, hull.area + 0.5 * length)
        like.cross = max(try cross(lines, in: box), curvedCross(lines, ink, in: box)) * p.blot.discount(fill)
        if inked > 0 {
            let outline = try MarkOutline.likeness(of: ink, in: view)
            like.nought = max(like.nought, inked * outline.nought)
            like.cross = max(like.cross, inked * outline.cross)
        }
        return like
    }

    private func ellipse(through places: [Int32]) throws(PictureFailure) -> Ellipse? {
        guard places.count >= 2 * parameters.minPlaces else { return nil }
        let ellipse = try Ellipse(through: places, count: places.count / 2, .direct)
        let least = parameters.ring.minRadius
        return ellipse.a.isFinite && ellipse.b.isFinite && ellipse.a > least && ellipse.b > least
            && ellipse.centre.x.isFinite && ellipse.centre.y.isFinite ? ellipse : nil
    }

    private func nought(_ lines: CentreLines) throws(PictureFailure) -> Double {
        let p = parameters.ring
        let points = lines.places.map(\.at)
        guard var oval = try ellipse(through: lines.pixels) else { return 0 }
        for _ in 0..<p.rounds {
            let near = points.filter { abs(oval.radius(of: $0) - 1) < p.near }
            guard near.count >= Int(p.minNear * Double(points.count)),
                let next = try ellipse(through: near.flatMap { [Int32($0.x), Int32($0.y)] })
            else { return 0 }
            oval = next
        }
        let (longer, shorter) = (max(oval.a, oval.b), min(oval.a, oval.b))
        guard longer <= p.longer * square, shorter >= p.shorter * square else { return 0 }
        var isCovered = [Bool](repeating: false, count: p.sectors)
        var (on, inside) = (0, 0)
        for point in points {
            let radius = oval.radius(of: point)
            if abs(radius - 1) < p.on {
                on += 1
                let sector = Int((oval.turn(of: point) + .pi) / (2 * .pi) * Double(p.sectors))
                isCovered[sector % p.sectors] = true
            }
            if radius < p.inside { inside += 1 }
        }
        var (visible, covered) = (0, 0)
        for sector in 0..<p.sectors {
            let place = oval.point(at: (Double(sector) + 0.5) * 2 * .pi / Double(p.sectors) - .pi)
            let (x, y) = (Int(whole: place.x) + corner.x, Int(whole: place.y) + corner.y)
            let isHidden =
                x < 0 || y < 0 || x >= unobserved.width || y >= unobserved.height || unobserved[x, y] != 0
            if isHidden, !isCovered[sector] { continue }
            visible += 1
            if isCovered[sector] { covered += 1 }
        }
        guard visible >= Int(p.minVisible * Double(p.sectors)) else { return 0 }
        let n = Double(points.count)
        let hidden = max(0, p.covered.whole - Double(visible) / Double(p.sectors))
        let least = p.covered.least + p.covered.stricter * hidden
        return p.onRamp(Double(on) / n) * Ramp(least, least + p.covered.range)(Double(covered) / Double(visible))
            * p.insideRamp.discount(Double(inside) / n) * p.shape(shorter / longer)
    }

    private func cross(_ lines: CentreLines, in box: PixelBox) throws(PictureFailure) -> Double {
        let p = parameters.crossing
        let (across, size) = (hypot(Double(box.width), Double(box.height)), Double(max(box.width, box.height)))
        let strokes = try StrokeSearch.strokes(
            of: lines,
            .init(size: size, shortest: p.shortest * across, most: p.most, sway: p.sway)
        ).joined(size: size)
        let reach = max(p.reach.least, p.reach.share * across)
        func explains(_ stroke: Stroke, _ place: Point) -> Bool {
            let along = stroke.coordinate(place)
            return abs(stroke.across(place)) <= reach && along > stroke.from - reach && along < stroke.to + reach
        }
        let points = lines.places.map(\.at)
        let explained = strokes.map { stroke in points.map { explains(stroke, $0) } }
        var best = 0.0
        for (first, a) in strokes.enumerated() {
            for (second, b) in strokes.enumerated().dropFirst(first + 1) {
                guard let at = a.crossing(b) else { continue }
                var middle = 1.0
                for stroke in [a, b] {
                    let place = (stroke.coordinate(at) - stroke.from) / max(1, stroke.length)
                    middle = min(middle, p.middle(min(place, 1 - place)))
                }
                let count = points.indices.count { explained[first][$0] || explained[second][$0] }
                let (shorter, longer) = (min(a.length, b.length), max(a.length, b.length))
                var like = p.explained(Double(count) / Double(points.count)) * middle
                like *= p.length(shorter / across) * p.turn(HalfTurn.between(a.angle, b.angle))
                best = max(best, like * p.ratio(shorter / longer))
            }
        }
        return best
    }

    private func curvedCross(_ lines: CentreLines, _ ink: Picture<UInt8>, in box: PixelBox) -> Double {
        let p = parameters.curved
        let across = hypot(Double(box.width), Double(box.height))
        let middle = Point(Double(box.x) + Double(box.width) / 2, Double(box.y) + Double(box.height) / 2)
        var best = 0.0
        for place in lines.places where !place.isReliable && (place.at - middle).length <= p.centre * across {
            let agreeing = p.radii.count { hasArms(at: place.at, radius: $0 * across, in: ink, p) }
            best = max(best, p.certainty[agreeing])
        }
        return best
    }

    /// True if a ring of this radius crosses as many separate arms as a cross has.
    private func hasArms(
        at centre: Point, radius: Double, in ink: Picture<UInt8>, _ p: CurvedCrossing
    ) -> Bool {
        let n = p.directions
        let isInk = (0..<n).map { direction -> Bool in
            let turn = 2 * .pi * Double(direction) / Double(n)
            let (x, y) = (Int(whole: centre.x + radius * cos(turn)), Int(whole: centre.y + radius * sin(turn)))
            return x >= 0 && y >= 0 && x < ink.width && y < ink.height && ink[x, y] != 0
        }
        var arms: [Double] = []
        for first in 0..<n where isInk[first] && !isInk[(first + n - 1) % n] {
            var length = 0
            while length < n, isInk[(first + length) % n] { length += 1 }
            arms.append(Double(first) + Double(length - 1) / 2)
        }
        guard arms.count == p.arms else { return false }
        let turn = Double(n)
        return arms.indices.allSatisfy { index in
            let angle = fmod(arms[(index + 1) % arms.count] - arms[index] + turn, turn)
            return angle > p.minAngle * turn
        }
    }
}
