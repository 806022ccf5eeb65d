import Foundation
import TestSupport
import Testing
import Core

@testable import Streaming

struct MarkerSheetTests {
    @Test func `a board of 320 by 220 is an A3 page with its markers at true scale`() throws {
        let sheet = try MarkerSheet(set: "tangram", models: ModelFolder(Repository.models))
        #expect(sheet.paper == (420, 297))
        let text = String(decoding: sheet.pdf, as: UTF8.self)
        // 420 mm are 1190.551 points. A marker of 24 mm is at 4, 4 of a board whose corner is at 50, 38.5.
        #expect(text.contains("/MediaBox [0 0 1190.551 841.89]"))
        #expect(text.contains("0 g 153.071 653.386 68.031 68.031 re f"))
        #expect(text.components(separatedBy: "0 g ").count - 1 == 5)
    }

    @Test func `every object is at the offset in the table`() throws {
        let data = try MarkerSheet(set: "tangram", models: ModelFolder(Repository.models)).pdf
        let text = String(decoding: data, as: UTF8.self)
        let table = try #require(text.range(of: "xref\n0 6\n"))
        let entries = text[table.upperBound...].split(separator: "\n").prefix(6).dropFirst()
        for (index, entry) in entries.enumerated() {
            let offset = try #require(Int(entry.prefix(10)))
            #expect(String(decoding: data.dropFirst(offset).prefix(7), as: UTF8.self) == "\(index + 1) 0 obj")
        }
        let start = try #require(text.range(of: "startxref\n"))
        let said = try #require(Int(text[start.upperBound...].prefix { $0.isNumber }))
        #expect(String(decoding: data.dropFirst(said).prefix(4), as: UTF8.self) == "xref")
    }
}
