import Catalogue
import Core
import Foods
import Foundation
import Household
import Store
import TestSupport
import Testing

@testable import Groceries

/// Lists and prices of Ada, Zoë and the child Leo in a database of their own, on 2026-11-22.
struct GroceryHome {
    let folder: TemporaryFolder
    let store: OutcomeStore
    let actions: GroceryActions

    /// - Parameter hasSamples: true to know the sample products instead of words of foods.
    init(hasSamples: Bool = false) throws {
        folder = try TemporaryFolder()
        store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        let models = ModelFolder(Repository.models)
        let rules = try models.load(GroceryRules.self, from: "groceries/rules.json")
        actions = GroceryActions(
            Groceries(store, rules: rules) { Date(timeIntervalSince1970: 1_795_348_800) },
            catalogue: Catalogue(folder: folder.url.appending(path: "none"), models: hasSamples ? models : nil),
            foods: hasSamples ? FoodWords() : try FoodWords(models: models))
        for (name, role) in [("Ada", Member.Role.adult), ("Zoë", .adult), ("Leo", .child)] {
            try Household(store).add(NewMember(name, role: role))
        }
    }

    /// A photo that was read.
    static func outcome(_ id: String, _ receipt: Receipt? = nil) throws -> Outcome {
        var outcome = Outcome(
            id: id, source: .init(path: try #require(FilePathBytes("\(id.suffix(4)).jpg")), bytes: 1),
            status: .completed, domains: [.receipt], versions: .init(tablesight: "test"))
        outcome.receipt = receipt
        return outcome
    }

    static func value(_ text: String, _ confidence: Double = 0.95) -> ReadValue {
        ReadValue(value: text, confidence: confidence)
    }
}
