import Core

/// Judges one frame of a tangram.
struct TangramJudge: Sendable {
    /// A silhouette counts as covered from this intersection over union on.
    static let coveredFrom = 0.93
    /// Every piece's core must lie within the silhouette, and on no other piece, by this share: one small piece elsewhere, or
    /// the parallelogram on its back (less than 93 % of its core in place in every puzzle shipped), would pass for seams
    /// otherwise.
    static let eachCoveredFrom = 0.95
    /// Below this mean confidence of the pieces nothing is said.
    static let certainFrom = 0.5
    /// From this mean confidence on pieces may be called wrong: the level `medium` of `Confidence`.
    static let confidentFrom = 0.65
    /// A puzzle that nobody chose is named from this many agreeing pieces on: two triangles fit many puzzles.
    static let namedFrom = 4

    /// A piece within this of the ones in place was laid against them, millimetres.
    static let laidAgainst = 5.0

    let book: PuzzleBook
    /// The silhouettes of the book's puzzles.
    let silhouettes: [Silhouette]
    /// The chosen puzzle's index; nil where it is to be found.
    let chosen: Int?
    let level: GameLevel

    private var candidates: Range<Int> { chosen.map { $0..<($0 + 1) } ?? book.puzzles.indices }

    /// What lies on the table: one judgement where it is one set, one for each player where there are more.
    func judge(_ frame: PieceFrame) -> TableJudgement {
        let seen = frame.pieces.compactMap { TablePiece($0, in: frame, shapes: book.shapes) }
        let isScaleOpen = frame.board?.located == .pieces
        let groups = PlayerSets(shapes: book.shapes).groups(of: seen)
        guard groups.count > 1 else {
            return TableJudgement(whole: judge(seen, isScaleOpen: isScaleOpen), figures: [])
        }
        let figures = groups.map { group in
            let pieces = group.map { seen[$0] }
            return TableJudgement.Figure(
                pieces: pieces.map(\.id).sorted(), judgement: judge(pieces, isScaleOpen: isScaleOpen))
        }
        return TableJudgement(figures)
    }

    /// One set's pieces.
    private func judge(_ seen: [TablePiece], isScaleOpen: Bool) -> TangramJudgement {
        guard !seen.isEmpty else { return .nothing(.noPieces, puzzle: chosen, confidence: 0) }
        let sureness = mean(seen)
        guard seen.count >= 2 else { return .nothing(.tooFewPieces, puzzle: chosen, confidence: sureness) }
        guard sureness >= Self.certainFrom else {
            return .nothing(.uncertainPieces, puzzle: chosen, confidence: sureness)
        }
        let pieces = seen.filter(\.rests)
        guard pieces.count >= 2, mean(pieces) >= Self.certainFrom else {
            let reason: TangramJudgement.Nothing = pieces.count < 2 ? .piecesMoving : .uncertainPieces
            return .nothing(reason, puzzle: chosen, confidence: sureness)
        }
        let matcher = AssemblyMatcher(tolerance: level.tolerance, allowsScale: isScaleOpen)
        let matches = candidates.map { (puzzle: $0, match: matcher.match(pieces, to: book.puzzles[$0])) }
        return solved(pieces, matches: matches, isScaleOpen: isScaleOpen)
            ?? unsolved(pieces, matches: matches, allRest: pieces.count == seen.count)
    }

    /// The puzzle whose pieces all lie right, else the one whose silhouette the pieces cover best.
    private func solved(
        _ pieces: [TablePiece], matches: [(puzzle: Int, match: AssemblyMatch?)], isScaleOpen: Bool
    ) -> TangramJudgement? {
        var exact: (puzzle: Int, match: AssemblyMatch)?
        for case (let puzzle, let match?) in matches where match.placements.count == book.puzzles[puzzle].pieces.count {
            if match.isBetter(than: exact?.match) { exact = (puzzle, match) }
        }
        if let (puzzle, match) = exact {
            let confidence = agreement(match, of: pieces) * (1 - match.misplacement / 4)
            return .solved(puzzle: puzzle, exactly: true, placed: match.placements.count, confidence: confidence)
        }
        guard isWholeSet(pieces) else { return nil }
        var covered: (puzzle: Int, value: Double)?
        let silhouette = Silhouette(of: pieces)
        for puzzle in candidates {
            let spread = silhouette.spread(over: silhouettes[puzzle])
            guard abs(spread - 1) <= AssemblyMatcher.scaleError else { continue }
            let table = isScaleOpen ? Silhouette(of: pieces, shrunkBy: spread) : silhouette
            guard let coverage = table.coverage(of: silhouettes[puzzle]), coverage.share >= Self.coveredFrom,
                coverage.leastPiece >= Self.eachCoveredFrom, coverage.share > covered?.value ?? 0
            else { continue }
            covered = (puzzle, coverage.share)
        }
        guard let (puzzle, value) = covered else { return nil }
        let placed = matches.first { $0.puzzle == puzzle }?.match?.placements.count ?? 0
        // Half of the doubt is gone at the threshold, all of it at 0.98: what seams between real pieces leave.
        let margin = min(1, 0.75 + (value - Self.coveredFrom) * 5)
        return .solved(
            puzzle: puzzle, exactly: false, placed: placed, confidence: (0.5 + mean(pieces) / 2) * margin)
    }

