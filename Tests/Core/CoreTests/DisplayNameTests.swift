import Foundation
import Testing

@testable import Core

@Suite struct DisplayNameTests {
    /// Every scalar below U+0590, and a sample of the others.
    private static let scalars: [Unicode.Scalar] =
        (Array(UInt32(0)..<0x590) + stride(from: UInt32(0x590), to: 0x3400, by: 7)
        + stride(from: UInt32(0x3400), to: 0x11_0000, by: 397)).compactMap(Unicode.Scalar.init)

    @Test func `over Unicode, an accepted name is NFC, visible and single-spaced, and any spelling has its key`() throws
    {
        var accepted = 0
        for scalar in Self.scalars {
            let text = "a\(scalar)"
            guard let name = try? DisplayName(text) else { continue }
            accepted += 1
            #expect(
                name.shown.utf8.elementsEqual(name.shown.precomposedStringWithCanonicalMapping.utf8), "\(scalar.value)")
            #expect((1...60).contains(name.shown.count), "\(scalar.value)")
            for part in name.shown.unicodeScalars {
                let category = part.properties.generalCategory
                let hidden: [Unicode.GeneralCategory] = [
                    .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator, .format,
                ]
                #expect(!hidden.contains(category), "U+\(String(scalar.value, radix: 16))")
                #expect(
                    !part.properties.isDefaultIgnorableCodePoint || part == "\u{FE0E}" || part == "\u{FE0F}",
                    "U+\(String(scalar.value, radix: 16))")
            }
            for spelling in [
                text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCompatibilityMapping,
                " \(text)\u{A0}", "a\u{200B}\(scalar)", "\u{FEFF}\(text)", name.shown, name.key,
            ] {
                #expect(
                    DisplayName.key(of: spelling).utf8.elementsEqual(name.key.utf8),
                    "U+\(String(scalar.value, radix: 16)) as \(Array(spelling.unicodeScalars))")
            }
        }
        #expect(accepted > 1500)
    }

    @Test(arguments: [
        ("Zo\u{EB}", "Zoe\u{308}"), ("Zoë", "ZOË"), ("Groß", "GROSS"), ("Ada", "Ａｄａ"), ("Ada", "a\u{AD}da"),
        ("Anna Lena", " Anna \u{A0} Lena\n"), ("Σίσυφος", "ΣΊΣΥΦΟΣ"), ("가", "\u{1100}\u{1161}"), ("ﬁnn", "Finn"),
    ])
    func `two spellings are one name`(one: String, other: String) {
        #expect(DisplayName.areEqual(one, other))
    }

    @Test(arguments: [("Zoë", "Zoe"), ("Ada", "Ida"), ("ırmak", "irmak"), ("Ada", "Аda"), ("Ann", "Ann 2")])
    func `two names stay two`(one: String, other: String) {
        #expect(!DisplayName.areEqual(one, other))
    }

    @Test(arguments: [
        "Ada", "Zoë", "Anna-Lena O’Brien", "李小龍", "山田タロウ", "Ada山田", "김철수", "Иван", "Ιωάννα", "محمد", "שרה",
        "प्रिया", "क्\u{200D}ष", "علی\u{200C}رضا", "Ada Иван", "Ben 2", "👩\u{200D}🍳 Leo", "❤\u{FE0F}", "José", "Nguyễn",
        "ไทย",
        "Zoe\u{308}\u{323}",
    ])
    func `names of people are accepted`(name: String) throws {
        #expect(try DisplayName(name).shown == name.precomposedStringWithCanonicalMapping)
    }

    @Test(arguments: [
        "", "   ", "---", "\n", "\u{200B}", "Ad\u{200B}a", "Ada\u{202E}", "\u{2066}Ada", "Ada\u{85}x", "Ada\u{9B}31m",
        "Ad\u{0}a",
        "Ada\tB", "A\nB", "A\u{2028}B", "Ad\u{AD}a", "Ada\u{FE0F}", "Ad\u{200D}a", "\u{3164}", "\u{2800}", "\u{FFFD}",
        "\u{E000}", "\u{308}Ada", "A\u{301}\u{301}da", "A\u{301}\u{302}\u{303}\u{304}\u{306}\u{307}", "\u{E0041}Ada",
        "Аda", "Adа", "Leοn", "Bеn", "Лeo", "Ꭰaniel", "ᏞᎬᎾa", String(repeating: "x", count: 61),
        String(repeating: "👩\u{200D}", count: 200) + "👩",
    ])
    func `a name that looks like another, or like nothing, is refused`(name: String) {
        #expect(throws: NameProblem.self) { try DisplayName(name) }
    }

    @Test func `a name of another program is cleaned`() {
        #expect(DisplayName.cleaned("\u{200E}Кафе\u{202C} МегаMart ") == "Кафе МегаMart")
        #expect(DisplayName.cleaned("\u{200B}\u{202E}") == nil)
        #expect(DisplayName.cleaned(String(repeating: "ab", count: 50))?.count == 60)
    }

    @Test func `the ranges of scripts are sorted and do not overlap`() throws {
        for (text, script) in [
            ("a", "Latin"), ("ё", "Cyrillic"), ("ω", "Greek"), ("漢", "Han"), ("々", "Han"), ("ー", "Common"),
            ("か", "Hiragana"),
            ("Ꭰ", "Other"),
        ] {
            let scalar = try #require(text.unicodeScalars.first)
            #expect(LetterScript.of(scalar) == Substring(script), "\(text)")
        }
        #expect(LetterScript.of("1") == nil)
        #expect(LetterScript.of("\u{301}") == nil)
    }
}
