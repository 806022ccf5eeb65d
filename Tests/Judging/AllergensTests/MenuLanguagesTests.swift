import Core
import Documents
import Testing

@testable import Allergens

/// What menus print beside their dishes, in each language of the lexicons.
@Suite struct `Words of menus by language` {
    private static let lexicons = (try? AllergenLexicon.loadAll(from: Judge.models)) ?? []
    private static var printed: [AllergenLexicon] { lexicons.filter { $0.language != AllergenLexicon.everywhere } }
    /// Languages with blanks between words, and their headings of legends.
    private static let headings = printed.filter { $0.isUnspaced != true }.flatMap { lexicon in
        lexicon.headings.legend.map { (lexicon.language, $0) }
    }

    /// The name by which a language declares an allergen: one word that is no dish.
    private static func name(of allergen: Allergen, in language: String) -> String? {
        let entries = printed.first { $0.language == language }?.entries ?? []
        return entries.filter { $0.allergen == allergen && $0.kind != .dish }.lazy.flatMap(\.words)
            .first { !$0.contains(" ") }
    }

    @Test func `the lexicons give each test its cases`() {
        #expect(Self.printed.count == 17 && Self.headings.count > 60 && Self.advisories.count > 40)
    }

    @Test(arguments: printed.map(\.language))
    func `each language has headings of legends and menus, and precautions`(language: String) throws {
        let lexicon = try #require(Self.printed.first { $0.language == language })
        #expect(!lexicon.headings.legend.isEmpty && !lexicon.headings.menu.isEmpty)
        #expect(!lexicon.sizes.isEmpty && lexicon.precaution.count >= 3)
    }

    /// The dishes "Abcde" and "Vwxyz" with codes, and a legend whose entries have no sign, each code and name apart by a gap.
    private func declared(_ heading: String, _ codes: [(code: String, name: String)], gap: Double) throws -> [Set<
        Allergen
    >] {
        var page = PageBuilder()
        page.line("Abcdefg (\(codes.map(\.code).joined(separator: ",")))", advance: false)
        page.line("9,50", x: 500)
        page.line("Vwxyzuv (\(codes[0].code))", advance: false)
        page.line("8,50", x: 500)
        page.line("Qrstopq (\(codes[0].code))", advance: false)
        page.line("7,50", x: 500)
        page.skip()
        page.row([heading.uppercased() + ":"] + codes.flatMap { [$0.code, $0.name] }, gap: gap)
        let items = try #require(try Judge.menu(page.reading)).sections.flatMap(\.items)
        return items.map { item in
            Set((item.verdicts["everyone"] ?? [:]).filter { $0.value.verdict == .contains }.keys)
        }
    }

    @Test(arguments: headings, [0.5, 2, 4])
    func `a legend without signs is read below each heading, though gaps divide codes from names`(
        heading: (language: String, text: String), gap: Double
    ) throws {
        let names = try [Allergen.fish, .milk, .celery, .mustard].map {
            try #require(Self.name(of: $0, in: heading.language), "\($0)")
        }
        let codes = zip(["F", "M", "S", "Se"], names).map { (code: $0, name: $1) }
        let found = try declared(heading.text, codes, gap: gap)
        #expect(found.count == 3)
        #expect(found.first?.isSuperset(of: [.fish, .milk, .celery, .mustard]) == true, "\(found)")
        #expect(found.dropFirst().allSatisfy { $0 == [.fish] }, "\(found)")
    }

    // MARK: Warnings of raw food

    private static let advisories = printed.flatMap { lexicon in
        (lexicon.advisories ?? []).map { (language: lexicon.language, open: $0.open, close: $0.close ?? "") }
    }

    private static func warning(_ one: (language: String, open: String, close: String)) -> String {
        let foods = [Allergen.fish, .eggs, .milk].compactMap { name(of: $0, in: one.language) }
        return "*\(one.open) \(foods.joined(separator: ", ")) xx yy zz \(one.close)."
    }

    @Test(arguments: advisories)
    func `a warning of raw food names no ingredient, and hides none before it`(
        one: (language: String, open: String, close: String)
    ) throws {
        let warning = Self.warning(one)
        let alone = try Judge.interpreter().findings(inText: "Abcdefg.\n" + warning, language: one.language)
        #expect(alone.allSatisfy { $0.polarity == .likely }, "\(warning): \(alone.map(\.allergen))")
        let name = try #require(Self.name(of: .mustard, in: one.language))
        let found = try Judge.allergens("Abcdefg, \(name) " + warning, language: one.language)
        #expect(found == [.mustard], "\(warning)")
    }

    @Test(arguments: advisories, [1, 2, 3, 5])
    func `a warning of raw food on several lines of a menu warns at no dish`(
        one: (language: String, open: String, close: String), lines: Int
    ) throws {
        var page = PageBuilder()
        for (name, price) in [("Abcdefg", "9,50"), ("Vwxyzuv", "8,50"), ("Qrstopq", "7,50"), ("Klmnopq", "6,50")] {
            page.line(name, advance: false)
            page.line(price, x: 500)
        }
        let words = Self.warning(one).split(separator: " ")
        let length = (words.count + lines - 1) / lines
        for start in stride(from: 0, to: words.count, by: length) {
            page.line(words[start..<min(words.count, start + length)].joined(separator: " "))
        }
        let menu = try #require(try Judge.menu(page.reading))
        let found =
            menu.sections.flatMap(\.items).flatMap(\.findings) + (menu.unread ?? []).flatMap { $0.findings ?? [] }
        #expect(found.isEmpty, "\(found.map(\.allergen))")
        #expect(menu.sections.flatMap(\.items).count == 4)
    }

    @Test(arguments: advisories)
    func `the line above a warning of raw food stays what it is`(
        one: (language: String, open: String, close: String)
    ) throws {
        var page = PageBuilder()
        page.line("Defghij")
        page.line(Self.warning(one))
        let layout = try PageLayout(PrintedPage(page.reading.lines, amounts: AmountWords(from: Judge.models)))
        let legend = try MenuLegend(layout, detector: Judge.interpreter().detector)
        #expect(layout.texts.count == 2 && legend.roles == [1: .note], "\(legend.roles)")
    }
}
