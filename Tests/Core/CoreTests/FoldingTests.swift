import Core
import Foundation
import Testing

@Suite struct FoldingTests {
    @Test(arguments: [
        ("Käse", "kase"), ("STRASSE ß", "strasse ss"), ("Crème brûlée, 4 %", "creme brulee, 4 %"),
        ("Œuf Ærø", "oeuf aero"),
        ("łosoś đ ı", "losos d i"), ("いか", "イカ"), ("e\u{301}t\u{E9}", "ete"), ("½ ² ª", "½ ² ª"),
    ])
    func `text is folded to small letters without accents`(text: String, folded: String) {
        #expect(Folding.fold(text) == folded)
    }

    /// Foundation folds one scalar at a time, slowly; the table must say the same.
    @Test func `the words of a phrase are the texts of its tokens`() {
        for value in UInt32(1)..<0x370 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for phrase in ["a\(scalar)b", "\(scalar)", " \(scalar)\(scalar)-Käse 2"] {
                #expect(Folding.words(of: phrase) == Folding.tokens(of: Array(phrase.unicodeScalars)).map(\.text))
            }
        }
        #expect(
            Folding.words(of: "Crème brûlée, Weißwurst & 2 ŒUFS") == ["creme", "brulee", "weisswurst", "2", "oeufs"])
        #expect(Folding.spellings(of: "Käse") == [["kase"], ["kaese"]])
        #expect(Folding.spellings(of: "Ka\u{308}se") == [["kase"], ["kaese"]])
        #expect(Folding.spellings(of: "Cheese cake") == [["cheese", "cake"]])
    }

    @Test func `every Latin letter folds as Foundation folds it`() throws {
        let special = Set("ßæÆœŒøØłŁđĐı".unicodeScalars)
        for value in UInt32(0x20)..<0x250 {
            let scalar = try #require(Unicode.Scalar(value))
            guard Folding.isWordPart(scalar), !special.contains(scalar) else { continue }
            let expected = String(Character(scalar)).folding(
                options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil
            ).unicodeScalars.filter { !(0x300...0x36F).contains($0.value) }
            #expect(Folding.fold(String(Character(scalar))) == String(String.UnicodeScalarView(expected)), "\(scalar)")
        }
    }

    @Test func `words are split at everything but letters, digits and accents`() {
        let tokens = Folding.tokens(of: Array("Soja-Milch, 3,5 % *bio*".unicodeScalars))
        #expect(tokens.map(\.text) == ["soja", "milch", "3", "5", "bio"])
        #expect(tokens.map(\.isHyphenated) == [false, true, false, false, false])
        #expect(tokens.map(\.isSeparated) == [false, false, true, true, true])
        #expect(tokens.map(\.isNumber) == [false, false, true, true, false])
    }
}
