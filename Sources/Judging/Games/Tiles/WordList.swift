import Foundation
import Core

/// Words in capitals, from a list with one word a line, as Debian's wordlist packages install them.
struct WordList: Sendable {
    private let words: Set<String>

    var count: Int { words.count }

    /// Names (words with a capital first letter, where the language has few) and words with other signs than letters are left
    /// out; in languages that capitalise nouns the capital says nothing.
    init(_ lines: some Sequence<Substring>, nounsAreCapitalised: Bool) {
        words = Set(
            lines.lazy.filter { word in
                word.count > 1 && word.allSatisfy(\.isLetter)
                    && (nounsAreCapitalised || word.first?.isLowercase == true)
            }.map { $0.uppercased() })
    }

    /// - Throws: ``StartupError`` (69) that says how to get the list, where it is not there.
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

    /// A word that one changed letter makes; the first in the alphabet's order of the changed letters.
    func nearest(to word: String) -> String? {
        let letters = Array(word.uppercased())
        for index in letters.indices {
            for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜ" where letter != letters[index] {
                var changed = letters
                changed[index] = letter
                if words.contains(String(changed)) { return String(changed) }
            }
        }
        return nil
    }
}
