/// Decides from lines that were read in both directions whether a page is upside down.
///
/// Only legible lines vote. A line in a script that is not read gives a few doubtful letters in either direction, and
/// which direction gives more of them is chance: an upright Korean package was rotated for that.
struct OrientationVote {
    /// One line read in one direction.
    struct Line {
        /// Mean probability of a letter, 0…1.
        var confidence: Double
        /// Number of letters and digits.
        var letters: Int
        /// Letters that a line of this length has at least: one for each two line heights.
        var expected: Double

        /// The confidence, or 0 for a line with too few letters for its length.
        var legibility: Double { Double(letters) >= max(3, expected) ? confidence : 0 }
    }

    /// Legibility from which a direction counts as readable.
    private static let legible = 0.75
    /// Voting lines after which no more are needed.
    private static let enough = 5
    /// Mean surplus of legibility from which the page is upside down.
    private static let margin = 0.1

    private var count = 0
    private var surplus = 0.0

    var isDecided: Bool { count >= Self.enough }
    /// False if no line is legible: then the camera's orientation is the best guess.
    var isUpsideDown: Bool { count > 0 && surplus > Self.margin * Double(count) }

    mutating func add(upright: Line, reversed: Line) {
        guard max(upright.legibility, reversed.legibility) >= Self.legible else { return }
        count += 1
        surplus += reversed.legibility - upright.legibility
    }
}

extension OrientationVote.Line {
    init(_ line: PageLine) {
        self.init(
            confidence: line.confidence, letters: line.letterCount,
            expected: line.shape.span / max(1, line.shape.thickness) / 2)
    }
}
