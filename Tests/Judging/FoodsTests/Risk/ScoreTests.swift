import Core
import Foundation
import TestSupport
import Testing

@testable import Foods

@Suite struct `Nutri-Score of 2023` {
    private let score: NutriScore

    init() throws {
        score = NutriScore(try Shipped.models.load(NutriScore.Tables.self, from: "risk/nutriscore.json"))
    }

    private func food(
        energy: Double = 0, fat: Double = 0, saturated: Double = 0, sugars: Double = 0, salt: Double = 0,
        fibre: Double = 0, protein: Double = 0, fruit: Double = 0
    ) -> NutritionPer100 {
        NutritionPer100(
            energyKJ: energy, fat: fat, saturatedFat: saturated, sugars: sugars, fibre: fibre, protein: protein,
            salt: salt, fruitShare: fruit)
    }

    @Test func `a value on a threshold has the points below it`() throws {
        #expect(score.score(of: food(energy: 335))?.points["energy"] == 0)
        #expect(score.score(of: food(energy: 335.1))?.points["energy"] == 1)
        #expect(score.score(of: food(salt: 4.1))?.points["salt"] == 20)
        #expect(score.score(of: food(sugars: 60))?.points["sugars"] == 15)
        #expect(score.score(of: food(fruit: 81))?.points["fruitShare"] == -5)
    }

    @Test func `the ratio of saturated fat counts from the threshold on`() throws {
        let below = score.score(of: food(energy: 3000, fat: 100, saturated: 9.9), .fat)
        let at = score.score(of: food(energy: 3000, fat: 100, saturated: 10), .fat)
        #expect(below?.points["saturatedFatRatio"] == 0)
        #expect(at?.points["saturatedFatRatio"] == 1)
        #expect(score.score(of: NutritionPer100(energyKJ: 1, saturatedFat: 1, sugars: 0, salt: 0), .fat) == nil)
    }

    @Test func `protein counts only below the limit, always for cheese, and little for red meat`() throws {
        let rich = food(energy: 3400, saturated: 2, protein: 20)
        #expect(score.score(of: rich)?.points["protein"] == nil)
        #expect(score.score(of: rich, .general, .init(cheese: true))?.points["protein"] == -7)
        #expect(score.score(of: food(energy: 400, protein: 20))?.points["protein"] == -7)
        #expect(
            score.score(of: food(energy: 400, protein: 20), .general, .init(redMeat: true))?.points["protein"] == -2)
    }

    @Test(arguments: [(0, "A"), (1, "B"), (2, "B"), (3, "C"), (10, "C"), (11, "D"), (18, "D"), (19, "E")])
    func `grades of general food`(points: Int, grade: String) throws {
        // Salt gives one point for every 0.2 g.
        let salt = Double(min(points, 20)) * 0.2 + (points > 0 ? 0.05 : 0)
        let result = score.score(of: food(salt: salt))
        #expect(result?.score == points)
        #expect(result?.grade == grade)
    }

    @Test func `only water is an A among beverages, and sweeteners cost four points`() throws {
        #expect(score.score(of: food(), .beverage)?.grade == "B")
        #expect(score.score(of: food(), .beverage, .init(water: true))?.grade == "A")
        #expect(score.score(of: food(), .beverage, .init(nonNutritiveSweeteners: true))?.score == 4)
    }

    @Test func `missing fibre and fruit are assumed and said, missing salt and energy give no score`() throws {
        let partly = NutritionPer100(energyKJ: 400, saturatedFat: 1, sugars: 2, salt: 0.1)
        #expect(score.score(of: partly)?.assumptions == ["fibreMissing", "fruitShareMissing", "proteinMissing"])
        #expect(score.score(of: NutritionPer100(energyKJ: 400, saturatedFat: 1, sugars: 2)) == nil)
        #expect(score.score(of: NutritionPer100(energyKJ: 400, sugars: 2, salt: 1)) == nil)
        #expect(
            score.score(of: NutritionPer100(energyKJ: 400, fat: 0, sugars: 2, salt: 1))?.assumptions
                .contains("saturatedFatMissing") == true)
    }

    @Test func `the categories of a product choose the table, the flags, or no score`() {
        #expect(score.classification(of: ["en:vegetable-oils"]).category == .fat)
        #expect(score.classification(of: ["en:plant-based-milk-alternatives"]).category == .beverage)
        #expect(score.classification(of: ["en:cheeses"]).flags.cheese == true)
        #expect(score.classification(of: ["en:pork"]).flags.red_meat == true)
        #expect(score.classification(of: ["en:mineral-waters"]).flags.water == true)
        #expect(score.classification(of: ["en:cocoa-powders"]).isPrepared)
        #expect(score.classification(of: ["en:wines"]).isExempt)
        #expect(score.classification(of: ["en:breads", "unknown"]) == .init())
    }

    @Test func `an assessment uses the categories, and a stated table or flag overrides them`() throws {
        let table = NutritionPer100(energyKJ: 3400, fat: 90, saturatedFat: 8, sugars: 0, salt: 0)
        func nutrition(_ categories: [String], _ category: NutriScore.Category? = nil) throws
            -> IngredientAssessment.Nutrition
        {
            try Shipped.risk.assessment(
                ofText: "sunflower oil", .init(nutrition: table, category: category, categories: categories)
            ).components.nutrition
        }
        #expect(try nutrition(["en:vegetable-oils"]).points["saturatedFatRatio"] != nil)
        #expect(try nutrition(["en:vegetable-oils"], .general).points["saturatedFatRatio"] == nil)
        #expect(try !nutrition(["en:vegetable-oils"]).assumptions.contains("categoryGeneral"))
        #expect(try nutrition(["en:cocoa-powders"]).assumptions.contains("asSold"))
        let exempt = try nutrition(["en:coffees"])
        #expect(exempt.grade == nil && exempt.reason == "category without Nutri-Score")
        #expect(try !nutrition([]).citations.isEmpty, "the score cites how it is computed")
    }

    @Test func `a table with impossible numbers is refused`() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(NutritionPer100.self, from: Data(#"{"energy_kj": -5}"#.utf8))
        }
    }
}
