import Core

/// The levels of help in order; each one reveals more than the previous one.
public enum HintStep: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    case none, visual, gentle, specific, directed, solution

    /// 0 for none … 5 for the solution.
    public var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    /// The next level of help; the solution is the last.
    public var next: HintStep { Self.allCases[min(rank + 1, Self.allCases.count - 1)] }

    public static func < (a: HintStep, b: HintStep) -> Bool { a.rank < b.rank }
}

/// Help for a player: a text or something to show.
public struct Advice: Sendable, Hashable, Codable {
    public var step: HintStep
    /// A sentence for the player, in English; empty if the help is only visual.
    public var text: String
    /// Names the sentence, for translations: `column`. Nil for help that names what is in the picture.
    public var key: String?
    /// What the sentence names, by the words that stand for it: `n` to `3`. Words for shapes and colours are English.
    public var values: [String: String]?
    /// The id of the piece.
    public var piece: Int?
    /// The type of the piece.
    public var type: String?
    /// The target pose of the piece.
    public var place: Place?
    /// The square of the board.
    public var cell: RecognizedPiece.Cell?

    /// The target pose of a piece.
    public struct Place: Sendable, Hashable, Codable {
        /// The area's centroid, millimetres.
        public var xMM: Double
        public var yMM: Double
        /// Clockwise degrees.
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
        step: HintStep, text: String = "", piece: Int? = nil, type: String? = nil, place: Place? = nil,
        cell: RecognizedPiece.Cell? = nil
    ) {
        self.step = step
        self.text = text
        self.piece = piece
        self.type = type
        self.place = place
        self.cell = cell
    }

    /// - Parameter sentence: English, with `{n}` for the value of `n`.
    init(
        _ step: HintStep, _ key: String, _ sentence: String, _ values: [String: String] = [:],
        cell: RecognizedPiece.Cell? = nil
    ) {
        self.init(
            step: step, text: values.reduce(sentence) { $0.replacing("{\($1.key)}", with: $1.value) }, cell: cell)
        (self.key, self.values) = (key, values.isEmpty ? nil : values)
    }
}
