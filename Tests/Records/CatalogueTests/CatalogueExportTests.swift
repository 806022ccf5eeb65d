import Core
import Foundation
import TestSupport
import Testing

@testable import Catalogue

@Suite struct CatalogueExportTests {
    @Test func `each export that people are sent to can be imported by its name`() throws {
        let exports = try CatalogueExports(from: ModelFolder(Repository.models)).exports
        #expect(exports.count >= 3)
        for export in exports {
            #expect(ImportFormat(fileName: export.file)?.rawValue == export.format, "\(export.name)")
            #expect(export.address.map { $0.hasSuffix("/" + export.file) } ?? true, "\(export.name)")
        }
    }

    @Test func `a size is told in the unit that people read`() throws {
        func size(_ megabytes: Int) throws -> String {
            let text = """
                {"name":"","holds":"","page":"","file":"","megabytes":\(megabytes),"format":"","licence":""}
                """
            return try JSONDecoder().decode(CatalogueExports.Export.self, from: Data(text.utf8)).size
        }
        #expect(try [450, 999, 1200, 13_000].map(size) == ["450 MB", "999 MB", "1.2 GB", "13 GB"])
    }

    @Test(arguments: [
        ("page", "\"http://example.org\""), ("format", "\"usda-csv\""), ("format", "\"odt\""), ("megabytes", "0"),
    ])
    func `an export that leads nowhere is refused`(key: String, value: String) throws {
        var export = [
            "name": "\"a\"", "holds": "\"b\"", "page": "\"https://example.org\"", "file": "\"products.jsonl.gz\"",
            "megabytes": "3", "format": "\"off-jsonl\"", "licence": "\"c\"",
        ]
        func exports() throws -> CatalogueExports {
            let text = export.map { "\"\($0)\":\($1)" }.joined(separator: ",")
            return try JSONDecoder().decode(CatalogueExports.self, from: Data("{\"exports\":[{\(text)}]}".utf8))
        }
        try exports().validate(name: "exports.json")
        export[key] = value
        #expect(throws: DataFileProblem.self) { try exports().validate(name: "exports.json") }
    }
}
