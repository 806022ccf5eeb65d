import Foundation
import Core

/// Selects, among all detected faces, those that dice can show on top at the same time.
enum TopFaces {
    /// Minimum distance between the centres of two dice, relative to an edge. Two faces of one die are nearer.
    private static let nearest = 0.8
    /// The same for an uncertain face: the distance of another die seen from above.
    private static let nearestUncertain = 0.88
    /// The same for two faces that cannot belong to one die. A die behind another is nearer because of
    /// foreshortening.
    private static let nearestApart = 0.65

    static func chosen(from faces: [DieFace]) -> [DieFace] {
        // Part of a pattern is often another pattern.
        let whole = faces.filter { face in
            !faces.contains { $0.pips.isStrictSuperset(of: face.pips) && $0.confidence > 0.65 * face.confidence }
        }
        var kept = Suppression.best(of: whole, by: score, conflict: clash)
        // Beside certain dice, a face of another size or foreshortening needs high confidence of its own.
        let certain = kept.filter { $0.confidence > 0.85 }
        if certain.count > 1 {
            kept.removeAll { face in
                face.confidence < 0.75
                    && !certain.contains {
                        (0.5...2).contains($0.side / face.side) && $0.seen.difference(from: face.seen) < 0.4
                    }
            }
        }
        return kept
    }

    private static func score(_ face: DieFace) -> Double {
        face.confidence * face.seen.roundness * (1 + 0.05 * Double(face.value))
    }

    /// For perpendicular faces, the squared cosines to the camera sum to 1 at most. Two rounder faces therefore
    /// belong to two dice.
    private static func canBeOneDie(_ a: DieFace, _ b: DieFace) -> Bool {
        let (one, other) = (a.seen.roundness, b.seen.roundness)
        return one * one + other * other < 1.2
    }

    private static func clash(_ a: DieFace, _ b: DieFace) -> Bool {
        // Of two faces of similar size, the larger gives the size of the die. A small die may lie beside a large one.
        let alike = (0.6...1.67).contains(a.side / b.side)
        let isUncertain = min(a.confidence, b.confidence) < 0.7
        let apart = !isUncertain && !canBeOneDie(a, b)
        let nearest = apart ? nearestApart : isUncertain ? Self.nearestUncertain : Self.nearest
        let reach = alike && !apart ? max(a.side, b.side) : (a.side + b.side) / 2
        return !a.pips.isDisjoint(with: b.pips)
            || (a.centre - b.centre).length < nearest * reach
            || Outline.contains(a.corners, b.centre) || Outline.contains(b.corners, a.centre)
    }
}
