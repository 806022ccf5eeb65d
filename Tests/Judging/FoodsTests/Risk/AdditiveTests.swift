import Core
import Foundation
import Foods
import TestSupport
import Testing

@Suite struct `Additives of an ingredient list` {
    private func additives(_ text: String, _ language: String? = "en") throws -> [String] {
        AdditiveFinder(try Shipped.risk.release).additives(in: text, language: language)
    }

    @Test func `numbers are read in every spelling`() throws {
        #expect(
            try additives("water, E 330, e-202, E450(i), INS 471, E 160a") == [
                "E330", "E202", "E450", "E450i", "E471", "E160a",
            ])
        #expect(try additives("colour (120, 133)") == ["E120", "E133"])
        #expect(try additives("120 g flour, 330 ml milk").isEmpty)
    }

    @Test(arguments: [
        ("en", "potassium sorbate"), ("de", "Kaliumsorbat"), ("fr", "sorbate de potassium"),
        ("es", "sorbato potásico"), ("it", "sorbato di potassio"), ("nl", "kaliumsorbaat"),
        ("pt", "sorbato de potássio"), ("pl", "sorbinian potasu"), ("cs", "sorban draselný"), ("hu", "kálium-szorbát"),
    ])
    func `names are read in ten languages`(language: String, name: String) throws {
        #expect(try additives("x, \(name.uppercased()), y", language) == ["E202"], "\(name)")
    }

    @Test(arguments: [
        (
            "en", "stabiliser (E34O), E3OO, E-47l, INS 25O, E47 6, E 62 7",
            ["E340", "E300", "E471", "E250", "E476", "E627"]
        ),
        (
            "es", "emulgentes (E-471/E-472b), estabilizantes (E-410/E-412/E-407)",
            ["E471", "E472b", "E410", "E412", "E407"]
        ),
        ("pl", "sorbinian p0tasu", ["E202"]), ("hu", "nátrium-g1utamát", ["E621"]),
        ("en", "SODIUM BEN-\nZOATE, water", ["E211"]), ("de", "Guarkern-\nmehl; Natrium-\nnitrit", ["E412", "E250"]),
    ])
    func `letters that reading confuses, and words that a line cuts, are read`(
        language: String, text: String, numbers: [String]
    ) throws {
        #expect(try additives(text, language) == numbers, "\(text)")
    }

    @Test(arguments: [
        "salt <2%, E250, cocoa >30%", "contains < 2 % of: E250, > 30 % cocoa",
        "<b>sugar</b>, <span class=\"x\">E250</span>, a<b, c>d",
        "<strong>milk</strong> <2%, E250 <br/>", "salt <2 %, E250",
    ])
    func `less and more than a share are no tags`(text: String) throws {
        #expect(try additives(text) == ["E250"], "\(text)")
    }

    @Test func `words that look misread only are no additives`() throws {
        #expect(try additives("E-mail, 100 g, E1O, Elle, INSEL, egal, eso si").isEmpty)
        #expect(try additives("mono- und Pflanzenfett", "de").isEmpty)
    }

    @Test func `two additives share one class`() throws {
        #expect(try additives("conservateurs : nitrite de sodium et nitrate de potassium", "fr") == ["E250", "E252"])
    }

    @Test(arguments: [
        ("fr", "conservateurs : nitrates de sodium et de potassium", ["E251", "E252"]),
        ("fr", "poudres à lever : carbonates de sodium et d'ammonium", ["E500", "E503"]),
        ("en", "preservatives: sodium and potassium nitrates", ["E251", "E252"]),
        ("en", "preservatives: potassium and sodium nitrite", ["E249", "E250"]),
        ("de", "Konservierungsstoffe: Natrium- und Kaliumnitrat", ["E251", "E252"]),
        ("de", "Konservierungsstoffe: Natrium- und Kaliumnitrit", ["E250", "E249"]),
        ("es", "conservadores: nitratos de sodio y de potasio", ["E251", "E252"]),
        ("it", "conservanti: nitrati di sodio e di potassio", ["E251", "E252"]),
        ("pt", "conservantes: nitratos de sódio e de potássio", ["E251", "E252"]),
        ("nl", "conserveermiddelen: natrium- en kaliumnitraat", ["E251", "E252"]),
        ("pl", "substancje konserwujące: azotany sodu i potasu", ["E251", "E252"]),
    ])
    func `two additives share one noun, in the plural too`(language: String, text: String, numbers: [String]) throws {
        let found = try additives(text, language)
        #expect(found.filter { !$0.contains("i") } == numbers, "\(text)")
    }

    @Test func `an ingredient beside an additive borrows no noun`() throws {
        #expect(try additives("salt and sodium nitrite") == ["E250"])
        #expect(try additives("water and potassium sorbate") == ["E202"])
    }

    @Test func `a mineral is an additive only after a class that fits`() throws {
        #expect(try additives("flour, calcium carbonate").isEmpty)
        #expect(try additives("flour, acidity regulator: calcium carbonate") == ["E170", "E170i"])
        #expect(try additives("vitamins (riboflavin, niacin)").isEmpty)
        #expect(try additives("riboflavin (vitamin B2)").isEmpty)
        #expect(try additives("vitamins: niacin (vitamin PP), riboflavin (vitamin B2)").isEmpty)
        #expect(try additives("colour: riboflavin") == ["E101"])
        #expect(try additives("gelatin, mineral oil, carnauba wax").contains("E903"))
        #expect(try additives("gelatin, mineral oil, carnauba wax").contains { $0.hasPrefix("E905") })
    }

    @Test func `origin and qualifiers do not hide an additive, and almond milk is no milk`() throws {
        #expect(try additives("emulsifier: soybean lecithin") == ["E322", "E322i"])
        #expect(try additives("émulsifiant : lécithines de tournesol", "fr") == ["E322", "E322i"])
        #expect(try additives("emulsifier: lecithins") == ["E322"])
        let assessment = try Shipped.risk.assessment(ofText: "almond milk", .init(language: "en"))
        #expect(assessment.no_evidence.map(\.name) == ["almond milk"])
    }

    @Test func `a misread name is never looked up`() throws {
        #expect(try additives("sodlum nitrlte").isEmpty)
        let assessment = try Shipped.risk.assessment(ofText: "pork, sodlum nitrite", .init(language: "en"))
        #expect(assessment.not_read.map(\.name) == ["sodlum nitrite"])
        #expect(assessment.not_read[0].risk == "Could not be read")
        #expect(assessment.limits.contains("unread"))
    }

    @Test(arguments: [
        "", "(((((((", "))))", "E", "E12345678901234567890", "%%%%", "<<<<", "a < b, E330", ",,,;:", "\u{0}\u{301}",
    ])
    func `broken text does no harm`(text: String) throws {
        _ = try additives(text, nil)
        _ = try Shipped.risk.assessment(ofText: text)
        _ = try Shipped.risk.assessment(ofText: String(repeating: text + "(", count: 2000))
    }

    @Test func `a name and its number are one ingredient`() throws {
        let assessment = try Shipped.risk.assessment(ofText: "water, sodium benzoate (E211)", .init(language: "en"))
        #expect(assessment.high_risk.map(\.name) == ["sodium benzoate"])
    }
}
