import Foundation
import TestSupport
import Testing
import Core

@testable import Catalogue

struct CatalogueImportTests {
    private let folder: TemporaryFolder
    private var catalogueFolder: URL { folder.url.appending(path: "catalogue") }

    init() throws { folder = try TemporaryFolder() }

    private func write(_ lines: [String], as name: String = "products.jsonl") throws -> String {
        let url = folder.url.appending(path: name)
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: url)
        return url.path
    }

    @discardableResult
    private func importing(_ lines: [String], as format: ImportFormat = .offJSONL) throws -> ImportState {
        try CatalogueImport(folder: catalogueFolder, format: format).run(try write(lines)) { _, _, _ in }
    }

    private func product(_ code: String) throws -> CatalogueProduct? {
        try Catalogue(folder: catalogueFolder).product(try #require(GTIN(code)))
    }

    private let spread = """
        {"code":"3017620422003","product_name":"P\\u00e2te \\u00e0 tartiner","brands":"Tafel","ingredients_text":"sucre, \\"noisettes\\"",\
        "allergens_tags":["en:milk","en:nuts"],"nutriments":{"energy-kcal_100g":539,"fat_100g":30.9,"nested":{"fat_100g":1}},\
        "serving_size":"15 g","serving_quantity":15,"last_modified_t":1700000000,"unused":[{"a":[1,2,{"b":null}]}]}
        """

    @Test("A product of Open Food Facts' JSONL comes in with its fields, escapes undone, other fields passed over")
    func json() throws {
        let state = try importing([spread])
        #expect(state.accepted == 1 && state.rejected.isEmpty)
        let found = try #require(try product("3017620422003"))
        #expect(found.name == "Pâte à tartiner")
        #expect(found.ingredients == "sucre, \"noisettes\"")
        #expect(found.allergens == "en:milk,en:nuts")
        #expect(found.nutrients.energyKcal == 539 && found.nutrients.fat == 30.9)
        #expect(found.servingGrams == 15 && found.modified == 1_700_000_000)
        #expect(found.trust == .crowd)
    }

    /// Energy as records state it, and kilocalories that may be believed.
    @Test(
        "The energy of a record is possible and agrees with itself, or is missing",
        arguments: [
            ("\"energy-kcal_100g\":359,\"energy_100g\":1502", 359), ("\"energy_100g\":1502", 359),
            ("\"energy-kj_100g\":1502", 359), ("\"energy-kcal_100g\":900,\"energy_100g\":3766", 900),
            // kcal above kJ, exchanged units, and kJ in both fields
            ("\"energy-kcal_100g\":1502,\"energy_100g\":359", nil), ("\"energy-kcal_100g\":1502", nil),
            ("\"energy-kcal_100g\":1502,\"energy_100g\":1502", nil), ("\"energy_100g\":6284", nil),
            ("\"energy-kcal_100g\":359,\"energy_100g\":6284", nil), ("\"energy-kcal_100g\":901.5", nil),
            // The nutrients decide.
            (
                "\"energy-kcal_100g\":1502,\"energy_100g\":1502,\"proteins_100g\":7,\"carbohydrates_100g\":79,\"fat_100g\":1",
                359
            ),
            (
                "\"energy-kcal_100g\":359,\"energy_100g\":359,\"proteins_100g\":7,\"carbohydrates_100g\":79,\"fat_100g\":1",
                359
            ),
        ] as [(String, Double?)])
    func energy(nutriments: String, kilocalories: Double?) throws {
        try importing([
            "{\"code\":\"3017620422003\",\"product_name\":\"Rice\",\"nutriments\":{\(nutriments)}}"
        ])
        let found = try #require(try product("3017620422003")).nutrients.energyKcal
        #expect(found.map { $0.rounded() } == kilocalories)
    }

    @Test("A UPC-E record is found by the number that a scan of its can gives")
    func upcE() throws {
        let state = try importing(["{\"code\":\"04963406\",\"product_name\":\"Cola\"}"])
        #expect(state.accepted == 1 && state.rejected.isEmpty)
        #expect(try product("049000006346")?.name == "Cola")
    }

    @Test("What is no product is counted by its reason, with the first such row, and the rest goes in")
    func rejected() throws {
        let state = try importing([
            "{\"code\":\"3017620422003\",\"product_name\":\"a\"}",
            "{\"code\":\"3017620422004\",\"product_name\":\"a\"}",
            "{\"code\":\"6.51511E+11\",\"product_name\":\"a\"}", "{\"product_name\":\"a\"}",
            "{\"code\":\"3017620422003\"}",
            "{\"code\":\"2001234015998\",\"product_name\":\"a\"}", "{\"code\":\"3017620422003\",", "nothing",
        ])
        #expect(state.accepted == 1)
        #expect(
            state.rejected == [
                "wrongCheckDigit": 1, "spreadsheetCode": 1, "noCode": 1, "noName": 1, "restrictedPrefix": 1,
                "malformed": 2,
            ])
        #expect(state.examples["spreadsheetCode"]?.contains("6.51511E+11") == true)
    }

    @Test("Zeros that a spreadsheet dropped come back, and those that a source added do not count")
    func zeros() throws {
        try importing([
            "{\"code\":\"737628064502\",\"product_name\":\"noodles\"}",
            "{\"code\":\"00000080050100\",\"product_name\":\"b\"}",
        ])
        #expect(try product("0737628064502")?.name == "noodles")
        #expect(try product("80050100")?.code == "80050100")
    }

    @Test("Columns are found by the header's names, tab-separated or as a spreadsheet saved them")
    func separated() throws {
        let tabs = ["code\turl\tproduct_name\ttraces_tags", "3017620422003\t\"x\tSpread \"fine\"\ten:eggs"]
        try importing(tabs, as: .offCSV)
        #expect(try product("3017620422003")?.name == "Spread \"fine\"")
        let commas = [
            "\u{FEFF}code,product_name,#NAME?,ingredients_text",
            "3017620422003,\"Spread, \"\"fine\"\"\",,\"sugar,\nnuts\"",
        ]
        try importing(commas, as: .offCSV)
        #expect(try product("3017620422003")?.name == "Spread, \"fine\"")
        #expect(try product("3017620422003")?.ingredients == "sugar,\nnuts")
    }

    @Test("USDA's branded foods are their producers' word, and go before the crowd's")
    func usda() throws {
        try importing(["{\"code\":\"3017620422003\",\"product_name\":\"crowd\"}"])
        try importing(
            [
                "{\"BrandedFoods\": [",
                "{\"gtin_upc\":\"03017620422003\",\"description\":\"SPREAD\",\"brand_owner\":\"Tafel\",\"serving_size\":\"15.0\",\"serving_size_unit\":\"g\",\"modified_date\":\"2020-09-03\"},",
                "]}",
            ], as: .usdaJSON)
        let found = try #require(try product("3017620422003"))
        #expect(found.name == "SPREAD" && found.trust == .producer && found.servingGrams == 15)
        #expect(found.modified == 1_599_091_200)  // 3 September 2020
    }

    @Test("Of one number twice in a file the later change counts")
    func twice() throws {
        try importing([
            "{\"code\":\"3017620422003\",\"product_name\":\"new\",\"last_modified_t\":20}",
            "{\"code\":\"3017620422003\",\"product_name\":\"old\",\"last_modified_t\":10}",
        ])
        #expect(try product("3017620422003")?.name == "new")
        #expect(try Catalogue(folder: catalogueFolder).contents().first?.products == 1)
    }

    @Test("A new import replaces the old one for a catalogue that is open, and a failed one leaves it")
    func replaced() throws {
        try importing(["{\"code\":\"3017620422003\",\"product_name\":\"first\"}"])
        let catalogue = Catalogue(folder: catalogueFolder)
        let gtin = try #require(GTIN("3017620422003"))
        #expect(try catalogue.product(gtin)?.name == "first")
        #expect(throws: StartupError.self) { try importing(["nothing of the kind"]) }
        #expect(try catalogue.product(gtin)?.name == "first")
        try importing(["{\"code\":\"3017620422003\",\"product_name\":\"second\"}"])
        #expect(try catalogue.product(gtin)?.name == "second")
    }

    @Test("An import that was stopped goes on where it was")
    func resumed() throws {
        let lines = (0..<3).map {
            "{\"code\":\"\(["3017620422003", "737628064502", "4006381333931"][$0])\",\"product_name\":\"p\($0)\"}"
        }
        let path = try write(lines)
        // The state of a run that was stopped after the first row.
        let facts = try FileManager.default.attributesOfItem(atPath: path)
        let changed = Int(try #require(facts[.modificationDate] as? Date).timeIntervalSince1970)
        var state = ImportState(
            origin: "products.jsonl, \(try #require(facts[.size] as? Int)) bytes, changed \(changed)",
            format: "off-jsonl")
        state.offset = lines[0].utf8.count + 1
        state.accepted = 41
        try FileManager.default.createDirectory(at: catalogueFolder, withIntermediateDirectories: true)
        try CatalogueWriter(path: catalogueFolder.appending(path: ".off.importing").path).write([], state)
        let ended = try CatalogueImport(folder: catalogueFolder, format: .offJSONL).run(path) { _, _, _ in }
        #expect(ended.accepted == 43)
        #expect(try product("3017620422003") == nil)
        #expect(try product("4006381333931")?.name == "p2")
    }
}
