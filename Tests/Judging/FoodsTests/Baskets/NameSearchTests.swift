import Core
import TestSupport
import Testing

@testable import Foods

/// Names found by typed words.
@Suite struct NameSearchTests {
    private static let loaded = Result { try FoodWords(models: ModelFolder(Repository.models)) }
    private let foods: FoodWords
    private static let names = [
        "Vollmilch 3,5 %", "Joghurt natur", "Joghurt-Müsli", "Haselnuss-Creme", "Kiwi Gold", "Milchreis",
        "Eier, Freiland",
        "Dishwasher tabs", "TOMATENPASSIERT", "VOLLM. LAKTOSEFREI", "KULTURHEIDELB.", "Kernige Flocken",
        "GOUDA SCHEIBEN",
        "JACOBS KROENUNG",
    ]

    init() throws {
        foods = try Self.loaded.get()
    }

    private func found(_ typed: String) -> [String] {
        NameSearch(Self.names.enumerated().map { (Int64($0), $1) }, foods: foods).matches(typed, limit: 3)
            .map { Self.names[Int($0.id)] }
    }

    @Test(arguments: [
        ("jog", "Joghurt natur"), ("JOGHURT N", "Joghurt natur"), ("musli", "Joghurt-Müsli"),
        ("müsli", "Joghurt-Müsli"),
        ("joghrut", "Joghurt natur"), ("jogurt", "Joghurt natur"), ("haselnusscrme", "Haselnuss-Creme"),
        ("milch", "Vollmilch 3,5 %"), ("passiert", "TOMATENPASSIERT"),
        ("vollmilch laktosefrei", "VOLLM. LAKTOSEFREI"),
    ]) func `a word is found unfinished, without accents, misspelt, in a compound and abbreviated`(
        _ typed: String, _ name: String
    ) {
        #expect(found(typed).contains(name), "\(found(typed))")
    }

    @Test(arguments: [("milk", "Vollmilch 3,5 %"), ("oeufs", "Eier, Freiland"), ("eggs", "Eier, Freiland")])
    func `a word is found in another language`(_ typed: String, _ name: String) {
        #expect(found(typed).first == name, "\(found(typed))")
    }

    @Test(arguments: [
        ("heidelbeeren", "KULTURHEIDELB."), ("haferflocken", "Kernige Flocken"), ("käse", "GOUDA SCHEIBEN"),
        ("fromages", "GOUDA SCHEIBEN"), ("kafee", "JACOBS KROENUNG"), ("mlich", "Vollmilch 3,5 %"),
    ]) func `a name is found by its cut end, by what it is a sort or make of, and by a misspelt word for that`(
        _ typed: String, _ name: String
    ) {
        #expect(found(typed).contains(name), "\(found(typed))")
    }

    @Test func `only a misspelt word means another, and only one that is nearest`() {
        let words = FoodWords([.init(name: "a", words: ["milk milch", "silk", "kaffee"])], kinds: ["milk": "susu"])
        #expect(words.meant(by: "milk") { _ in 1 } == nil, "it is known")
        #expect(words.meant(by: "kaffe") { $0 == "kaffee" ? 1 : nil } == "kaffee")
        #expect(words.meant(by: "bilk") { ["milk", "silk"].contains($0) ? 1 : nil } == nil, "two are as near")
        #expect(words.sorts(of: "milch") == ["susu"] && words.sorts(of: "silk").isEmpty)
    }

    @Test func `what no name is like finds nothing`() {
        #expect(found("xylophone").isEmpty && found("").isEmpty && found("  ,").isEmpty)
    }

    @Test(arguments: [
        ("Kiwi Gold", "produce"), ("Bananen", "produce"), ("Doppelbrötchen", "bread"), ("Vollmilch 3,5 %", "dairy"),
        ("Joghurt natur", "dairy"), ("Eier, Freiland", "dairy"), ("milk chocolate", "cupboard"),
        ("Orangensaft", "drinks"),
        ("Dishwasher tabs", "household"), ("Xylophone", "other"), ("", "other"),
    ]) func `the last known word of a name decides its aisle`(_ name: String, _ aisle: String) {
        #expect(foods.aisle(of: name) == aisle)
    }

    @Test func `a category decides before a name`() {
        #expect(foods.aisle(of: "Feldkorn", category: "en:whole-milks") == "dairy")
        #expect(foods.aisle(of: "Milk", category: "en:unknown-goods") == "dairy")
        #expect(foods.order.last == FoodWords.other)
    }
}
