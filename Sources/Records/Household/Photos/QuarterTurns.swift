import Core
import Foundation

extension Outcome {
    /// The share of the print, by its length, that must run in one direction.
    private static let share = 2.0 / 3

    /// Quarter turns clockwise that put the photo upright by its print, 0…3. A board has no direction of print.
    package var quarterTurns: Int {
        // Most photos are looked at for pieces in vain.
        guard readings.pieces?.pieces.isEmpty ?? true else { return 0 }
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
