import Catalogue
import Core
import Foundation
import Foods
import Store
import TestSupport
import Testing

@testable import Diary

/// Favourites, recent foods, and foods that a photo shows.
@Suite struct OwnFoodsTests {
    private let folder: TemporaryFolder
    private let diary: Diary
    private let search: FoodSearch
    private let now: Date

    init() throws {
        folder = try TemporaryFolder()
        diary = Diary(try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite")))
        search = FoodSearch(diary, catalogue: Catalogue(folder: folder.url.appending(path: "none")))
        now = try Date("2026-11-22T12:00:00Z", strategy: .iso8601)
        try diary.save(.init(name: "Ada", zone: "GMT"))
    }

    private func log(_ name: String, daysAgo: Int = 1, barcode: String? = nil) throws {
        var food = testFood(name)
        food.barcode = barcode
        let eaten = now - Double(daysAgo) * 86_400
        _ = try diary.add(food, of: "Ada", now: eaten)
    }

    @Test func `favourites come first, then what was eaten lately, with their days`() throws {
        try log("Oat soup", daysAgo: 20)
        for day in 1...3 { try log("Oat bread", daysAgo: day) }
        try diary.setFavourite(testFood("Oat cake"), testFood("Oat cake").defaultServing, of: "Ada")
        let found = try search.foods("oat", of: "Ada", at: now)
        #expect(found.map(\.food.name) == ["Oat cake", "Oat bread", "Oat soup"])
        #expect(found.map(\.isFavourite) == [true, false, false])
        #expect(found.map(\.day?.description) == [nil, "2026-11-21", "2026-11-02"])
        #expect(try search.own(of: "Ada", at: now, limit: 2).map(\.food.name) == ["Oat cake", "Oat bread"])
        #expect(try search.own(of: "Ben", at: now, limit: 9).isEmpty)
        #expect(try diary.removeFavourite(testFood("Oat cake").id, of: "Ada"))
        #expect(try diary.removeFavourite(testFood("Oat cake").id, of: "Ada") == false)
        #expect(try search.foods("oat cake", of: "Ada", at: now).isEmpty)
    }

    @Test func `favourites are part of the export, and go with the diary`() throws {
        let cake = testFood("Oat cake")
        try diary.setFavourite(cake, cake.defaultServing, of: "Ada")
        let file = try JSONCoding.encode(try diary.exported("Ada"))
        try diary.save(.init(name: "Ben", zone: "GMT"))
        _ = try diary.importFile(file, into: "Ben")
        #expect(try diary.favourites(of: "Ben").map(\.food) == [cake])
        #expect(try diary.remove("Ada"))
        #expect(try diary.favourites(of: "Ada").isEmpty)
    }

    @Test func `the two hundred and first favourite is refused`() throws {
        for number in 0..<Diary.mostFavourites {
            let food = testFood("Food \(number)")
            try diary.setFavourite(food, food.defaultServing, of: "Ada")
        }
        let last = testFood("Last")
        #expect(throws: DiaryProblem.self) { try diary.setFavourite(last, last.defaultServing, of: "Ada") }
        let known = testFood("Food 7")
        #expect(throws: Never.self) { try diary.setFavourite(known, known.defaultServing, of: "Ada") }
    }

    @Test func `a number without a record finds the food that was logged with it`() throws {
        try log("Home yoghurt", barcode: "9520100001048")
        #expect(try search.foods("9520100001048", of: "Ada", at: now).map(\.food.name) == ["Home yoghurt"])
        #expect(try search.foods("9520100001048", of: "Ben", at: now).isEmpty)
    }

    // MARK: Photos

    /// A photo with a barcode and, if there is an energy, a table for 100 g.
    private func photo(_ gtin: String, energy: String?) throws -> Outcome {
        var label = Label(
            ingredients: [], findings: [], verdicts: [:], coverage: Coverage(ocrQuality: 1, sourceKind: "label"))
        if let energy {
            var basis = Nutrition.Basis(per: "100g")
            basis.energyKcal = ReadValue(value: energy, unit: "kcal", confidence: 0.9)
            label.nutrition = Nutrition(basis: [basis])
        }
        var outcome = Outcome(
            id: "sha256:1", source: .init(path: try #require(FilePathBytes("a.jpg")), bytes: 1), status: .completed,
            domains: [.label], label: label, versions: .init(tablesight: "1"))
        outcome.products = [.init(gtin: gtin, name: "Known")]
        return outcome
    }

    @Test func `a table beside a barcode without a record becomes one food, which the number finds later`() throws {
        let gtin = "9520100001048"
        let first = try search.food(of: try photo(gtin, energy: "120"), name: "Quark", for: "Ada")
        guard case .label(let label) = first else {
            Issue.record("\(first)")
            return
        }
        #expect(label.barcode == GTIN(gtin)?.normalised && label.calories == 120)
        _ = try diary.add(label, of: "Ada", now: now)
        let later = try search.food(of: try photo(gtin, energy: nil), name: "Quark", for: "Ada")
        #expect(later == .product(label, table: nil))
        #expect(try search.food(of: try photo(gtin, energy: nil), name: "Quark", for: "Ben").food == nil)
    }

    @Test func `a table that says something else than the known food is shown beside it`() throws {
        let gtin = "9520100001048"
        try log("Home yoghurt", barcode: GTIN(gtin)?.normalised)
        for (energy, differs) in [("250", false), ("270", false), ("320", true), ("25", true)] {
            let found = try search.food(of: try photo(gtin, energy: energy), name: "Label", for: "Ada")
            guard case .product(let food, let table) = found else {
                Issue.record("\(found)")
                continue
            }
            #expect(food.name == "Home yoghurt" && food.calories == 250)
            #expect((table != nil) == differs, "\(energy) kcal beside 250")
            #expect(table.map { $0.name == "Home yoghurt" } ?? true)
        }
    }
}
