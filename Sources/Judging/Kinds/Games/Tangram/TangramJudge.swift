import Core

/// Interprets one frame of a tangram.
struct TangramJudge: Sendable {
    /// Minimum intersection over union for a covered silhouette.
    static let minimumCoverage = 0.93
    /// Minimum share of each piece's core inside the silhouette and on no other piece. Otherwise one misplaced small
    /// piece or a flipped parallelogram could pass for seams. A flipped parallelogram has less than 93 % of its core
    /// in place in every shipped puzzle.
    static let minimumPieceCoverage = 0.95
    /// Minimum mean confidence of the pieces for any judgement.
    static let minimumConfidence = 0.5
    /// Minimum mean confidence for reporting pieces as wrong: the level `medium` of `Confidence`.
    static let minimumMisplacedConfidence = 0.65
    /// Minimum number of agreeing pieces to identify a puzzle. Two triangles fit many puzzles.
    static let minimumIdentifyingPieces = 4

    /// Maximum distance at which a piece counts as laid against the pieces in place, millimetres.
    static let maximumContactGap = 5.0

    let book: PuzzleBook
    /// The silhouettes of the book's puzzles.
    let silhouettes: [Silhouette]
    /// Index of the chosen puzzle; nil to identify it.
    let chosen: Int?
    let level: GameLevel

    private var candidates: Range<Int> { chosen.map { $0..<($0 + 1) } ?? book.puzzles.indices }

    /// Interprets a frame: one judgement for one set, or one for each player with several sets.
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

    /// Interprets the pieces of one set.
    private func judge(_ seen: [TablePiece], isScaleOpen: Bool) -> TangramJudgement {
        guard !seen.isEmpty else { return .nothing(.noPieces, puzzle: chosen, confidence: 0) }
        let sureness = mean(seen)
        guard seen.count >= 2 else { return .nothing(.tooFewPieces, puzzle: chosen, confidence: sureness) }
        guard sureness >= Self.minimumConfidence else {
            return .nothing(.uncertainPieces, puzzle: chosen, confidence: sureness)
        }
        let pieces = seen.filter(\.rests)
        guard pieces.count >= 2, mean(pieces) >= Self.minimumConfidence else {
            let reason: TangramJudgement.Nothing = pieces.count < 2 ? .piecesMoving : .uncertainPieces
            return .nothing(reason, puzzle: chosen, confidence: sureness)
        }
        let matcher = AssemblyMatcher(tolerance: level.tolerance, allowsScale: isScaleOpen)
        let matches = candidates.map { (puzzle: $0, match: matcher.match(pieces, to: book.puzzles[$0])) }
        return solved(pieces, matches: matches, isScaleOpen: isScaleOpen)
            ?? unsolved(pieces, matches: matches, allRest: pieces.count == seen.count)
    }

    /// The puzzle with all pieces in place, else the puzzle with the best covered silhouette.
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
            guard let coverage = table.coverage(of: silhouettes[puzzle]), coverage.share >= Self.minimumCoverage,
                coverage.worstPieceShare >= Self.minimumPieceCoverage, coverage.share > covered?.value ?? 0
            else { continue }
            covered = (puzzle, coverage.share)
        }
        guard let (puzzle, value) = covered else { return nil }
        let placed = matches.first { $0.puzzle == puzzle }?.match?.placements.count ?? 0
        // Seams between real pieces leave a coverage of 0.98. Half of the doubt is resolved at the threshold and all
        // of it at 0.98.
        let margin = min(1, 0.75 + (value - Self.minimumCoverage) * 5)
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
        if let (puzzle, match) = best, chosen != nil || (count >= Self.minimumIdentifyingPieces && isUnique) {
            return .partly(
                puzzle: puzzle, targets: match.placements.map(\.target).sorted(),
                misplaced: misplaced(pieces, beside: match),
                confidence: agreement(match, of: pieces) * (1 - match.misplacement / 4))
        }
        if let chosen {
            guard allRest else { return .nothing(.piecesMoving, puzzle: chosen, confidence: mean(pieces)) }
            guard mean(pieces) >= Self.minimumMisplacedConfidence else {
                return .nothing(.uncertainPieces, puzzle: chosen, confidence: mean(pieces))
            }
            return .wrong(
                puzzle: chosen, misplaced: touching(pieces), confidence: mean(pieces) * weight(of: pieces.count))
        }
        // Among seven scattered pieces, two may match some puzzle by chance; three do not.
        if count >= 3 || (count == 2 && pieces.count <= 3) {
            return .ambiguous(placed: count, confidence: mean(pieces))
        }
        return .nothing(.noPuzzleFits, puzzle: nil, confidence: mean(pieces))
    }

    /// Confident, resting pieces that touch the pieces in place but are misplaced. Pieces set aside are no try.
    private func misplaced(_ pieces: [TablePiece], beside match: AssemblyMatch) -> [Int] {
        let placed = match.placements.map { pieces[$0.piece] }
        let outlines = placed.map { $0.shape.outline.laid(at: $0.pose) }
        return pieces.indices.filter { index in
            let piece = pieces[index]
            guard !match.placements.contains(where: { $0.piece == index }),
                piece.confidence >= Self.minimumMisplacedConfidence
            else {
                return false
            }
            let outline = piece.shape.outline.laid(at: piece.pose)
            return outlines.contains { $0.overlap(with: outline) > 0 || $0.gap(to: outline) <= Self.maximumContactGap }
        }.map { pieces[$0].id }
    }

    /// Ids of the pieces that touch another piece.
    private func touching(_ pieces: [TablePiece]) -> [Int] {
        let outlines = pieces.map { $0.shape.outline.laid(at: $0.pose) }
        return pieces.indices.filter { index in
            outlines.indices.contains {
                $0 != index
                    && (outlines[$0].overlap(with: outlines[index]) > 0
                        || outlines[$0].gap(to: outlines[index]) <= Self.maximumContactGap)
            }
        }.map { pieces[$0].id }
    }

    private func isWholeSet(_ pieces: [TablePiece]) -> Bool {
        book.shapes.shapes.allSatisfy { shape in pieces.count { $0.shape.type == shape.type } == shape.count }
            && pieces.count == book.shapes.count
    }

    /// Confidence that the match is no coincidence and that its pieces are identified correctly.
    private func agreement(_ match: AssemblyMatch, of pieces: [TablePiece]) -> Double {
        weight(of: match.placements.count) * (0.5 + mean(match.placements.map { pieces[$0.piece] }) / 2)
    }

    /// Combined weight of agreeing pieces. The first fixes the transform; each further one leaves 0.4 of the doubt.
    private func weight(of count: Int) -> Double {
        var doubt = 1.0
        for _ in 1..<max(2, count) { doubt *= 0.4 }
        return 1 - doubt
    }

    private func mean(_ pieces: [TablePiece]) -> Double {
        pieces.isEmpty ? 0 : pieces.reduce(0) { $0 + $1.confidence } / Double(pieces.count)
    }
}
