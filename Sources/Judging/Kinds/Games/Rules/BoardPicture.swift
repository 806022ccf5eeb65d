import Core
import Foundation

extension PositionGame {
    /// The side of a square, millimetres.
    private static var side: Double { 20 }
    /// What is left out along each side, millimetres.
    private static var line: Double { 0.7 }
    /// The radius of a mark, millimetres.
    private static var radius: Double { 7.5 }

    /// The board as the game knows it, with the square of the newest help.
    func picture(after advice: Advice?) -> PlayPicture? {
        let table = rules.table(of: position ?? rules.start)
        let helped = advice?.cell.map { $0.row * rules.columns + $0.column }
        let squares = table.indices.filter(rules.isUsed).map { square in
            let (center, half) = (center(of: square), Self.side / 2 - Self.line)
            return PlayPicture.Part(
                type: "square", state: square == helped ? .next : .open,
                corners: [(-half, -half), (half, -half), (half, half), (-half, half)].map {
                    Point(center.x + $0, center.y + $1)
                })
        }
        let marks = table.indices.filter { table[$0] != 0 }.map { square in
            let (name, center) = (rules.marks[Int(table[square]) - 1], center(of: square))
            return PlayPicture.Part(
                type: name, state: .placed,
                corners: Self.outline(of: name).map {
                    Point((center.x + $0.x).rounded(toPlaces: 1), (center.y + $0.y).rounded(toPlaces: 1))
                })
        }
        return PlayPicture(
            widthMM: Double(rules.columns) * Self.side, heightMM: Double(rules.rows) * Self.side, parts: squares + marks
        )
    }

    private func center(of square: Int) -> Point {
        Point(
            (Double(square % rules.columns) + 0.5) * Self.side, (Double(square / rules.columns) + 0.5) * Self.side)
    }

    /// Around the middle of a square.
    private static func outline(of mark: String) -> [Point] {
        switch mark {
        case "cross":
            // Four arms; between two of them is a corner near the middle.
            return [0.0, 90, 180, 270].flatMap { (arm: Double) -> [Point] in
                [point(radius, arm + 35), point(radius, arm + 55), point(radius * 0.25, arm + 90)]
            }
        case "nought":
            let inner = circle.reversed().map { point(radius * 0.6, $0) }
            return circle.map { point(radius, $0) } + inner
        default: return circle.map { point(radius, $0) }
        }
    }

    /// Degrees of the corners of a round mark.
    private static var circle: [Double] { Array(stride(from: 0, through: 360, by: 20)) }

    private static func point(_ distance: Double, _ degrees: Double) -> Point {
        Point(distance * cos(degrees * .pi / 180), distance * sin(degrees * .pi / 180))
    }
}