    private func unsolved(
        _ pieces: [TablePiece], matches: [(puzzle: Int, match: AssemblyMatch?)], allRest: Bool
    ) -> TangramJudgement {
        var best: (puzzle: Int, match: AssemblyMatch)?
        var isUnique = true
        for case (let puzzle, let match?) in matches {
            if match.placements.count == best?.match.placements.count { isUnique = false }
            if match.placements.count > best?.match.placements.count ?? 0 { (best, isUnique) = ((puzzle, match), true) }
        }
        let count = best?.match.placements.count ?? 0
        if let (puzzle, match) = best, chosen != nil || (count >= Self.namedFrom && isUnique) {
            return .partly(
                puzzle: puzzle, targets: match.placements.map(\.target).sorted(),
                strays: strays(pieces, beside: match),
                confidence: agreement(match, of: pieces) * (1 - match.misplacement / 4))
        }
        if let chosen {
            guard allRest else { return .nothing(.piecesMoving, puzzle: chosen, confidence: mean(pieces)) }
            guard mean(pieces) >= Self.confidentFrom else {
                return .nothing(.uncertainPieces, puzzle: chosen, confidence: mean(pieces))
            }
            return .wrong(
                puzzle: chosen, strays: touching(pieces), confidence: mean(pieces) * weight(of: pieces.count))
        }
        // Among seven scattered pieces some two agree with some puzzle by chance; three do not.
        if count >= 3 || (count == 2 && pieces.count <= 3) {
            return .ambiguous(placed: count, confidence: mean(pieces))
        }
        return .nothing(.noPuzzleFits, puzzle: nil, confidence: mean(pieces))
    }

    /// Sure, resting pieces that were laid against the ones in place and are out of it: pieces set aside for later are no try.
    private func strays(_ pieces: [TablePiece], beside match: AssemblyMatch) -> [Int] {
        let placed = match.placements.map { pieces[$0.piece] }
        let outlines = placed.map { $0.shape.outline.laid(at: $0.pose) }
        return pieces.indices.filter { index in
            let piece = pieces[index]
            guard !match.placements.contains(where: { $0.piece == index }), piece.confidence >= Self.confidentFrom
            else {
                return false
            }
            let outline = piece.shape.outline.laid(at: piece.pose)
            return outlines.contains { $0.overlap(with: outline) > 0 || $0.gap(to: outline) <= Self.laidAgainst }
        }.map { pieces[$0].id }
    }

    /// Ids of pieces that were laid against another.
    private func touching(_ pieces: [TablePiece]) -> [Int] {
        let outlines = pieces.map { $0.shape.outline.laid(at: $0.pose) }
        return pieces.indices.filter { index in
            outlines.indices.contains {
                $0 != index
                    && (outlines[$0].overlap(with: outlines[index]) > 0
                        || outlines[$0].gap(to: outlines[index]) <= Self.laidAgainst)
            }
        }.map { pieces[$0].id }
    }

    private func isWholeSet(_ pieces: [TablePiece]) -> Bool {
        book.shapes.shapes.allSatisfy { shape in pieces.count { $0.shape.type == shape.type } == shape.count }
            && pieces.count == book.shapes.count
    }

    /// Confidence that the agreement is no accident and that its pieces are what they seem.
    private func agreement(_ match: AssemblyMatch, of pieces: [TablePiece]) -> Double {
        weight(of: match.placements.count) * (0.5 + mean(match.placements.map { pieces[$0.piece] }) / 2)
    }

    /// How much pieces that say the same weigh together: the first fixes the motion, each further one leaves 0.4 of the doubt.
    private func weight(of count: Int) -> Double {
        var doubt = 1.0
        for _ in 1..<max(2, count) { doubt *= 0.4 }
        return 1 - doubt
    }

    private func mean(_ pieces: [TablePiece]) -> Double {
        pieces.isEmpty ? 0 : pieces.reduce(0) { $0 + $1.confidence } / Double(pieces.count)
    }
}
