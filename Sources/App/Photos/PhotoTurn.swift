import Core
import Foundation
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

extension Outcome {
    /// The share of the print, by its length, that must run in one direction.
    private static let share = 2.0 / 3

    /// Quarter turns clockwise that put the photo upright by its print, 0…3. A board has no direction of print.
    var quarterTurns: Int {
        guard readings.pieces == nil else { return 0 }
        var lengths = [0.0, 0, 0, 0]
        for line in readings.text?.lines ?? [] {
            let (from, to) = (line.box.topLeft, line.box.topRight)
            let (right, down) = (to.x - from.x, to.y - from.y)
            let turns = abs(right) >= abs(down) ? (right >= 0 ? 0 : 2) : down >= 0 ? 3 : 1
            lengths[turns] += hypot(right, down)
        }
        let least = lengths.reduce(0, +) * Self.share
        return lengths.firstIndex { $0 > least } ?? 0
    }
}
