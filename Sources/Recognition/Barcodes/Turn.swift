import Foundation
import Vocabulary

/// A turn about a plane's centre, clockwise.
struct Turn {
    var degrees: Double

    private var cosine: Double { cos(degrees * .pi / 180) }
    private var sine: Double { sin(degrees * .pi / 180) }

    /// The size of the smallest upright plane that holds the turned one.
    func bounds(width: Int, height: Int) -> (width: Int, height: Int) {
        let (w, h) = (Double(width), Double(height))
        return (
            Int((w * abs(cosine) + h * abs(sine)).rounded(.up)), Int((w * abs(sine) + h * abs(cosine)).rounded(.up))
        )
    }

    /// Where a point of the turned plane was before.
    func undone(_ point: Point, width: Int, height: Int) -> Point {
        let after = bounds(width: width, height: height)
        let (dx, dy) = (point.x - Double(after.width - 1) / 2, point.y - Double(after.height - 1) / 2)
        return Point(
            dx * cosine + dy * sine + Double(width - 1) / 2, dy * cosine - dx * sine + Double(height - 1) / 2)
    }
}
