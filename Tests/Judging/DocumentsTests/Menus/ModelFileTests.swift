import Foundation
import TestSupport
import Testing
import Core

@testable import Documents

@Suite("Model files of the menu stage")
struct ModelFileTests {
    /// A small network with random weights, the same in every run.
    private func network(features: Int = 3, change: (inout [Float]) -> Void = { _ in }) -> RoleNetwork.File {
        let (width, layers, heads, relations, roles, place) = (4, 2, 2, 5, MenuRole.allCases.count, 32)
        func layer(_ inputs: Int, _ outputs: Int) -> Int { (inputs + 1) * outputs }
        let attention = layer(width, 3 * width) + layer(width, width) + layer(relations * heads, width)
        let each = 4 * width + attention + layer(width, 2 * width) + layer(2 * width, width)
        let start = 2 * features + layer(features, width) + layer(width, width)
        let between = layer(place, relations) + layer(relations, layers * heads)
        let count = start + between + layers * each + 2 * width + layer(width, roles)
        var random = FixedRandom()
        var weights = (0..<count).map { _ in Float.random(in: -0.7...0.7, using: &random) }
        for scale in features..<(2 * features) { weights[scale] = 1 }
        change(&weights)
        let halves = weights.flatMap { weight in
            withUnsafeBytes(of: Float16(weight).bitPattern.littleEndian) { Array($0) }
        }
        return RoleNetwork.File(
            features: features, width: width, layers: layers, heads: heads, relations: relations, weights: Data(halves))
    }

    /// Texts with random features and places, each above the next.
    private func texts(_ count: Int, features: Int = 3) -> RoleFeatures {
        var random = FixedRandom()
        func numbers(_ count: Int) -> [Float] { (0..<count).map { _ in Float.random(in: -1...1, using: &random) } }
        let places = (0..<count).flatMap { text -> [Float] in [-3, 3, Float(2 * text), 1] + numbers(8) }
        let links = (0..<count).map { text in
            [text - 1, text + 1].map { (0..<count).contains($0) ? $0 : nil } + [nil, nil, nil, nil]
        }
        return RoleFeatures(
            count: count, width: features, flatRows: numbers(count * features), links: links, places: places)
    }

    @Test func `every text gets probabilities that depend on the other texts`() throws {
        let network = try #require(RoleNetwork(network()))
        let both = network.probabilities(of: texts(7))
        #expect(both.count == 7 && both.allSatisfy { abs($0.reduce(0, +) - 1) < 1e-5 })
        let alone = network.probabilities(of: texts(6))
        #expect(zip(both, alone).contains { zip($0, $1).contains { abs($0 - $1) > 1e-4 } })
    }

    @Test func `the order of texts changes no role`() throws {
        let network = try #require(RoleNetwork(network()))
        let straight = texts(9)
        let order = Array((0..<9).reversed())
        let turned = RoleFeatures(
            count: 9, width: 3, flatRows: order.flatMap { straight.flatRows[($0 * 3)..<($0 * 3 + 3)] },
            links: order.map { straight.links[$0].map { link in link.map { 8 - $0 } } },
            places: order.flatMap { straight.places[($0 * 12)..<($0 * 12 + 12)] })
        let (one, other) = (network.probabilities(of: straight), network.probabilities(of: turned))
        for (text, place) in order.enumerated() {
            for (a, b) in zip(one[place], other[text]) { #expect(abs(a - b) < 1e-5) }
        }
    }

    @Test func `a page of a thousand texts is decided, each text once`() throws {
        let network = try #require(RoleNetwork(network()))
        let page = texts(1000)
        let probabilities = network.probabilities(of: page)
        #expect(probabilities.count == 1000 && probabilities.allSatisfy { abs($0.reduce(0, +) - 1) < 1e-5 })
        // The first window decides alone what only it has.
        let first = network.probabilities(of: page.prefix(256))
        for text in 0..<200 { #expect(probabilities[text] == first[text]) }
    }

    @Test func `networks with other sizes, too few weights or weights without a value are rejected`() {
        var file = network()
        #expect(RoleNetwork(file) != nil)
        file.weights.removeLast(2)
        #expect(RoleNetwork(file) == nil)
        file = network()
        file.heads = 3
        #expect(RoleNetwork(file) == nil)
        file = network()
        file.features = 1 << 20
        #expect(RoleNetwork(file) == nil)
        #expect(RoleNetwork(network { $0[40] = .nan }) == nil)
    }

    @Test func `places and features without a number give probabilities all the same`() throws {
        let network = try #require(RoleNetwork(network()))
        var page = texts(4)
        page.places[0] = .infinity
        page.places[1] = .infinity
        page.places[12] = .infinity
        page.flatRows[0] = .nan
        let probabilities = network.probabilities(of: page)
        #expect(probabilities.count == 4)
        #expect(probabilities.allSatisfy { abs($0.reduce(0, +) - 1) < 1e-5 })
    }

    @Test func `a network for other features gives no roles`() throws {
        let network = try #require(RoleNetwork(network(features: 4)))
        #expect(network.probabilities(of: texts(5)).isEmpty)
    }

    @Test func `a file with another schema is rejected with file name and key`() throws {
        let folder = try TemporaryFolder()
        try Data(#"{"schema":"x","version":"1","source":"","licence":"","networks":[]}"#.utf8).write(
            to: folder.url.appending(path: "roles.json"))
        #expect {
            try RoleModel(contentsOf: folder.url.appending(path: "roles.json"))
        } throws: { error in
            (error as? StartupError)?.message.contains("schema: x is unknown; tablesight.menu-roles/2") == true
        }
    }

    @Test func `the shipped models load and fit the program`() throws {
        let reader = try Shipped.menus.get()
        var page = MenuLines()
        for (row, line) in ["Tomato Soup £5.50", "Garlic Prawns £8.00", "Apple Pie £6.00"].enumerated() {
            page.line(line, x: 0, y: Double(row) * 30)
        }
        let menu = reader.page(reader.layout(of: reader.print(of: page.lines)))
        let names = menu.sections.flatMap(\.dishes).map { $0.name.joined().map(\.text).joined(separator: " ") }
        #expect(names == ["Tomato Soup", "Garlic Prawns", "Apple Pie"])
        #expect(menu.currency == "GBP")
    }

    @Test func `an empty page has no dishes and no confidence`() throws {
        let reader = try Shipped.menus.get()
        let menu = reader.page(reader.layout(of: reader.print(of: [])))
        #expect(menu.sections.isEmpty && reader.confidence(in: menu) == 0)
    }
}

extension RoleFeatures {
    /// The first texts alone.
    fileprivate func prefix(_ count: Int) -> RoleFeatures {
        RoleFeatures(
            count: count, width: width, flatRows: Array(flatRows.prefix(count * width)),
            links: links.prefix(count).map { $0.map { link in link.flatMap { $0 < count ? $0 : nil } } },
            places: Array(places.prefix(count * 12)))
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
