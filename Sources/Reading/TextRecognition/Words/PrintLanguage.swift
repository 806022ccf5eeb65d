import Foundation
import Core

/// Properties of text in one language: its letters and its frequent words.
struct PrintLanguage: Sendable, Decodable {
    /// BCP 47 code.
    let code: String
    /// Tesseract's code.
    let tesseract: String
    /// Letters beyond a–z in the language's own words, lower case.
    let letters: String
    /// Further letters of loanwords on menus, lower case.
    let borrowedLetters: String
    /// Frequent words of texts, menus and labels, lower case.
    let words: [String]
    /// Files of the system's word lists below /usr/share/dict, or hunspell's dictionary if Debian has none.
    let wordLists: [String]

    /// True for a letter beyond ASCII that text in this language does not contain.
    func isForeign(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first, scalar.value >= 0xC0, character.isLetter else {
            return false
        }
        let lower = Character(character.lowercased().first.map(String.init) ?? String(character))
        return !letters.contains(lower) && !borrowedLetters.contains(lower)
    }
}

/// The supported languages and the data by which text is classified, from `models/text/languages.json`.
struct PrintLanguages: Sendable {
    let languages: [PrintLanguage]
    /// Letters that are misread as a digit, whatever the language.
    let lookAlikes: [Character: [Character]]
    /// The languages of a word, as indices of `languages`.
    private let languagesOfWord: [String: [Int]]
    private let writers: [Character: [Int]]

    /// - Throws: `StartupError` if the file is missing or invalid.
    init(models: ModelFolder) throws {
        let file = try models.load(File.self, from: "text/languages.json")
        self.init(
            file.languages,
            lookAlikes: Dictionary(
                file.lookAlikes.map { (Character($0), Array($1)) }, uniquingKeysWith: { one, _ in one }))
    }

    private struct File: DataFile {
        static let schema = "tablesight.printLanguages/1"

        let lookAlikes: [String: String]
        let languages: [PrintLanguage]

        func validate(name: String) throws(DataFileProblem) {
            for (digit, letters) in lookAlikes {
                try DataFileProblem.check(
                    digit.count == 1 && digit.first?.isNumber == true && !letters.isEmpty
                        && letters.allSatisfy(\.isLetter),
                    "lookAlikes", "\"\(digit)\": \"\(letters)\": give one digit and the letters that look like it")
            }
        }
    }

    init(_ languages: [PrintLanguage], lookAlikes: [Character: [Character]] = [:]) {
        self.languages = languages
        self.lookAlikes = lookAlikes
        var languagesOfWord: [String: [Int]] = [:]
        var writers: [Character: [Int]] = [:]
        for (index, language) in languages.enumerated() {
            for word in Set(language.words) { languagesOfWord[word, default: []].append(index) }
            for letter in Set(language.letters) { writers[letter, default: []].append(index) }
        }
        self.languagesOfWord = languagesOfWord
        self.writers = writers
    }

    /// Evidence for each language in a text. A word or letter counts less if several languages share it.
    func evidence(in text: String) -> [Double] {
        var scores = [Double](repeating: 0, count: languages.count)
        let lower = text.lowercased()
        for word in lower.split(whereSeparator: { !$0.isLetter }) {
            guard let indices = languagesOfWord[String(word)] else { continue }
            for index in indices { scores[index] += 1 / Double(indices.count) }
        }
        for letter in lower {
            guard let indices = writers[letter] else { continue }
            for index in indices { scores[index] += 0.5 / Double(indices.count) }
        }
        return scores
    }

    /// Minimum evidence for a language.
    static let minEvidence = 1.5

    /// The language of each line, determined from its own and its neighbours' words. Nil if the evidence is too weak.
    ///
    /// - Parameter texts: Lines in reading order.
    func language(ofEach texts: [String]) -> [PrintLanguage?] {
        let scores = texts.map(evidence(in:))
        let page = scores.reduce([Double](repeating: 0, count: languages.count)) { zip($0, $1).map { $0 + $1 } }
        let whole = max(1, page.reduce(0, +))
        return texts.indices.map { index in
            var local = [Double](repeating: 0, count: languages.count)
            for neighbour in max(0, index - Self.reach)...min(texts.count - 1, index + Self.reach) {
                let weight = 1 / Double(1 + abs(neighbour - index))
                for language in local.indices { local[language] += weight * scores[neighbour][language] }
            }
            // The mixture of languages on the page counts like two words.
            for language in local.indices { local[language] += 2 * page[language] / whole }
            guard let best = local.indices.max(by: { local[$0] < local[$1] }), local[best] >= Self.minEvidence else {
                return nil
            }
            return languages[best]
        }
    }

    private static let reach = 2
}

/// The languages of text recognition, for `tablesight doctor`.
package struct PrintLanguageList {
    /// BCP 47 code and Tesseract's code of each language.
    package let languages: [(code: String, tesseract: String)]

    /// - Throws: `StartupError` if `models/text/languages.json` is missing or invalid.
    package init(models: ModelFolder) throws {
        let all = try PrintLanguages(models: models).languages
        languages = all.map { ($0.code, $0.tesseract) }
        missingWordLists = all.compactMap { language in
            let missing = WordLists.missing(of: language)
            return missing.isEmpty ? nil : (language.code, missing)
        }
    }

    /// Languages with missing word lists. Their words are not repaired.
    package let missingWordLists: [(code: String, files: [String])]
}
