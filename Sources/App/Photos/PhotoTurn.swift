import Core
import Kinds

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
