import Foundation
import TestSupport
import Testing
import Core

@testable import Menus

@Suite("Model files of the menu stage")
struct ModelFileTests {
    /// One tree for each of two classes. The first returns 1 if feature 0 is at most .5, else -1; the second always
    /// returns 0.
    private func trees(rights: [UInt16] = [2, 0, 0, 0]) -> BoostedTrees.File {
        func bytes<Number: FixedWidthInteger>(_ numbers: [Number]) -> Data {
            Data(numbers.flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } })
        }
        return BoostedTrees.File(
            classes: "ND", baseline: [0, 0], features: 1, starts: bytes([UInt32(0), 3]),
            thresholds: bytes([Float(0.5), 1, -1, 0].map(\.bitPattern)),
            nodes: bytes([UInt16(0), 65535, 65535, 65535]), rights: bytes(rights))
    }

    @Test func `trees return the value of the leaf that a row reaches`() throws {
        let model = try #require(BoostedTrees(trees()))
        let probabilities = model.probabilities(ofRows: [0.2, 0.9])
        #expect(abs(probabilities[0][0] - 0.731) < 0.001)
        #expect(abs(probabilities[1][0] - 0.269) < 0.001)
        #expect(probabilities.allSatisfy { abs($0.reduce(0, +) - 1) < 1e-5 })
    }

    @Test func `trees with child indices outside their nodes are rejected`() {
        #expect(BoostedTrees(trees(rights: [900, 0, 0, 0])) == nil)
        #expect(BoostedTrees(trees(rights: [0, 0, 0, 0])) == nil)
    }

    @Test func `a file with another schema is rejected with file name and key`() throws {
        let folder = try TemporaryFolder()
        try Data(#"{"schema":"x","version":"1","source":"","licence":"","models":[]}"#.utf8).write(
            to: folder.url.appending(path: "roles.json"))
        #expect {
            try RoleModel(contentsOf: folder.url.appending(path: "roles.json"))
        } throws: { error in
            (error as? StartupError)?.message.contains("schema: x is unknown; tablesight.menu-roles/1") == true
        }
    }

    @Test func `the shipped models load and fit the program`() throws {
        let reader = try MenuReader(from: ModelFolder(Repository.models))
        var page = MenuLines()
        for (row, line) in ["Tomato Soup £5.50", "Garlic Prawns £8.00", "Apple Pie £6.00"].enumerated() {
            page.line(line, x: 0, y: Double(row) * 30)
        }
        let menu = reader.page(reader.layout(of: page.lines))
        let names = menu.sections.flatMap(\.dishes).map { $0.name.joined().map(\.text).joined(separator: " ") }
        #expect(names == ["Tomato Soup", "Garlic Prawns", "Apple Pie"])
        #expect(menu.currency == "GBP")
    }

    @Test func `an empty page has no dishes and no confidence`() throws {
        let reader = try MenuReader(from: ModelFolder(Repository.models))
        let menu = reader.page(reader.layout(of: []))
        #expect(menu.sections.isEmpty && reader.confidence(in: menu) == 0)
    }
}
