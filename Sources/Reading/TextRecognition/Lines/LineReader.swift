import Core

/// Recognises the text of one rectified line image.
protocol LineReader {
    /// The letters with their alternatives. Throws `ItemFailure` if the reader fails.
    func read(_ lineImage: Raster) throws -> CharacterLattice
}

/// A line reader's output at each step along the line image: a few characters with their probabilities.
///
/// It is kept, so that a line can be decoded again once its language is known.
struct CharacterLattice: Sendable {
    /// One position along the line image.
    struct Step: Sendable {
        /// The most probable classes, best first. Class 0 means "no character here".
        var classes: [(id: Int, probability: Float)]
        /// Probability of a blank between words.
        var space: Float
    }

    /// Equally spaced from the beginning of the line image to its end.
    var steps: [Step]
    /// Maps classes to characters; class 0 is empty.
    var alphabet: CharacterSetTable
}

/// The characters of a reader's classes, shared by all its lattices.
final class CharacterSetTable: Sendable {
    /// The character of class n is at index n. Class 0 is empty; the last class is the blank.
    let characters: [Character?]
    /// The class of the blank.
    var space: Int { characters.count - 1 }

    /// - Parameter characters: Characters of class 1 and above, the last one a blank; nil for a class of several
    ///   characters. Classes that do not occur in European print are ignored.
    /// - Parameter allScripts: true to keep every class, to learn in which script a line is printed.
    init(_ characters: [Character?], allScripts: Bool = false) {
        self.characters = [nil] + characters.map { $0.flatMap { allScripts || Self.isEuropean($0) ? $0 : nil } }
    }

    /// Latin letters, digits and signs. Classes of other scripts only cause misreadings.
    private static func isEuropean(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first else { return false }
        return scalar.value < 0x250 && scalar.value > 0x1F || (0x1E00...0x1EFF).contains(scalar.value)
            || (0x2010...0x26FF).contains(scalar.value) || "ΩμβαΔ✓✔".contains(character)
    }
}
