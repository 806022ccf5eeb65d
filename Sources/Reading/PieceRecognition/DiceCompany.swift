import Foundation
import Core

/// Sure faces of a photo speak for others of the same look: of a white die on a white table, or beside a side of its own colour, it is
/// hardly seen where the upper face ends.
struct DiceCompany {
    /// Print and cloth show no face as sure as this.
    private static let sure = 0.8

    private let faces: [DieFace]

    init(of found: [DieFace]) {
        faces = found.filter { $0.confidence > Self.sure }
    }

    /// How surely a face is one, with those of its look about it.
    func confidence(of face: DieFace) -> Double {
        guard let look = face.look, faces.contains(where: { Self.isAlike(face, $0) }) else { return face.confidence }
        return max(face.confidence, look.besides * (0.5 + 0.5 * look.body))
    }

    /// Whether both are of one size, ink and colour, and seen from the same place.
    private static func isAlike(_ face: DieFace, _ sure: DieFace) -> Bool {
        guard let a = face.look, let b = sure.look, face.pips.isDisjoint(with: sure.pips) else { return false }
        // Half of a covered face may look like another face: where little is seen of its sides, only its very twin speaks for it.
        let isHalfSeen = face.value <= 3 && a.body < 0.55
        let play = isHalfSeen ? 0.12 : 0.27
        return abs(log(a.step / b.step)) < play
            // Part of another pattern has its places too near or too far for its pips.
            && abs(log(a.step / a.radius * b.radius / b.step)) < min(0.2, play)
            && Pip.difference(face.colour, sure.colour) < (isHalfSeen ? 35 : 60)
            && Pip.difference(a.ink, b.ink) < (isHalfSeen ? 40 : 60)
            && face.seen.difference(from: sure.seen) < 0.3
    }
}
