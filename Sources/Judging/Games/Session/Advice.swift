import Core

/// How plainly help is given; each step says more than the one before.
public enum NudgeStep: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    case none, visual, gentle, specific, directed, solution

    /// 0 for none … 5 for the solution.
    public var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    /// The next plainer step; the solution stays the solution.
    public var next: NudgeStep { Self.allCases[min(rank + 1, Self.allCases.count - 1)] }

    public static func < (a: NudgeStep, b: NudgeStep) -> Bool { a.rank < b.rank }
}

/// A hint or a nudge: what a player is told or shown.
public struct Advice: Sendable, Hashable, Codable {
    public var step: NudgeStep
    /// A sentence for the player; empty where only something is shown.
    public var text: String
    /// The id of the piece meant.
    public var piece: Int?
    /// The type of the piece meant.
    public var type: String?
    /// Where it belongs, millimetres on the table.
    public var place: Place?
    /// The square meant.
    public var cell: RecognizedPiece.Cell?

    /// Where a piece belongs.
    public struct Place: Sendable, Hashable, Codable {
        /// The area's centroid, millimetres.
        public var xMM: Double
        public var yMM: Double
        /// Clockwise.
        public var angleDegrees: Double
        public var flipped: Bool

        private enum CodingKeys: String, CodingKey {
            case xMM = "x_mm"
            case yMM = "y_mm"
            case angleDegrees = "angle_deg"
            case flipped
        }
    }

    public init(
        step: NudgeStep, text: String, piece: Int? = nil, type: String? = nil, place: Place? = nil,
        cell: RecognizedPiece.Cell? = nil
    ) {
        self.step = step
        self.text = text
        self.piece = piece
        self.type = type
        self.place = place
        self.cell = cell
    }
}
