import Foundation
import Core

/// One recognised line of a page.
struct PageLine {
    var shape: LineShape
    var lattice: CharacterLattice
    var letters: [LineDecoder.Letter]
    /// The detector's score, 0…1.
    var score: Double
    /// Nil if the evidence is too weak.
    var language: PrintLanguage?
    /// Words of the secondary OCR; nil if it was not used for this line.
    var secondaryWords: [String]?
    /// The detected lines whose place this one takes, after a second look.
    var replaced: [LineShape] = []

    /// The reader's mean probability of a letter, 0…1.
    var confidence: Double { letters.meanProbability }

    /// The number of letters and digits.
    var letterCount: Int { letters.count { $0.character.isLetter || $0.character.isNumber } }

    /// The words from the line's beginning to its end, in pixels of the page, with the reader's own confidence.
    var words: [ReadWord] {
        letters.indices.split { letters[$0].character == " " }.compactMap { indices in
            guard let first = indices.first, let last = indices.last else { return nil }
            return word(first..<(last + 1))
        }
    }

    /// The word of some letters without a blank.
    func word(_ range: Range<Int>) -> ReadWord? {
        let word = letters[range]
        guard let first = word.first, let last = word.last else { return nil }
        let count = Double(lattice.steps.count)
        // Half a letter wider on each side than the steps that showed the letters.
        let pitch =
            word.count > 1
            ? Double(last.steps.lowerBound - first.steps.lowerBound) / Double(word.count - 1)
            : shape.height * 0.5 / max(1, shape.length) * count
        let start = (Double(first.steps.lowerBound) + 0.5 - pitch / 2) / count
        let end = (Double(last.steps.upperBound) + 0.5 + pitch / 2) / count
        guard let box = shape.quad(from: start, to: end) else { return nil }
        return ReadWord(letters: Array(word), box: box)
    }

    /// Replaces the letters of a word by those of another reading of its place.
    mutating func replace(_ range: Range<Int>, by other: PageLine) {
        guard let first = letters[range].first?.steps.lowerBound, let last = letters[range].last?.steps.upperBound
        else {
            return
        }
        let scale = Double(last - first) / Double(max(1, other.lattice.steps.count - 1))
        let place = { (step: Int) in first + Int((Double(step) * scale).rounded()) }
        letters.replaceSubrange(
            range,
            with: other.letters.map { letter in
                var letter = letter
                letter.steps = place(letter.steps.lowerBound)...place(letter.steps.upperBound)
                return letter
            })
    }
}

extension PageLine {
    /// True if the lattice has an alternative of at least this probability that differs from the letters beside it.
    func hasAlternative(ofProbability probability: Float) -> Bool {
        var next = 0
        for (index, step) in lattice.steps.enumerated() {
            while next < letters.count, letters[next].steps.upperBound < index { next += 1 }
            let read = [
                next > 0 ? letters[next - 1].character : nil, next < letters.count ? letters[next].character : nil,
            ]
            for (id, value) in step.classes where id != 0 && value >= probability {
                guard id < lattice.alphabet.characters.count, let character = lattice.alphabet.characters[id] else {
                    continue
                }
                if !read.contains(character) { return true }
            }
        }
        return false
    }

    /// The cross-check of a word of this line.
    func crossCheck(of word: ReadWord) -> WordEvidence.CrossCheck {
        guard let secondaryWords else { return .none }
        let text = word.text.comparable
        return secondaryWords.contains { $0.comparable == text } ? .agrees : .disagrees
    }
}

extension String {
    /// The text as two readers must agree on it: without quotes, dashes and stops at the ends.
    fileprivate var comparable: String {
        trimmingCharacters(in: .punctuationCharacters.union(.symbols)).replacing("’", with: "'")
    }
}

/// One word as recognised by a line reader.
struct ReadWord {
    var letters: [LineDecoder.Letter]
    /// Pixels of the page.
    var box: Quad

    var text: String { letters.text }

    /// Geometric mean of the letters' probabilities, because one wrong letter makes the word wrong.
    var probability: Double {
        guard !letters.isEmpty else { return 0 }
        let product = letters.reduce(1.0) { $0 * Double(max($1.probability, 1e-6)) }
        return product.rooted(letters.count)
    }
}

extension Double {
    fileprivate func rooted(_ count: Int) -> Double { pow(self, 1 / Double(count)) }
}
