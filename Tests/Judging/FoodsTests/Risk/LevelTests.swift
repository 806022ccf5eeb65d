import Core
import Foundation
import Foods
import TestSupport
import Testing

@Suite struct `Levels of ingredients` {
    private func assessment(
        _ text: String, jurisdiction: String? = nil, date: String? = nil, language: String = "en",
        nutrition: NutritionPer100? = nil
    ) throws -> IngredientAssessment {
        try Shipped.risk.assessment(
            ofText: text,
            .init(language: language, jurisdiction: jurisdiction, date: date, nutrition: nutrition))
    }

    private func rule(_ text: String, jurisdiction: String? = nil, date: String? = nil) throws -> String? {
        try assessment(text, jurisdiction: jurisdiction, date: date).ingredients.first?.rule
    }

    @Test func `a prohibition counts only in the user's jurisdiction and from its day`() throws {
        #expect(try rule("titanium dioxide", jurisdiction: "EU") == "high.prohibited")
        #expect(try rule("titanium dioxide", jurisdiction: "US") == "high.concern")
        #expect(try rule("titanium dioxide") == "high.concern")
        #expect(try rule("erythrosine", jurisdiction: "US", date: "2026-11-22") != "high.prohibited")
        #expect(try rule("erythrosine", jurisdiction: "US", date: "2027-01-15") == "high.prohibited")
        #expect(try rule("potassium bromate", jurisdiction: "US-CA", date: "2027-01-01") == "high.prohibited")
        #expect(try rule("potassium bromate", jurisdiction: "US", date: "2027-01-01") != "high.prohibited")
    }

    @Test func `a group of a hazard class alone gives no level, unless it is about eating`() throws {
        #expect(try rule("talc") == nil)
        #expect(try rule("butylated hydroxyanisole (E320)") != "moderate.group-by-mouth")
        #expect(try rule("bacon") == "high.group-1-with-dose")
        #expect(try rule("rum") == nil)
    }

    @Test func `an older comparison of intake is history`() throws {
        // The comparison of 2015 is against the value of that year, which was raised in 2019.
        let sorbate = try assessment("potassium sorbate").ingredients[0]
        #expect(sorbate.risk_level == nil)
        #expect(sorbate.statements.contains { $0.text.contains("11 mg sorbic acid") })
        #expect(!sorbate.statements.contains { $0.kind == "exposure" })
        #expect(try rule("sodium metabisulphite") == "moderate.concern-high-intake")
    }

    @Test func `a summary of Open Food Facts is named so`() throws {
        let nitrite = try assessment("sodium nitrite").ingredients[0]
        #expect(nitrite.risk_level == .high)
        #expect(nitrite.rule == "high.mean-above-value")
        #expect(nitrite.statements[0].text.hasPrefix("Open Food Facts' summary of EFSA 2017"))
    }

    @Test func `an allergen raises no level`() throws {
        let one = try assessment("hazelnuts, mustard, celery")
        #expect(one.high_risk.isEmpty && one.moderate_risk.isEmpty && one.low_risk.isEmpty)
        #expect(one.no_level.count == 3)
    }

    @Test func `a missing record is no low risk`() throws {
        let one = try assessment("vinegar, quinoa")
        let nothing = "No evidence on file in the release of \(try Shipped.risk.release.date)"
        #expect(one.no_evidence.map(\.risk) == [nothing, nothing])
        #expect(one.low_risk.isEmpty && one.no_evidence.allSatisfy { $0.citations.isEmpty == ($0.overview == nil) })
    }

    @Test func `an amount on the label gives the share of a daily value, with its source`() throws {
        let table = NutritionPer100(energyKJ: 400, salt: 1.5)
        let salt = try #require(try assessment("water, salt", nutrition: table).moderate_risk.first?.dose)
        #expect(salt.milligrams == 1500 && salt.portion == 100 && salt.share == 0.3)
        #expect(!salt.citations.isEmpty && salt.sodium == 600)
        #expect(salt.text.contains("1500 mg of salt, which is 600 mg of sodium: 30 % of 2 g sodium a day"))
        #expect(try assessment("water, salt").moderate_risk.first?.dose == nil, "no amount, no share")

        let drink = try Shipped.risk.assessment(
            ofText: "water, caffeine. High caffeine content (32 mg/100 ml)", .init(language: "en", portion: 250))
        let caffeine = try #require(drink.ingredients.first { $0.subjects.contains("ing:caffeine") }?.dose)
        #expect(caffeine.milligrams == 80 && caffeine.share == 0.2 && caffeine.bodyWeight == nil)
    }

