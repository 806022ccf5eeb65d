/// Mends a word that is in no word list by the reader's own second thoughts about its doubtful letters.
struct WordRepair {
    /// Letters below this probability may be replaced.
    static let doubtful: Float = 0.9
    /// Least product of the probabilities of the letters put in.
    private static let leastProbability: Float = 1e-4
    private static let mostLetters = 3

    let list: WordList

    /// The line's letters with doubtful ones replaced where that makes a word of the list.
    func repaired(_ letters: [LineDecoder.Letter], _ lattice: CharacterLattice) -> [LineDecoder.Letter] {
        guard !list.isEmpty else { return letters }
        var letters = letters
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
        let doubtful = core.filter { letters[$0].probability < Self.doubtful }.prefix(Self.mostLetters)
        guard !doubtful.isEmpty, core.allSatisfy({ letters[$0].character.isLetter }),
            !list.contains(letters[core].map { String($0.character) }.joined())
        else { return }
        var best: (product: Float, letters: [(Int, Character, Float)])?
        choices(Array(doubtful), letters, lattice) { choice, product in
            guard product > max(Self.leastProbability, best?.product ?? 0) else { return }
            var spelt = letters[core].map(\.character)
            for (index, character, _) in choice { spelt[index - first] = character }
            if list.contains(String(spelt)) { best = (product, choice) }
        }
        for (index, character, probability) in best?.letters ?? [] {
            letters[index].character = character
            letters[index].probability = probability
        }
    }

    /// Every way to fill the doubtful places with letters the reader thought of.
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
        var best: [Character: Float] = [:]
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
}
