import Core
import Foods
import Foundation
import TestSupport
import Testing

@testable import Catalogue

/// Generic foods, as every install has them.
@Suite struct GenericFoodTests {
    private static let models = ModelFolder(Repository.models)
    /// Nothing is imported into it. Reading the foods is dearer than most of these tests, so they share it.
    private static let catalogue = Catalogue(
        folder: FileManager.default.temporaryDirectory.appending(path: "tablesight-no-catalogue"), models: models)

    private func found(_ typed: String) throws -> [CatalogueProduct] {
        try Self.catalogue.search(typed, limit: 3).map(\.product)
    }

    @Test(arguments: [
        ("egg", "egg", "1 egg (50 g)"), ("Eier", "Eier", "1 Ei (50 g)"), ("manzanas", "manzana", "1 manzana (182 g)"),
        ("Ei", "Ei", "1 Ei (50 g)"),
        ("bread", "bread", "1 slice (29 g)"), ("Vollkornbrot", "Vollkornbrot", "1 Scheibe (32 g)"),
        ("apple", "apple", "1 apple (182 g)"), ("pomme", "pomme", "1 pomme (182 g)"),
        ("manzana", "manzana", "1 manzana (182 g)"), ("mela", "mela", "1 mela (182 g)"),
        ("jabłko", "jabłko", "1 jabłko (182 g)"), ("alma", "alma", "1 alma (182 g)"),
        ("maçã", "maçã", "1 maçã (182 g)"), ("jablko", "jabłko", "1 jabłko (182 g)"),
        ("bananas", "banana", "1 banana (118 g)"), ("leche", "leche", "1 taza (244 g)"),
    ])
    func `a food is found first by its name in ten languages, with a portion in that language`(
        _ typed: String, name: String, portion: String
    ) throws {
        let food = try #require(try found(typed).first)
        #expect(food.name == name && food.isGeneric && food.isVerified, "\(food)")
        #expect(food.portions.first?.sizeLabel == portion, "\(food.portions)")
    }

    @Test func `its record has figures of USDA, and an id that no product has`() throws {
        let item = FoodItem(try #require(try found("egg").first), asOf: .now)
        #expect(item.id == "fdc:171287" && item.barcode == nil && item.source == .verified)
        #expect(item.calories == 143 && item.protein == 12.56 && item.carbs == 0.72 && item.fat == 9.51)
        #expect(item.defaultServing.grams == 50 && item.altServings.last?.sizeLabel == "100 g")
        let egg = try #require(try found("egg").first)
        #expect(egg.nutrients.saturatedFat == 3.126 && egg.nutrients.fibre == 0 && egg.nutrients.sugars == 0.37)
        #expect(egg.nutrients.salt == 0.355)
    }

    @Test func `a figure that USDA does not state is unknown, not 0`() throws {
        let wine = try #require(try Self.catalogue.search("Cabernet Sauvignon").first?.product)
        #expect(wine.nutrients.carbohydrate == 2.6 && wine.nutrients.sugars == nil && wine.nutrients.fibre == nil)
    }

    @Test(arguments: [
        ("quail egg", "quail"), ("bison", "bison"), ("tomatos", "tomato"),
        ("wholemeal bred", "wholemeal bread"),
    ])
    func `other foods are found by USDA's description, and words also if misspelt`(_ typed: String, name: String) throws
    {
        let names = try found(typed).map { $0.name.lowercased() }
        #expect(names.contains { $0.contains(name.lowercased()) }, "\(names)")
    }

    @Test func `generic foods with the typed name come before products, others behind them`() throws {
        let lines = [("4006381333931", "Egg noodles deluxe"), ("4006381333948", "Nutola egg spread")]
            .map { #"{"code":"\#($0)","product_name":"\#($1)"}"# }
        let folder = try TemporaryFolder()
        let file = try folder.write(.init(lines.joined(separator: "\n").utf8), to: "import.jsonl")
        _ = try CatalogueImport(folder: folder.url, format: .offJSONL).run(file.path) { _, _, _ in }
        let catalogue = Catalogue(folder: folder.url, models: Self.models)
        let eggs = try catalogue.search("egg", limit: 5).map(\.product)
        #expect(eggs[0].id == "fdc:171287" && eggs[0..<3].allSatisfy(\.isGeneric))
        #expect(Set(eggs[3...].map(\.source)) == ["off"], "\(eggs.map(\.name))")
        #expect(try catalogue.search("nutola", limit: 5).first?.product.name == "Nutola egg spread")
    }

    @Test func `every named food is in the file and found first by each of its shown names`() throws {
        let generic = try #require(try Self.catalogue.generic())
        let names = try Self.models.load(FoodNames.self, from: "foods/names.json")
        #expect(generic.count > 6000)
        var missed: [String] = []
        for (food, shown) in names.shown {
            let found = generic.matches(shown, limit: 3)
            if !found.contains(where: { $0.food.id == food }) { missed.append(shown) }
        }
        #expect(missed.isEmpty, "\(missed)")
        #expect(names.shown.count >= 300 * FoodNames.languages.count)
    }

    @Test(arguments: [
        ("thé", "tea"), ("crema de leche para batir", "cream"),
        ("Lebkuchen", "gingerbread"), ("Maïs en conserve", "corn, sweet"), ("lait à l'avoine", "oat"),
    ])
    func `words that name nothing do not count, and names of a taxonomy do`(_ typed: String, english: String) throws {
        let foods = try #require(try Self.catalogue.generic()).matches(typed, limit: 3).map(\.food.description)
        #expect(foods.contains { $0.lowercased().contains(english.lowercased()) }, "\(foods)")
    }

    @Test func `a catalogue without models has no generic foods`() throws {
        #expect(try Catalogue(folder: TemporaryFolder().url).search("egg").isEmpty)
    }
}

extension CatalogueProduct {
    fileprivate var id: String { "\(source):\(code)" }
}
