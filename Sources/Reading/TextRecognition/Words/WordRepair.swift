import Foundation

/// Corrects words by the reader's alternative hypotheses.
///
/// It replaces doubtful letters if that gives a word of the list. It also corrects digits among letters, blanks
/// inside a word, and decimal points that were read as blanks.
struct WordRepair {
    /// Letters below this probability may be replaced.
    static let doubtful: Float = 0.9
    /// Minimum product of the probabilities of the inserted letters.
    private static let minProbability: Float = 1e-4
    private static let maxLetters = 3

    let list: WordList
    /// Letters that are misread as digits.
    var lookAlikes: [Character: [Character]] = [:]

    /// The line's letters, with doubtful ones replaced if that gives a word of the list.
    func repaired(_ letters: [LineDecoder.Letter], _ lattice: CharacterLattice) -> [LineDecoder.Letter] {
        var letters = withPoints(letters, lattice)
        guard !list.isEmpty else { return letters }
        letters = joined(letters)
        var start = 0
        while start < letters.count {
            let end = letters[start...].firstIndex { $0.character == " " } ?? letters.count
            mend(&letters, start..<end, lattice)
            start = end + 1
        }
        return letters
    }

    private func mend(_ letters: inout [LineDecoder.Letter], _ word: Range<Int>, _ lattice: CharacterLattice) {
        guard let first = word.first(where: { letters[$0].character.isLetter }),
            let last = word.last(where: { letters[$0].character.isLetter }), last - first >= 2
        else { return }
        let core = first...last
        let digits = core.filter { letters[$0].character.isNumber }
        guard core.allSatisfy({ letters[$0].character.isLetter || letters[$0].character.isNumber }),
            digits.isEmpty || core.count - digits.count >= 3
        else { return }
        let doubtful = core.filter { letters[$0].probability < Self.doubtful || digits.contains($0) }
            .prefix(Self.maxLetters)
        guard !doubtful.isEmpty,
            !list.contains(letters[core].map { String($0.character) }.joined())
        else { return }
        var best: (product: Float, letters: [(Int, Character, Float)])?
        choices(Array(doubtful), letters, lattice) { choice, product in
            guard product > max(Self.minProbability, best?.product ?? 0) else { return }
            var spelt = letters[core].map(\.character)
            for (index, character, _) in choice { spelt[index - first] = character }
            if list.contains(String(spelt)) { best = (product, choice) }
        }
        for (index, character, probability) in best?.letters ?? [] {
            letters[index].character = character
            letters[index].probability = probability
        }
    }

    /// All combinations of alternatives for the doubtful positions.
    private func choices(
        _ places: [Int], _ letters: [LineDecoder.Letter], _ lattice: CharacterLattice,
        _ body: ([(Int, Character, Float)], Float) -> Void
    ) {
        func fill(_ chosen: [(Int, Character, Float)], _ product: Float) {
            guard chosen.count < places.count else { return body(chosen, product) }
            let place = places[chosen.count]
            for (character, probability) in alternatives(letters[place], lattice) {
                fill(chosen + [(place, character, probability)], product * probability)
            }
        }
        fill([], 1)
    }

    private func alternatives(
        _ letter: LineDecoder.Letter, _ lattice: CharacterLattice
    ) -> [(Character, Float)] {
        // Letters that look alike are also tried if the reader has no alternative.
        var best: [Character: Float] = [:]
        for look in lookAlikes[letter.character] ?? [] { best[look] = 0.02 }
        for step in letter.steps {
            for (id, probability) in lattice.steps[step].classes {
                guard id > 0, id < lattice.alphabet.characters.count,
                    let character = lattice.alphabet.characters[id], character.isLetter
                else { continue }
                best[character] = max(best[character] ?? 0, probability)
            }
        }
        return best.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    }

    /// Removes an uncertain blank if it splits a word of the list into parts that are not words.
    private func joined(_ letters: [LineDecoder.Letter]) -> [LineDecoder.Letter] {
        var letters = letters
        var blank = letters.startIndex
        while let next = letters[blank...].firstIndex(where: { $0.isUncertain }) {
            let start = letters[..<next].lastIndex { $0.character == " " && !$0.isUncertain }.map { $0 + 1 } ?? 0
            let end = letters[next...].firstIndex { $0.character == " " && !$0.isUncertain } ?? letters.endIndex
            let pieces = letters[start..<end].split { $0.character == " " }
            let whole = pieces.flatMap { $0.map(\.character) }
            let core = String(whole).trimmingPunctuation
            if core.count >= 5, list.contains(core),
                pieces.contains(where: { !list.contains(Array($0).text.trimmingPunctuation) })
            {
                letters.replaceSubrange(start..<end, with: pieces.flatMap { $0 })
                blank = start + whole.count
            } else {
                blank = end
            }
            if blank >= letters.endIndex { break }
        }
        return letters
    }

    /// Replaces a blank between two digits by the point or comma that the reader gave as an alternative, however
    /// improbable.
    private func withPoints(_ letters: [LineDecoder.Letter], _ lattice: CharacterLattice) -> [LineDecoder.Letter] {
        var letters = letters
        for index in letters.indices.dropFirst().dropLast() where letters[index].isUncertain {
            guard letters[index - 1].character.isNumber, letters[index + 1].character.isNumber else { continue }
            let gap = (letters[index - 1].steps.upperBound + 1)..<letters[index + 1].steps.lowerBound
            var best: (Character, Float)?
            for step in gap {
                for (id, probability) in lattice.steps[step].classes where id > 0 {
                    guard let character = lattice.alphabet.characters[id], ".,".contains(character),
                        probability > max(Self.faintPoint, best?.1 ?? 0)
                    else { continue }
                    best = (character, probability)
                }
            }
            guard let best else { continue }
            letters[index].character = best.0
            letters[index].probability = best.1
            letters[index].isUncertain = false
        }
        return letters
    }

    private static let faintPoint: Float = 0.02
}

extension String {
    fileprivate var trimmingPunctuation: String { trimmingCharacters(in: .punctuationCharacters) }
}
