import Core
import Kinds

/// The places on a photo that a page marks: an outline for each item, lines under words, and numbered dots. The same
/// layout as in `overlay.png` places the dots.
struct PhotoOverlay {
    struct Item {
        var number: Int
        var label: String
        var box: Quad
        /// Address on the page.
        var target: String
        /// The item as a play piece; its dot may be placed on it.
        var piece: DotLayout.Piece?
    }

    /// An outline with the number of its item.
    struct Box { let n, points: String }

    struct Shape {
        let points: String

        init(_ corners: [Point]) { points = PhotoOverlay.points(corners) }
    }

    struct Line { let style, x1, y1, x2, y2: String }
    struct Dot { let n, label, target, cx, cy, ty, r: String }

    let image: String
    /// Pixels of the photo before ``transform``, which puts it upright by its print.
    let width, height: String
    let transform: String?
    /// With the margins outside the photo that dots need.
    var viewBox: String
    var boxes: [Box]
    let lines: [Line]
    let dots: [Dot]
    /// Frames of barcodes and of values.
    var codes: [Shape] = []
    /// Play pieces; those under a hand are `hidden`.
    var pieces, hidden: [Shape]

    /// - Parameters:
    ///   - image: the address of the photo.
    ///   - quarters: as in `Outcome.quarterTurns`. All places are those of readings.
    ///   - words: boxes of all recognised words, and of pieces, which no dot may touch.
    init(
        image: String = "", width: Int, height: Int, quarters: Int = 0, items: [Item], underlines: [WordUnderline],
        words: [Quad]
    ) {
        let turn = PhotoTurn(quarters: quarters, width: width, height: height)
        let size = (width: Int(turn.turnedWidth), height: Int(turn.turnedHeight))
        let boxes = items.map { turn.quad($0.box) }
        let layout = DotLayout(
            width: size.width, height: size.height, items: zip(items, boxes).map { ($0.number, $1) },
            print: words.map(turn.quad), pieces: items.compactMap(\.piece))
        let number = Self.number
        self.image = image
        self.width = "\(width)"
        self.height = "\(height)"
        transform = turn.transform
        let edges = (left: -layout.leftMargin, width: layout.leftMargin + Double(size.width) + layout.rightMargin)
        viewBox = "\(number(edges.left)) 0 \(number(edges.width)) \(size.height)"
        self.boxes = zip(items, boxes).map { Box(n: "\($0.number)", points: Self.points($1.corners)) }
        lines = WordUnderline.distinct(underlines.map(turn.line)).map { line in
            Line(
                style: line.kind.style, x1: number(line.from.x), y1: number(line.from.y), x2: number(line.to.x),
                y2: number(line.to.y))
        }
        dots = zip(items, layout.dots).map { item, dot in
            Dot(
                n: "\(dot.number)", label: item.label, target: item.target, cx: number(dot.center.x),
                cy: number(dot.center.y), ty: number(dot.center.y + dot.radius * 0.42), r: number(dot.radius))
        }
        (pieces, hidden) = ([], [])
    }

    /// The part of a photo around a place, with lines under words.
    init(
        of image: String, width: Int, height: Int, quarters: Int, around place: Quad, _ underlines: [WordUnderline]
    ) {
        self.init(
            image: image, width: width, height: height, quarters: quarters, items: [], underlines: underlines,
            words: [])
        let turn = PhotoTurn(quarters: quarters, width: width, height: height)
        let box = turn.quad(place)
        let edge = turn.turnedWidth / 40
        let (left, top) = (max(0, box.minX - edge), max(0, box.minY - edge))
        let shown = (
            min(turn.turnedWidth - left, box.width + 2 * edge), min(turn.turnedHeight - top, box.height + 2 * edge)
        )
        viewBox = [left, top, shown.0, shown.1].map(Self.number).joined(separator: " ")
    }

    fileprivate static func number(_ value: Double) -> String { String(Int(nearest: value)) }

    fileprivate static func points(_ corners: [Point]) -> String {
        corners.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
    }
}

/// The rotation that puts a photo upright by its print. Readings keep the pixels of the photo as the camera held it.
struct PhotoTurn {
    /// Quarter turns clockwise, 0…3.
    let quarters: Int
    /// Pixels of the photo before it is turned.
    let width, height: Double

    init(quarters: Int, width: Int, height: Int) {
        self.quarters = (0...3).contains(quarters) ? quarters : 0
        (self.width, self.height) = (Double(width), Double(height))
    }

    /// The size after the turn.
    var turnedWidth: Double { quarters.isMultiple(of: 2) ? width : height }
    var turnedHeight: Double { quarters.isMultiple(of: 2) ? height : width }

    /// The `transform` of the picture; nil for none.
    var transform: String? {
        switch quarters {
        case 1: "translate(\(Int(height)) 0) rotate(90)"
        case 2: "translate(\(Int(width)) \(Int(height))) rotate(180)"
        case 3: "translate(0 \(Int(width))) rotate(-90)"
        default: nil
        }
    }

    func point(_ point: Point) -> Point {
        switch quarters {
        case 1: Point(height - point.y, point.x)
        case 2: Point(width - point.x, height - point.y)
        case 3: Point(point.y, width - point.x)
        default: point
        }
    }

    func quad(_ quad: Quad) -> Quad {
        Quad(
            topLeft: point(quad.topLeft), topRight: point(quad.topRight), bottomRight: point(quad.bottomRight),
            bottomLeft: point(quad.bottomLeft))
    }

    func line(_ line: WordUnderline) -> WordUnderline {
        WordUnderline(kind: line.kind, from: point(line.from), to: point(line.to))
    }
}
