/// Decodes a lattice greedily by CTC: the most probable class at each step, without repetitions and gaps.
///
/// Blanks are also inserted where they are probable enough.
struct LineDecoder {
    /// Minimum probability of a blank between two letters. Readers underestimate blanks.
    static let blankProbability: Float = 0.1
    /// Blanks of at least this probability are kept, whatever the words are.
    static let certainBlank: Float = 0.9
    /// Factor on the probability of a letter that the line's language does not use.
    static let foreignFactor: Float = 0.1

    /// One letter or blank.
    struct Letter: Sendable {
        var character: Character
        /// The reader's probability, 0…1, not calibrated.
        var probability: Float
        /// Steps of the lattice that showed the letter.
        var steps: ClosedRange<Int>
        /// True for an uncertain blank, which word repair may remove.
        var isUncertain = false
    }

    /// Nil: letters of all languages have equal weight.
    var language: PrintLanguage?

    func letters(of lattice: CharacterLattice) -> [Letter] {
        let alphabet = lattice.alphabet
        let space = alphabet.space
        var letters: [Letter] = []
        var last = 0
        for (index, step) in lattice.steps.enumerated() {
            let best = best(of: step, alphabet)
            defer { last = best.id }
            guard best.id != 0, best.id < alphabet.characters.count, let character = alphabet.characters[best.id] else {
                continue
            }
            if best.id == last, let letter = letters.last {
                letters[letters.count - 1].steps = letter.steps.lowerBound...index
                letters[letters.count - 1].probability = max(letter.probability, best.probability)
                continue
            }
            if best.id != space, let before = letters.last, before.character != " " {
                insertBlank(after: before, before: index, lattice.steps, into: &letters)
            }
            letters.append(
                Letter(
                    character: character, probability: best.probability, steps: index...index,
                    isUncertain: best.id == space && best.probability < Self.certainBlank))
        }
        return letters
    }

    private func best(
        of step: CharacterLattice.Step, _ alphabet: CharacterSetTable
    ) -> (id: Int, probability: Float) {
        var best: (id: Int, probability: Float) = (0, 0)
        for (id, probability) in step.classes {
            var weighed = probability
            if let language, id < alphabet.characters.count, let character = alphabet.characters[id],
                language.isForeign(character)
            {
                weighed *= Self.foreignFactor
            }
            if weighed > best.probability { best = (id, weighed) }
        }
        return best
    }

    private func insertBlank(
        after letter: Letter, before index: Int, _ steps: [CharacterLattice.Step], into letters: inout [Letter]
    ) {
        let gap = (letter.steps.upperBound + 1)..<max(letter.steps.upperBound + 1, index)
        guard let place = gap.max(by: { steps[$0].space < steps[$1].space }),
            steps[place].space > Self.blankProbability
        else { return }
        letters.append(Letter(character: " ", probability: steps[place].space, steps: place...place, isUncertain: true))
    }
}

extension [LineDecoder.Letter] {
    /// Mean probability of the letters without blanks; 0 if there are none.
    var meanProbability: Double {
        let printed = filter { $0.character != " " }
        guard !printed.isEmpty else { return 0 }
        return printed.reduce(0) { $0 + Double($1.probability) } / Double(printed.count)
    }

    var text: String { String(map(\.character)) }
}
