import Foundation
import TestSupport
import Testing
import Core

@testable import Kinds

struct ProductCatalogueTests {
    private static let record = """
        {"gtin": "9520100001017", "name": "Bread", "language": "en", "contains": ["gluten"],
         "containsText": "Contains: wheat.", "mayContain": [], "trust": "producer", "recorded": "2026-01-12"}
        """
    private static func file(_ products: String, schema: String = "tablesight.catalogue/1") -> String {
        """
        {"schema": "\(schema)", "name": "test", "version": "7", "source": "own", "licence": "Apache-2.0",
         "products": [\(products)]}
        """
    }

    /// An interpreter over a catalogue file with this content.
    private func load(_ content: String) throws -> ProductInterpreter {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(
            at: folder.appending(path: "catalogue"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(content.utf8).write(to: folder.appending(path: "catalogue/samples.json"))
        return try ProductInterpreter(models: ModelFolder(folder))
    }

    @Test("The catalogue's version is its name and version")
    func version() throws {
        #expect(try load(Self.file(Self.record)).catalogueVersion == "test@7")
        #expect(try ProductInterpreter(models: ModelFolder(Repository.models)).catalogueVersion == "samples@2")
    }

    @Test(
        "An invalid file is rejected with the position and the fault",
        arguments: [
            ("9520100001017", "9520100001018", "check digit"), ("9520100001017", "2001234015998", "inStore"),
            ("\"Bread\"", "\" \"", "name is empty"), ("\"gluten\"", "\"bread\"", "contains"),
            ("2026-01-12", "2026-02-30", "2026-02-30"), ("2026-01-12", "12.1.2026", "12.1.2026"),
            ("Contains: wheat.", "", "containsText"), ("\"producer\"", "\"me\"", "trust"),
            ("\"mayContain\": []", "\"mayContain\": [\"gluten\"], \"mayContainText\": \"x\"", "gluten"),
            ("\"mayContain\": []", "\"mayContain\": [], \"per100\": {\"energyKcal\": 901}", "per100"),
            ("\"mayContain\": []", "\"mayContain\": [], \"per100\": {\"energyKcal\": 90, \"fat\": 101}", "per100"),
            ("\"mayContain\": []", "\"mayContain\": [], \"servingGrams\": 0", "servingGrams"),
        ])
    func faulty(part: String, replacement: String, expected: String) {
        let content = Self.file(Self.record.replacingOccurrences(of: part, with: replacement))
        let error = #expect(throws: StartupError.self) { try load(content) }
        #expect(error?.exitCode == .configuration)
        #expect(error?.message.contains("samples.json") == true)
        #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
    }

    @Test("A duplicate product with other leading zeros is rejected")
    func twice() {
        let again = Self.record.replacingOccurrences(of: "9520100001017", with: "09520100001017")
        let error = #expect(throws: StartupError.self) { try load(Self.file(Self.record + "," + again)) }
        #expect(error?.message.contains("products[1]") == true)
    }

    @Test("Another schema is rejected")
    func schema() {
        let error = #expect(throws: StartupError.self) { try load(Self.file(Self.record, schema: "other/2")) }
        #expect(error?.message.contains("other/2") == true)
    }
}
