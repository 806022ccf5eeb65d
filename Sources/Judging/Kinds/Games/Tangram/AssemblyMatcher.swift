import Foundation
import Core

/// Finds the transform of a whole puzzle under which most pieces on the table are in place.
///
/// Each correspondence of pieces, and each pair of correspondences, proposes a transform. Each proposal is refined by
/// least squares over the agreeing pieces. Pieces of a type are interchangeable, and the puzzle is never mirrored.
struct AssemblyMatcher: Sendable {
    /// Maximum relative scale error of a board that was located by the pieces themselves.
    static let scaleError = 0.08
    /// Weight of a piece's angle, as a second point at this distance from the centroid, millimetres. It is about the
    /// radius of gyration of the medium pieces. Without it, noise of close pairs would rotate the whole puzzle.
    private static let lever = 15.0

    var tolerance: PoseTolerance
    /// True if the scale of the table's millimetres may be inexact.
    var allowsScale: Bool

    /// A piece on the table that may match a piece of the puzzle.
    private struct Correspondence {
        var target: Int
        var piece: Int
        var fold: Int
        var from: PiecePose
        var to: PiecePose
    }

    /// The best match; nil if fewer than two pieces agree, because one piece fits anywhere.
    func match(_ pieces: [TablePiece], to puzzle: Puzzle) -> AssemblyMatch? {
        let correspondences = correspondences(of: pieces, with: puzzle)
        var best: AssemblyMatch?
        func propose(_ transform: SimilarityTransform) {
            let match = refined(transform, over: correspondences)
            if match.placements.count >= 2, match.isBetter(than: best) { best = match }
        }
        for (index, first) in correspondences.enumerated() {
            for turn in 0..<first.fold {
                let degrees = first.to.degrees - first.from.degrees + Double(turn * 360 / first.fold)
                propose(SimilarityTransform(degrees: degrees, taking: first.from.center, to: first.to.center))
            }
            for second in correspondences[..<index] {
                if let transform = transform(of: first, second) { propose(transform) }
            }
        }
        return best
    }

    private func correspondences(of pieces: [TablePiece], with puzzle: Puzzle) -> [Correspondence] {
        var found: [Correspondence] = []
        for (target, place) in puzzle.pieces.enumerated() {
            for (index, piece) in pieces.enumerated()
            where piece.shape.type == place.shape.type && piece.pose.flipped == place.pose.flipped {
                found.append(
                    Correspondence(
                        target: target, piece: index, fold: place.shape.fold, from: place.pose, to: piece.pose))
            }
        }
        return found
    }

    /// The transform that maps the segment between two puzzle pieces to the segment between two table pieces. Nil if
    /// their lengths differ by more than the tolerances allow.
    private func transform(of first: Correspondence, _ second: Correspondence) -> SimilarityTransform? {
        guard first.target != second.target, first.piece != second.piece else { return nil }
        let here = first.from.center.distance(to: second.from.center)
        let there = first.to.center.distance(to: second.to.center)
        guard here > 1, there > 1 else { return nil }
        let play = 2 * tolerance.millimetres + (allowsScale ? Self.scaleError * here : 0)
        guard abs(here - there) <= play else { return nil }
        let degrees = bearing(first.to.center, second.to.center) - bearing(first.from.center, second.from.center)
        let scale = allowsScale ? limited(there / here) : 1
        let middle = Point(
            (first.from.center.x + second.from.center.x) / 2, (first.from.center.y + second.from.center.y) / 2)
        let target = Point((first.to.center.x + second.to.center.x) / 2, (first.to.center.y + second.to.center.y) / 2)
        return SimilarityTransform(degrees: degrees, scale: scale, taking: middle, to: target)
    }

    /// Refines a transform in three steps, over the pieces within 2, 1.5 and 1 tolerances.
    private func refined(_ proposal: SimilarityTransform, over correspondences: [Correspondence]) -> AssemblyMatch {
        var transform = proposal
        for gate in [2, 1.5, 1] {
            let chosen = placements(under: transform, of: correspondences, gate: gate)
            guard chosen.count >= 2 else { break }
            transform = leastSquares(chosen.map { correspondences[$0.index] }, near: transform)
        }
        let chosen = placements(under: transform, of: correspondences, gate: 1)
        return AssemblyMatch(
            transform: transform,
            placements: chosen.map {
                .init(target: correspondences[$0.index].target, piece: correspondences[$0.index].piece, cost: $0.cost)
            })
    }

    /// One-to-one assignment of pieces to places, closest first.
    private func placements(
        under transform: SimilarityTransform, of correspondences: [Correspondence], gate: Double
    ) -> [(index: Int, cost: Double)] {
        var candidates: [(index: Int, cost: Double)] = []
        for (index, correspondence) in correspondences.enumerated() {
            let pose = transform.applied(to: correspondence.from)
            let distance = pose.center.distance(to: correspondence.to.center) / tolerance.millimetres
            let turn =
                (correspondence.to.degrees - pose.degrees).smallestRotation(fold: correspondence.fold)
                / tolerance.degrees
            if distance <= gate, abs(turn) <= gate { candidates.append((index, distance * distance + turn * turn)) }
        }
        candidates.sort { ($0.cost, $0.index) < ($1.cost, $1.index) }
        var chosen: [(index: Int, cost: Double)] = []
        for candidate in candidates {
            let correspondence = correspondences[candidate.index]
            let isTaken = chosen.contains {
                correspondences[$0.index].target == correspondence.target
                    || correspondences[$0.index].piece == correspondence.piece
            }
            if !isTaken { chosen.append(candidate) }
        }
        return chosen
    }

    /// The least-squares transform of puzzle pieces to table pieces (planar Procrustes). A direction counts as a
    /// point at the distance `lever`.
    private func leastSquares(_ pairs: [Correspondence], near transform: SimilarityTransform) -> SimilarityTransform {
        let count = Double(pairs.count)
        var (from, to) = (Point(0, 0), Point(0, 0))
        for pair in pairs {
            from.x += pair.from.center.x / count
            from.y += pair.from.center.y / count
            to.x += pair.to.center.x / count
            to.y += pair.to.center.y / count
        }
        var (real, imaginary, spread) = (0.0, 0.0, 0.0)
        var (turnReal, turnImaginary) = (0.0, 0.0)
        for pair in pairs {
            let (ax, ay) = (pair.from.center.x - from.x, pair.from.center.y - from.y)
            let (bx, by) = (pair.to.center.x - to.x, pair.to.center.y - to.y)
            real += ax * bx + ay * by
            imaginary += ax * by - ay * bx
            spread += ax * ax + ay * ay
            let off = (pair.to.degrees - pair.from.degrees - transform.degrees).smallestRotation(fold: pair.fold)
            let turn = (transform.degrees + off) * .pi / 180
            turnReal += Self.lever * Self.lever * cos(turn)
            turnImaginary += Self.lever * Self.lever * sin(turn)
        }
        let angle = atan2(imaginary + turnImaginary, real + turnReal)
        let stretch = spread > 0 ? (real * cos(angle) + imaginary * sin(angle)) / spread : 1
        return SimilarityTransform(
            degrees: angle * 180 / .pi, scale: allowsScale ? limited(stretch) : 1, taking: from, to: to)
    }

    private func limited(_ scale: Double) -> Double { min(1 + Self.scaleError, max(1 - Self.scaleError, scale)) }

    private func bearing(_ from: Point, _ to: Point) -> Double {
        atan2(to.y - from.y, to.x - from.x) * 180 / .pi
    }
}
