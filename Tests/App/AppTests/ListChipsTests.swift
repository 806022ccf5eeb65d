import Foods
import Core
import Foundation
import Groceries
import Kinds
import Store
import TestSupport
import Testing

@testable import App

/// The verdicts beside the entries of a list.
@Suite struct ListChipsTests {
    private let models = ModelFolder(Repository.models)
    private let household = [
        AllergenProfile(name: "Ada", allergens: [.milk: .severe, .nuts: .high]),
        AllergenProfile(name: "Ben", allergens: [.gluten: .high, .milk: .mild]),
        AllergenProfile(name: "Cleo", allergens: [.fish: .severe]),
    ]

    private func language(_ code: String = "en") throws -> PageLanguage {
        let texts = try #require(try PageTexts.loadAll(from: models).first { $0.language == code })
        return PageLanguage(texts: texts, wording: try #require(try Wordings(from: models)[code]))
    }

    private func item(_ gtin: String?) throws -> GroceryItem {
        let folder = try TemporaryFolder()
        let store = try OutcomeStore(at: folder.url.appending(path: "t.sqlite"))
        let groceries = Groceries(store, rules: try models.load(GroceryRules.self, from: "groceries/rules.json"))
        let list = try groceries.makeList("Week", by: "Ada").id
        let entry = NewEntry(product: NewProduct(gtin: gtin, name: "Oats"))
        guard case .added(let item) = try groceries.add(entry, to: list, by: "Ada") else {
            throw GroceryProblem.bad("it is a duplicate")
        }
        return item
    }

    private func verdict(_ kind: AllergenVerdict.Kind) -> AllergenVerdict {
        AllergenVerdict(verdict: kind, risk: .unknown, probability: 0.5)
    }

    /// Each chip as `style: words`.
    private func chips(
        _ verdicts: [String: [Allergen: AllergenVerdict.Kind]]?, _ people: [AllergenProfile]? = nil,
        gtin: String? = "9520100001116", _ code: String = "en"
    ) throws -> [String] {
        let item = try item(gtin)
        let judged = verdicts.map { $0.mapValues { $0.mapValues(verdict) } }
        let chips = ListChips(
            verdicts: judged.map { [item.id: $0] } ?? [:],
            shared: SharedVerdicts(household: people ?? household, language: try language(code)))
        return chips.all(item).map { "\($0.style): \($0.word) \($0.names)\($0.hint ?? "")" }
    }

    @Test func `people with the same finding share a chip, and nobody is left out`() throws {
        let found = try chips([
            "Ada": [.milk: .contains, .nuts: .notFoundInText], "Ben": [.gluten: .mayContain, .milk: .contains],
            "Cleo": [.fish: .notFoundInText],
        ])
        #expect(
            found == [
                "contains: Contains milk for Ada and Ben", "may: May contain gluten for Ben",
                "none: Not mentioned Cleo; check the package",
            ])
    }

    @Test func `the flag of a row names what is contained and for whom, and nothing else`() throws {
        let item = try item("9520100001116")
        func flag(_ verdicts: [String: [Allergen: AllergenVerdict.Kind]]) throws -> String? {
            ListChips(
                verdicts: [item.id: verdicts.mapValues { $0.mapValues(verdict) }],
                shared: SharedVerdicts(household: household, language: try language())
            ).flag(item)
        }
        #expect(try flag(["Ada": [.milk: .contains, .nuts: .contains]]) == "milk and nuts · Ada")
        #expect(try flag(["Ada": [.milk: .contains], "Ben": [.milk: .contains]]) == "milk · Ada and Ben")
        #expect(try flag(["Ada": [.milk: .mayContain, .nuts: .cannotTell], "Ben": [.gluten: .likely]]) == nil)
    }

    @Test func `what cannot be told is said beside a warning`() throws {
        let found = try chips([
            "Ada": [.milk: .contains, .nuts: .cannotTell], "Ben": [.gluten: .cannotTell, .milk: .contains],
            "Cleo": [.fish: .cannotTell],
        ])
        #expect(
            found == [
                "contains: Contains milk for Ada and Ben", "cannot: Cannot tell the rest for Ada, Ben and Cleo",
            ])
    }

    @Test func `a person without a verdict is one of those of whom nothing can be told`() throws {
        #expect(
            try chips(["Ada": [.milk: .notFoundInText, .nuts: .notFoundInText], "Ben": [.gluten: .notFoundInText]])
                == ["cannot: Cannot tell the rest for Cleo; not mentioned for Ada and Ben"])
    }

    @Test func `an entry without a number, and one without a record, cannot be told, with the reason`() throws {
        #expect(
            try chips(nil, gtin: nil) == ["cannot: Cannot tell no product number, so no ingredients are known"])
        #expect(try chips(nil) == ["cannot: Cannot tell the product is in no catalogue"])
        #expect(try chips(nil, "de") == ["cannot: Unklar das Produkt steht in keinem Katalog"])
    }

    @Test func `nobody is named where nothing is known for anybody`() throws {
        #expect(
            try chips(["Ada": [.milk: .cannotTell], "Ben": [.gluten: .cannotTell], "Cleo": [.fish: .cannotTell]])
                == ["cannot: Cannot tell the rest"])
    }

    @Test func `a household without names is not named`() throws {
        let everyone = [AllergenProfile(name: "everyone", allergens: [.milk: .high, .fish: .high])]
        #expect(
            try chips(["everyone": [.milk: .contains, .fish: .cannotTell]], everyone)
                == ["contains: Contains milk", "cannot: Cannot tell the rest"])
        #expect(try chips([:], []).isEmpty, "nobody to judge for")
    }

    private func chips(
        _ verdicts: [String: [Allergen: AllergenVerdict.Kind]]?, _ code: String
    ) throws -> [String] { try chips(verdicts, nil, code) }
}
