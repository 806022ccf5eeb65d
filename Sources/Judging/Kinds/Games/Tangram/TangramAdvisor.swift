import Core

/// Help for a tangram puzzle: the largest piece that is not in place, and its target pose.
struct TangramAdvisor: Sendable {
    let puzzle: Puzzle
    let shapes: PieceShapes
    let tolerance: PoseTolerance

    func advice(_ step: HintStep, on frame: PieceFrame) -> Advice? {
        let (match, placed, loose) = table(frame)
        let open = puzzle.pieces.indices.filter { !placed.contains($0) }
        guard let target = open.max(by: { area($0) < area($1) }) else { return nil }
        let wanted = puzzle.pieces[target]
        let piece = loose.first { $0.shape.type == wanted.shape.type }
        // Until two pieces agree, the pose of the figure is unknown. The help then assumes the first piece is in
        // place.
        let transform =
            match?.transform
            ?? SimilarityTransform(degrees: 0, taking: wanted.pose.center, to: piece?.pose.center ?? Point(160, 110))
        return Advice(
            step: step, text: text(step, wanted, piece), piece: step >= .specific ? piece?.id : nil,
            type: step >= .specific ? wanted.shape.type : nil,
            place: step >= .directed ? place(transform.applied(to: wanted.pose), of: wanted) : nil)
    }

    /// The parts of the figure whose pieces are in place, and the pieces of the set beside them. Only pieces at rest are in
    /// place, as for the judge.
    func table(_ frame: PieceFrame) -> (match: AssemblyMatch?, placed: Set<Int>, loose: [TablePiece]) {
        let pieces = frame.pieces.compactMap { TablePiece($0, in: frame, shapes: shapes) }
        let resting = pieces.filter(\.rests)
        let matcher = AssemblyMatcher(tolerance: tolerance, allowsScale: frame.board?.located == .pieces)
        let match = resting.count < 2 ? nil : matcher.match(resting, to: puzzle)
        let placements = match?.placements ?? []
        let inPlace = Set(placements.map { resting[$0.piece].id })
        return (match, Set(placements.map(\.target)), pieces.filter { !inPlace.contains($0.id) })
    }

    private func area(_ target: Int) -> Double { puzzle.pieces[target].shape.outline.area }

    private func place(_ pose: PiecePose, of wanted: PuzzlePiece) -> Advice.Place {
        let span = 360 / Double(wanted.shape.fold)
        let turn = pose.degrees.truncatingRemainder(dividingBy: span)
        return .init(
            xMM: pose.center.x.rounded(toPlaces: 1), yMM: pose.center.y.rounded(toPlaces: 1),
            angleDegrees: ((turn + span).truncatingRemainder(dividingBy: span)).rounded(toPlaces: 1),
            flipped: pose.flipped)
    }

    private func text(_ step: HintStep, _ wanted: PuzzlePiece, _ piece: TablePiece?) -> String {
        let name = wanted.shape.type.map { $0.isUppercase ? " \($0.lowercased())" : String($0) }.joined()
        let mustFlip = piece.map { $0.shape.chiral && $0.pose.flipped != wanted.pose.flipped } ?? false
        return switch step {
        case .none, .visual: ""
        case .gentle: "Look where the outline has its longest sides."
        case .specific: "Try the \(name) next."
        case .directed: mustFlip ? "Turn the \(name) over, and bring it to the mark." : "Bring the \(name) to the mark."
        case .solution: mustFlip ? "Turn the \(name) over, and lay it as shown." : "Lay the \(name) as shown."
        }
    }
}
