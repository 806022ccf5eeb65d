import Foundation
import TestSupport
import Testing
import Core

@testable import Menus

@Suite("Model files of the menu stage")
struct ModelFileTests {
    private func bytes<Number: FixedWidthInteger>(_ numbers: [Number]) -> Data {
        Data(numbers.flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } })
    }

    /// One tree for each of two classes. The first returns 1 if feature 0 is at most .5, else -1; the second always
    /// returns 0.
    private func trees(rights: [UInt16] = [2, 0, 0, 0]) -> BoostedTrees.File {
        BoostedTrees.File(
            classes: "ND", baseline: [0, 0], features: 1, starts: bytes([UInt32(0), 3]),
            thresholds: bytes([Float(0.5), 1, -1, 0].map(\.bitPattern)),
            nodes: bytes([UInt16(0), 65535, 65535, 65535]), rights: bytes(rights))
    }

    /// A tree whose nodes are listed like those of the file.
    private struct Grown {
        var thresholds: [Float] = []
        var features: [UInt16] = []
        var rights: [UInt16] = []

        mutating func grow(leaves: Int, _ random: inout some RandomNumberGenerator) {
            let place = features.count
            guard leaves > 1 else {
                thresholds.append(Float.random(in: -1...1, using: &random))
                features.append(.max)
                return rights.append(0)
            }
            thresholds.append(Float.random(in: -1...1, using: &random))
            features.append(UInt16.random(in: 0..<5, using: &random))
            rights.append(0)
            let left = Int.random(in: 1..<leaves, using: &random)
            grow(leaves: left, &random)
            rights[place] = UInt16(features.count - place)
            grow(leaves: leaves - left, &random)
        }

        /// The leaf that a row reaches on its path.
        func value(of row: [Float], from start: Int = 0) -> Float {
            var place = start
            while features[place] != .max {
                place += row[Int(features[place])] <= thresholds[place] ? 1 : Int(rights[place])
            }
            return thresholds[place]
        }
    }

    @Test func `rows reach the leaf at the end of their path`() throws {
        var random = FixedRandom()
        var tree = Grown()
        tree.grow(leaves: 15, &random)
        let other = tree.features.count
        tree.grow(leaves: 32, &random)
        let model = try #require(
            BoostedTrees(
                BoostedTrees.File(
                    classes: "ND", baseline: [0.25, 0], features: 5, starts: bytes([UInt32(0), UInt32(other)]),
                    thresholds: bytes(tree.thresholds.map(\.bitPattern)), nodes: bytes(tree.features),
                    rights: bytes(tree.rights))))
        let rows = (0..<21).map { _ in (0..<5).map { _ in Float.random(in: -1...1, using: &random) } }
        let probabilities = model.probabilities(ofRows: rows.flatMap(\.self))
        #expect(probabilities.count == rows.count)
        for (row, found) in zip(rows, probabilities) {
            let (one, two) = (exp(tree.value(of: row) + 0.25), exp(tree.value(of: row, from: other)))
            #expect(abs(found[0] - one / (one + two)) < 1e-5, "\(row)")
        }
    }

    @Test func `a tree of more than 32 leaves is rejected`() {
        var random = FixedRandom()
        var tree = Grown()
        tree.grow(leaves: 33, &random)
        #expect(
            BoostedTrees(
                BoostedTrees.File(
                    classes: "N", baseline: [0], features: 5, starts: bytes([UInt32(0)]),
                    thresholds: bytes(tree.thresholds.map(\.bitPattern)), nodes: bytes(tree.features),
                    rights: bytes(tree.rights))) == nil)
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

/// Numbers that look random and are the same in every run.
private struct FixedRandom: RandomNumberGenerator {
    private var state: UInt64 = 7

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}
