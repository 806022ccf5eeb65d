import Foundation
import TestSupport
import Testing
@testable import TextRecognition

/// A reader's steps: each step is a few characters with their probabilities; `_` means "no character here".
func lattice(_ steps: [[(Character, Float)]]) -> CharacterLattice {
    let alphabet = CharacterSetTable(Array("abcdeilnoprstuö0158.,() ").map { $0 })
    return CharacterLattice(
        steps: steps.map { step in
            let classes = step.map { character, probability in
                (
                    id: character == "_" ? 0 : alphabet.characters.firstIndex(of: character) ?? 0,
                    probability: probability
                )
            }
            return CharacterLattice.Step(
                classes: classes.sorted { $0.probability > $1.probability },
                space: step.first { $0.0 == " " }?.1 ?? 0)
        }, alphabet: alphabet)
}

/// One certain step per character, with a certain gap after each.
func certainSteps(_ text: String) -> [[(Character, Float)]] {
    text.flatMap { character -> [[(Character, Float)]] in [[(character, 0.99)], [("_", 0.99)]] }
}

@Suite struct LineDecoderTests {
    private let decoder = LineDecoder()

    @Test func `A letter shown at several steps is one letter, and two with a gap between them`() {
        let letters = decoder.letters(
            of: lattice([[("a", 0.6)], [("a", 0.9)], [("_", 0.9)], [("a", 0.8)], [("b", 0.7)]]))
        #expect(letters.text == "aab")
        #expect(letters[0].probability == 0.9, "the surest step counts")
        #expect(letters[0].steps == 0...1)
    }

    @Test func `A probable blank separates two words, an improbable one does not`() {
        let likely = decoder.letters(of: lattice([[("a", 0.9)], [("_", 0.8), (" ", 0.15)], [("b", 0.9)]]))
        #expect(likely.text == "a b")
        #expect(likely[1].isUncertain)
        let unlikely = decoder.letters(of: lattice([[("a", 0.9)], [("_", 0.9), (" ", 0.05)], [("b", 0.9)]]))
        #expect(unlikely.text == "ab")
    }

    @Test func `A letter foreign to the language loses to one of its own, unless it is certain`() throws {
        let english = PrintLanguage(
            code: "en", tesseract: "eng", letters: "", borrowedLetters: "é", words: [], wordLists: [])
        let decoder = LineDecoder(language: english)
        #expect(decoder.letters(of: lattice([[("ö", 0.6), ("o", 0.3)]])).text == "o")
        #expect(decoder.letters(of: lattice([[("ö", 0.99), ("o", 0.005)]])).text == "ö")
    }

    @Test func `No steps give no letters`() {
        #expect(decoder.letters(of: lattice([])).isEmpty)
        #expect(decoder.letters(of: lattice([])).meanProbability == 0)
    }
}

@Suite struct WordRepairTests {
    private let repair = WordRepair(
        list: WordList(["butter", "description", "oil", "salt", "slip", "in"]), lookAlikes: ["1": ["l", "i", "I"]])

    private func repaired(_ steps: [[(Character, Float)]]) -> String {
        let lattice = lattice(steps)
        return repair.repaired(LineDecoder().letters(of: lattice), lattice).text
    }

    @Test func `A doubtful letter is replaced by an alternative if that makes a word`() {
        #expect(repaired(certainSteps("bu") + [[("l", 0.5), ("t", 0.4)]] + certainSteps("_ter")) == "butter")
    }

    @Test func `An unknown word stays unchanged if no alternative makes a word`() {
        #expect(repaired(certainSteps("bu") + [[("l", 0.5), ("p", 0.4)]] + certainSteps("ter")) == "bulter")
    }

    @Test func `A certain letter is never replaced`() {
        #expect(repaired(certainSteps("sall")) == "sall")
    }

    @Test func `A digit among letters is replaced by a similar letter if that makes a word`() {
        #expect(repaired(certainSteps("s1ip")) == "slip")
        #expect(repaired(certainSteps("o1l")) == "o1l", "two letters and a digit may be a code")
    }

    @Test func `A doubtful blank inside a word of the list is removed`() {
        let blank: [[(Character, Float)]] = [[("_", 0.6), (" ", 0.3)]]
        #expect(repaired(certainSteps("descr") + blank + certainSteps("iption")) == "description")
        #expect(repaired(certainSteps("salt") + blank + certainSteps("oil")) == "salt oil")
    }

    @Test func `An improbable point between digits replaces a blank`() {
        #expect(repaired([[("1", 0.9)], [("_", 0.6), (" ", 0.2), (".", 0.1)], [("5", 0.9)]]) == "1.5")
        #expect(repaired([[("1", 0.9)], [("_", 0.7), (" ", 0.2)], [("5", 0.9)]]) == "1 5")
    }

    @Test func `Capitals and umlauts match the word list`() throws {
        let polish = WordList(["śledź", "ŁOSOŚ", "hőség", "żurek", "Ț"])
        for word in ["ŚLEDŹ", "łosoś", "HŐSÉG", "Żurek", "ț"] { #expect(polish.contains(word), "\(word)") }
        #expect(!polish.contains("sledz"))
        let folder = try TemporaryFolder()
        let file = try folder.write(Data("2\nvaječný/YRN\nmléko/P po:noun\n".utf8), to: "cs.dic")
        let stems = WordList(files: [file])
        for word in ["Vaječný", "mléko"] { #expect(stems.contains(word), "of hunspell's dictionary: \(word)") }
        let list = WordList(["Öl", "butter"])
        #expect(list.contains("öl"))
        #expect(list.contains("BUTTER"))
        #expect(!list.contains("butte"))
    }
}
