import Core

/// Reads one straight strip of print: the role that every line reader plays.
protocol LineReader {
    /// What the strip says, letter by letter with the alternatives; throws `ItemFailure` where the reader gives up.
    func read(_ strip: Raster) throws -> CharacterLattice
}

/// What a line reader thought at each step from the strip's beginning to its end: a few characters with their
/// probabilities. Kept, so that a line can be decoded again when its language is known.
struct CharacterLattice: Sendable {
    /// One place along the strip.
    struct Step: Sendable {
        /// The likeliest classes, best first; class 0 is "no character here".
        var classes: [(id: Int, probability: Float)]
        /// Probability of a blank between words.
        var space: Float
    }

    /// Equally spaced from the strip's beginning to its end.
    var steps: [Step]
    /// What each class stands for; class 0 is empty.
    var alphabet: CharacterSetTable
}

/// The characters that a reader's classes stand for; shared by all its lattices.
final class CharacterSetTable: Sendable {
    /// The character of class n stands at n; class 0 is empty, the last one a blank.
    let characters: [Character?]
    /// The class of the blank.
    var space: Int { characters.count - 1 }

    /// - Parameter characters: of class 1 and on, the last one a blank; nil for what is no single character. Classes that
    ///   print in European languages never shows stand for nothing.
    init(_ characters: [Character?]) {
        self.characters = [nil] + characters.map { $0.flatMap { Self.isEuropean($0) ? $0 : nil } }
    }

    /// Latin letters, digits, signs: the classes of other scripts only steal from them.
    private static func isEuropean(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first else { return false }
        return scalar.value < 0x250 && scalar.value > 0x1F || (0x1E00...0x1EFF).contains(scalar.value)
            || (0x2010...0x26FF).contains(scalar.value) || "ΩμβαΔ✓✔".contains(character)
    }
}
