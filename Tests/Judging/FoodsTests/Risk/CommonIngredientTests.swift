import Core
import Foundation
import Foods
import TestSupport
import Testing

/// The 150 commonest ingredients of 2,146 label texts, each by its commonest name; minerals after a class that makes them
/// additives.
@Suite struct `Sheets of common ingredients` {
    private static let names = [
        "it": """
        sale, zucchero, acqua, aromi, farina di frumento, latte, acido citrico, uova, fermenti lattici, caglio, \
        olio di semi di girasole, olio extravergine di oliva, cipolla, aglio, burro, destrosio, mozzarella, \
        carbonato acido di sodio, burro di cacao, antiossidante: acido ascorbico, sedano, spezie, \
        amido modificato di mais, soia, amido di mais, polpa di pomodoro, siero di latte, aceto di vino, \
        pasta di cacao, carote, vino bianco, latte scremato in polvere, sciroppo di glucosio fruttosio, \
        pomodori, panna, patate, pepe, cacao, pectina, semi di sesamo, zucchero di canna, basilico, \
        farina di riso, prezzemolo, carne di suino, fecola di patate, amido di frumento, acido lattico, \
        nitrito di sodio, mono e digliceridi degli acidi grassi, curcuma, gomma di xanthan, farina di mais, \
        porro, gomma di guar, antiossidante: ascorbato di sodio, latte intero in polvere, mais, succo di limone, \
        fragole, riso, agente lievitante: carbonati di sodio, cocco, estratto di lievito, proteine del latte, \
        carbonato acido di ammonio, piselli, difosfato disodico, agente lievitante: carbonati di ammonio, \
        zucchine, cavolo verza, grassi vegetali, amido di tapioca, vitamina b6, spinaci, estratto di rosmarino, \
        carne di tacchino, fagiolini, origano, zucca, funghi porcini, rosmarino, lecitine, pangrattato, farro, \
        tartrati di potassio, acido sorbico
        """,
        "en": """
        yeast, soy lecithin, palm oil, riboflavin, niacin, almonds, thiamine mononitrate, reduced iron, \
        folic acid, rolled oats, vegetable oil, malted barley flour, honey, flour, enriched wheat flour, \
        lactose, yogurt, potassium sorbate, sulfites, carrageenan, peanuts, sodium citrate, soybean oil, \
        maltodextrin, milkfat, apple, b12, calcium carbonate, paprika, stabilizer: sodium phosphate, vanilla, \
        chocolate, raisins, sunflower seeds, cashews, molasses, vitamin a palmitate, coconut oil, sucralose, \
        corn syrup, malic acid, walnuts, cinnamon, isolated soy protein, calcium pantothenate, \
        monocalcium phosphate, beta carotene, sodium benzoate, coffee, palm kernel oil, diphosphates
        """,
        "fr": """
        sirop de glucose, fruits à coque, huile de colza, extrait de malt d'orge, noisettes, gluten de blé, \
        moutarde, piment, poisson, affermissant : chlorure de calcium, \
        agent de traitement de la farine : iodate de potassium, crustacés
        """,
    ]
    private static var day: Regex<Substring> { /\d{4}-\d\d-\d\d/ }

    private func sheets(reader: String = "en") throws -> [IngredientAssessment] {
        try Self.names.sorted { $0.key < $1.key }.flatMap { language, names in
            try names.split(separator: ", ").map {
                try Shipped.risk.assessment(ofText: String($0), .init(language: language, reader: reader))
            }
        }
    }

    @Test(arguments: ["en", "de"])
    func `each says what it is, or when that was looked for, with references that resolve`(reader: String) throws {
        let release = try Shipped.risk.release
        let all = try sheets(reader: reader)
        #expect(all.count == 150)
        for assessment in all {
            let one = try #require(assessment.ingredients.first)
            #expect(!one.subjects.isEmpty, "\(one.name)")
            let cited = Set(one.citations).intersection(assessment.citations.map(\.id))
            #expect(cited.count == one.citations.count, "\(one.name)")
            #expect(assessment.citations.allSatisfy { URL(string: $0.url)?.host() != nil })
            if let text = one.overview {
                let known = try #require(release.overview(of: one.subjects, language: reader), "\(one.name)")
                #expect(known.text == text && Forbidden.found(in: text) == nil)
                #expect(!known.references.isEmpty)
                #expect(Set(known.references).isSubset(of: assessment.citations.map(\.ref)), "\(one.name)")
                for use in one.common_uses { #expect(release.useName(use, language: "de") != use, "\(use)") }
            } else {
                let nothing = release.nothing(.description, on: one.subjects, language: reader)
                #expect(nothing.contains(Self.day), "\(one.name): \(nothing)")
            }
            if one.statements.isEmpty { #expect(one.risk.contains(Self.day), "\(one.name): \(one.risk)") }
        }
    }

    @Test func `most have a description, uses or a statement`() throws {
        let all = try sheets().compactMap(\.ingredients.first)
        #expect(all.count { $0.overview != nil } >= 148)
        #expect(all.count { !$0.common_uses.isEmpty } >= 67)
        #expect(all.count { !$0.statements.isEmpty } >= 144)
    }

    @Test func `a search in vain is dated by its day, another gap by the release`() throws {
        let release = try Shipped.risk.release
        #expect(
            release.nothing(.description, on: ["ing:breadcrumbs"], language: "en")
                == "No description on file; last searched for on 2026-11-30")
        #expect(
            release.nothing(.description, on: [], language: "de")
                == "Keine Beschreibung hinterlegt in der Ausgabe vom \(release.date)")
        let text = AssessmentText(
            try Shipped.risk.assessment(ofText: "vinegar, quinoa", .init(language: "en")), release
        ).lines.joined(separator: "\n")
        #expect(text.contains("no evidence: vinegar") && text.contains("more than 4 g acetic acid"))
        #expect(text.contains("No evidence on file in the release of \(release.date): quinoa"))
    }

    @Test func `sugars and saturated fat of the table are shown beside the reference intake`() throws {
        let table = NutritionPer100(energyKJ: 1500, saturatedFat: 5, sugars: 45, salt: 0.1)
        let one = try Shipped.risk.assessment(
            ofText: "sugar, palm oil, salt", .init(language: "en", nutrition: table))
        let doses = one.ingredients.reduce(into: [:]) { $0[$1.name] = $1.dose }
        #expect(doses["sugar"]?.share == 0.5 && doses["palm oil"]?.share == 0.25)
        #expect(
            doses["sugar"]?.text.contains("45 g of sugars of all kinds: 50 % of the reference intake of 90") == true)
        #expect(doses["palm oil"]?.text.contains("saturated fatty acids from all ingredients") == true)
        #expect(doses["salt"]?.sodium != nil)
        let without = try Shipped.risk.assessment(ofText: "sugar, palm oil", .init(language: "en"))
        #expect(without.ingredients.allSatisfy { $0.dose == nil })
    }

    @Test func `of a group and its part, the description is that of the part`() throws {
        let release = try Shipped.risk.release
        let part = try #require(release.overview(of: ["ing:egg-white"], language: "en"))
        #expect(release.overview(of: ["ing:egg", "ing:egg-white"], language: "en") == part)
        #expect(release.overview(of: ["ing:egg"], language: "en") != part)
    }
}
