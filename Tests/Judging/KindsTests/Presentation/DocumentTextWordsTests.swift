import Core
import TestSupport
import Testing

@testable import Kinds

/// Texts about documents have words, not keys, in every language.
@Suite struct DocumentTextWordsTests {
    private let wordings: [String: Wording]

    init() throws { wordings = try Wording.loadAll(from: ModelFolder(Repository.models)) }

    private func value(_ text: String, _ unit: String? = nil) -> ReadValue {
        ReadValue(value: text, unit: unit, confidence: 0.9)
    }

    private var nutrition: Nutrition {
        var basis = Nutrition.Basis(per: "serving")
        (basis.energyKJ, basis.energyKcal) = (value("1046", "kJ"), value("250", "kcal"))
        (basis.saturatedFat, basis.salt) = (value("1.2", "g"), value("0.3"))
        return Nutrition(basis: [basis])
    }

    @Test func `a nutrition table names nutrients and portions in the reader's language`() {
        #expect(wordings.count == 10)
        for (language, wording) in wordings {
            let text = DocumentText(wording).lines(of: nutrition).joined(separator: "\n")
            for key in ["energyKJ", "energyKcal", "saturatedFat"] {
                #expect(!text.contains(key), "\(language): \(text)")
            }
            if language != "en" { #expect(!text.contains("serving"), "\(language): \(text)") }
            #expect(!text.contains(" \n") && !text.hasSuffix(" "), "\(language): a blank without a unit")
        }
        let english = wordings["en"].map { DocumentText($0).lines(of: nutrition) } ?? []
        #expect(english.contains("    energy: 250 kcal"))
        #expect(english.contains("    of which saturates: 1.2 g"))
    }

    @Test func `a failed check is shown below the figures`() throws {
        let text = DocumentText(try #require(wordings["en"]))
        var (table, tag) = (nutrition, PriceTag())
        table.checks = [ArithmeticCheck(check: "parts", holds: true)]
        #expect(text.lines(of: table).last == "  the figures agree", "a nutrition table has no amounts of money")
        table.checks += [ArithmeticCheck(check: "kilojoules", holds: false)]
        tag.checks = [ArithmeticCheck(check: "unitPrice", holds: false)]
        #expect(text.lines(of: table).last == "  the figures do not agree: compare with the photo")
        #expect(text.lines(of: tag).last == "  the amounts do not agree: compare with the photo")
    }

    @Test func `a unit price without a known unit has no question mark`() throws {
        let text = DocumentText(try #require(wordings["de"]))
        var tag = PriceTag()
        tag.unitPrice = value("1.58")
        #expect(text.lines(of: tag) == ["    1.58"])
        tag.unit = value("piece")
        #expect(text.lines(of: tag) == ["    1.58 / Stück"])
        tag.unit = value("100g")
        #expect(text.lines(of: tag) == ["    1.58 / 100 g"])
    }
}
