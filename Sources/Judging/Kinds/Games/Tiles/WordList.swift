import Foundation
import Core

/// Words in capitals, from a list with one word for each line, as Debian's wordlist packages install it.
struct WordList: Sendable {
    private let words: Set<String>

    var count: Int { words.count }

    /// Omits words with characters other than letters, and names. Names have a capital first letter. In languages
    /// that capitalise nouns, capitals are accepted.
    init(_ lines: some Sequence<Substring>, nounsAreCapitalised: Bool) {
        words = Set(
            lines.lazy.filter { word in
                word.count > 1 && word.allSatisfy(\.isLetter)
                    && (nounsAreCapitalised || word.first?.isLowercase == true)
            }.map { $0.uppercased() })
    }

    /// - Throws: ``StartupError`` (69) with the package to install if the list does not exist.
    init(file: URL, package: String, nounsAreCapitalised: Bool) throws {
        guard let data = try? Data(contentsOf: file) else {
            throw StartupError(
                .unavailable, "no word list at \(file.path): install it with sudo apt-get install \(package)")
        }
        self.init(
            String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline),
            nounsAreCapitalised: nounsAreCapitalised)
    }

    func contains(_ word: String) -> Bool { words.contains(word.uppercased()) }

    private static let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜ"

    /// A word of the list with one more letter before or after, the alphabetically first letter; nil for none.
    func longer(than word: String) -> String? {
        Self.alphabet.lazy.flatMap { [word.uppercased() + String($0), String($0) + word.uppercased()] }
            .first(where: words.contains)
    }

    /// A word of the list that differs in one letter, the alphabetically first replacement; nil for none.
    func nearest(to word: String) -> String? {
        let letters = Array(word.uppercased())
        for index in letters.indices {
            for letter in Self.alphabet where letter != letters[index] {
                var changed = letters
                changed[index] = letter
                if words.contains(String(changed)) { return String(changed) }
            }
        }
        return nil
    }
}
