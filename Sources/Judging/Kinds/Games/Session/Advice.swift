import Core

/// The levels of help in order; each one reveals more than the previous one.
package enum HintStep: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    case none, visual, gentle, specific, directed, solution

    /// 0 for none … 5 for the solution.
    package var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    /// The next level of help; the solution is the last.
    package var next: HintStep { Self.allCases[min(rank + 1, Self.allCases.count - 1)] }

    package static func < (a: HintStep, b: HintStep) -> Bool { a.rank < b.rank }
}

/// Help for a player: a text or something to show.
package struct Advice: Sendable, Hashable, Codable {
    package var step: HintStep
    /// A sentence for the player, in English; empty if the help is only visual.
    package var text: String
    /// Names the sentence, for translations: `column`. Nil for help that names what is in the picture.
    package var key: String?
    /// What the sentence names, by the words that stand for it: `n` to `3`. Words for shapes and colours are English.
    package var values: [String: String]?
    /// The id of the piece.
    package var piece: Int?
    /// The type of the piece.
    package var type: String?
    /// The target pose of the piece.
    package var place: Place?
    /// The square of the board.
    package var cell: RecognizedPiece.Cell?

    /// The target pose of a piece.
    package struct Place: Sendable, Hashable, Codable {
        /// The area's centroid, millimetres.
        package var xMM: Double
        package var yMM: Double
        /// Clockwise degrees.
        package var angleDegrees: Double
        package var flipped: Bool

        private enum CodingKeys: String, CodingKey {
            case xMM = "x_mm"
            case yMM = "y_mm"
            case angleDegrees = "angle_deg"
            case flipped
        }
    }

    package init(
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
