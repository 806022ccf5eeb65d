/// What is drawn over a copy of a photo, and the list beside it. Coordinates are pixels of the upright photo; nothing of
/// it lies on a recognised word.
public struct OverlayDrawing: Sendable, Hashable, Codable {
    /// What a line or a note is about; it selects the colour, and for verdicts the pattern.
    public enum Meaning: String, Sendable, Hashable, Codable {
        case contains, likely, mayContain, cannotTell, plain, barcode, piece

        public init(_ kind: AllergenVerdict.Kind) {
            self =
                switch kind {
                case .contains: .contains
                case .likely: .likely
                case .mayContain: .mayContain
                case .cannotTell: .cannotTell
                case .notFoundInText: .plain
                }
        }
    }

    /// A straight line: a part of an outline, or the line under a word.
    public struct Line: Sendable, Hashable, Codable {
        public var from, to: Point
        public var meaning: Meaning

        public init(from: Point, to: Point, meaning: Meaning) {
            self.from = from
            self.to = to
            self.meaning = meaning
        }
    }

    /// A numbered dot; its note has the same number.
    public struct Dot: Sendable, Hashable, Codable {
        public var number: Int
        /// May lie outside the photo, in a margin.
        public var center: Point
        public var radius: Double

        public init(number: Int, center: Point, radius: Double) {
            self.number = number
            self.center = center
            self.radius = radius
        }
    }

    /// An entry of the list beside the photo.
    public struct Note: Sendable, Hashable, Codable {
        public var number: Int?
        public var text: String
        /// The most serious statement of the note.
        public var meaning: Meaning

        public init(number: Int? = nil, text: String, meaning: Meaning) {
            self.number = number
            self.text = text
            self.meaning = meaning
        }
    }

    /// Width of empty space left and right of the photo that dots need.
    public var leftMargin, rightMargin: Double
    public var lines: [Line]
    public var dots: [Dot]
    public var notes: [Note]

    public init(
        leftMargin: Double = 0, rightMargin: Double = 0, lines: [Line] = [], dots: [Dot] = [], notes: [Note] = []
    ) {
        self.leftMargin = leftMargin
        self.rightMargin = rightMargin
        self.lines = lines
        self.dots = dots
        self.notes = notes
    }
}