    @Test func `salt is compared as its sodium in each language, other amounts as they are`() throws {
        let salty = RiskInterpreter.Circumstances(
            language: "en", jurisdiction: "EU", reader: "de", nutrition: NutritionPer100(energyKJ: 400, salt: 0.7))
        let salt = try #require(
            Shipped.risk.assessment(ofText: "water, salt", salty).ingredients.compactMap(\.dose).first)
        #expect(salt.text.contains("700 mg Salz, das sind 280 mg Natrium: 14 % von 2 g Natrium am Tag"))
        let drink = try Shipped.risk.assessment(
            ofText: "water, caffeine. High caffeine content (32 mg/100 ml)", .init(language: "en"))
        let caffeine = try #require(drink.ingredients.compactMap(\.dose).first)
        #expect(caffeine.sodium == nil && !caffeine.text.contains("sodium"))
    }

    @Test func `a table that was read is not said to be missing`() throws {
        func reason(_ nutrition: NutritionPer100?, hasTable: Bool) throws -> String? {
            try Shipped.risk.assessment(ofText: "water, salt", .init(nutrition: nutrition, hasTable: hasTable))
                .components.nutrition.reason
        }
        #expect(try reason(nil, hasTable: false) == "nutrition not read")
        #expect(try reason(nil, hasTable: true) == "nutrition not per 100 g")
        #expect(try reason(NutritionPer100(energyKJ: 400), hasTable: true) == "nutrition incomplete")
    }

    @Test func `a value per kilogram needs a stated body weight`() throws {
        let text = "water, preservative: potassium benzoate 0.015%, sodium benzoate 0.01%"
        let without = try assessment(text)
        #expect(without.ingredients.allSatisfy { $0.dose == nil })
        let with = try Shipped.risk.assessment(ofText: text, .init(language: "en", bodyWeight: 60))
        let doses = with.ingredients.compactMap(\.dose)
        #expect(!doses.isEmpty)
        #expect(doses.allSatisfy { $0.bodyWeight == 60 && $0.share > 0 && $0.text.contains("60 kg") })
    }

    @Test func `NOVA says who disputes it, and nothing is said without a group`() throws {
        let one = try assessment("sugar, natural flavouring")
        let cited = Set(one.components.processing.citations)
        #expect(one.components.processing.nova_group == 4)
        #expect(one.citations.contains { cited.contains($0.id) && $0.ref == "doi:10.1097/nt.0000000000000400" })
        #expect(try assessment("").components.processing.citations.isEmpty)
        #expect(try assessment("").citations.isEmpty)
    }

    @Test func `the user's jurisdiction comes first`() throws {
        let one = try assessment("erythrosine", jurisdiction: "US", date: "2027-02-01").ingredients[0]
        #expect(one.statements.first?.jurisdiction == "US")
        #expect(one.statements.contains { $0.jurisdiction == "EU" || $0.jurisdiction == "US-CA" })
    }

    @Test func `the grade is the Nutri-Score, F only for a prohibited use, and absent without a table`() throws {
        let without = try assessment("sugar, sodium nitrite", jurisdiction: "EU").risk_summary
        #expect(without.grade == nil && without.score == nil && without.reason == "nutrition not read")
        let table = NutritionPer100(energyKJ: 1500, saturatedFat: 0.5, sugars: 5, salt: 0.5)
        let with = try assessment("sugar, sodium nitrite", jurisdiction: "EU", nutrition: table)
        #expect(with.risk_summary.grade == with.components.nutrition.grade)
        #expect(with.risk_summary.scale == "nutriscore-2023" && with.risk_summary.score != nil)
        #expect(with.components.nutrition.assumptions.contains("categoryGeneral"))
        let prohibited = try assessment("sugar, E171", jurisdiction: "EU", nutrition: table).risk_summary
        #expect(prohibited.grade == "F" && prohibited.reason == "use prohibited")
        #expect(try assessment("sugar, E171", jurisdiction: "US", nutrition: table).risk_summary.grade != "F")
    }

    @Test func `additives are counted by level and never summed`() throws {
        let additives = try assessment("sodium nitrite, E407, E384, E999, sugar").components.additives
        #expect(additives.high == ["sodium nitrite", "E407"])
        #expect(additives.no_evidence.contains("E384"))
        #expect(!(additives.high + additives.no_level + additives.no_evidence).contains("sugar"))
    }

    @Test func `a word below medium confidence is not looked up`() throws {
        let ingredients = [Label.Ingredient(text: "sodium nitrite"), Label.Ingredient(text: "salt")]
        let one = try Shipped.risk.assessment(of: ingredients, unread: ["nitrite"], .init(language: "en"))
        #expect(one.not_read.map(\.name) == ["sodium nitrite"])
        #expect(one.moderate_risk.map(\.name) == ["salt"])
    }

    @Test func `German sentences have German numbers`() throws {
        let one = try Shipped.risk.assessment(ofText: "Natriumnitrit", .init(language: "de", reader: "de"))
        #expect(one.language == "de")
        #expect(one.ingredients[0].statements.contains { $0.text.contains("0,07 mg Nitrit-Ion") })
        #expect(one.ingredients[0].overview == "Geführt als E 250 (Sodium nitrite).")
    }
}
