import Foundation
import Core

/// Raises the confidence of faces that resemble certain faces in the same photo.
///
/// The end of a top face may be hardly visible, for example of a white die on a white table.
struct DiceNeighbourSupport {
    /// Minimum confidence of a certain face. Print and cloth give no face of this confidence.
    private static let certainFace = 0.8

    private let faces: [DieFace]

    init(of found: [DieFace]) {
        faces = found.filter { $0.confidence > Self.certainFace }
    }

    /// The confidence of a face, given similar certain faces.
    func confidence(of face: DieFace) -> Double {
        guard let appearance = face.appearance, faces.contains(where: { Self.isAlike(face, $0) }) else {
            return face.confidence
        }
        return max(face.confidence, appearance.besides * (0.5 + 0.5 * appearance.body))
    }

    /// True if both have the same size, ink, colour and viewing direction.
    private static func isAlike(_ face: DieFace, _ certain: DieFace) -> Bool {
        guard let a = face.appearance, let b = certain.appearance, face.pips.isDisjoint(with: certain.pips) else {
            return false
        }
        // Half of an occluded face may look like another face. With few visible sides, only a nearly identical face
        // supports it.
        let isHalfSeen = face.value <= 3 && a.body < 0.55
        let play = isHalfSeen ? 0.12 : 0.27
        return abs(log(a.step / b.step)) < play
            // In a part of another pattern, the spacing does not match the size of the pips.
            && abs(log(a.step / a.radius * b.radius / b.step)) < min(0.2, play)
            && Pip.difference(face.colour, certain.colour) < (isHalfSeen ? 35 : 60)
            && Pip.difference(a.ink, b.ink) < (isHalfSeen ? 40 : 60)
            && face.seen.difference(from: certain.seen) < 0.3
    }
}
