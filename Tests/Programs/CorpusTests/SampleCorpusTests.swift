import Foundation
import TestSupport
import Testing
import Core

/// Runs the samples through the real program and checks lower bounds; raise them when recognition improves.
@Suite(.serialized) struct SampleCorpusTests {
    @Test func `menus name their dishes, prices and allergens`() throws {
        var dishes = Tally()
        var prices = Tally()
        var allergens = Tally()
        var domains = Tally()
        for (sample, outcome) in try SampleOutcomes.scan("menus") {
            domains.count(outcome.domains == [.menu], "\(sample): \(outcome.domains)")
            let items = outcome.menu?.sections.flatMap(\.items) ?? []
            for dish in sample.expected.dishes ?? [] {
                let name = SampleOutcomes.plain(dish.name)
                let item = items.first { SampleOutcomes.plain($0.name).contains(name) }
                dishes.count(item != nil, "\(sample): \(dish.name)")
                for price in dish.prices {
                    prices.count(item?.prices.contains { $0.amount == price } == true, "\(dish.name) \(price)")
                }
                for allergen in dish.contains {
                    let verdict = Allergen(rawValue: allergen).flatMap { item?.verdicts["everyone"]?[$0]?.verdict }
                    allergens.count(verdict == .contains || verdict == .likely, "\(dish.name): \(allergen)")
                    #expect(verdict != .notFoundInText, "\(sample), \(dish.name): \(allergen) must not be missed")
                }
            }
        }
        domains.expect(minimumCorrect: 6, of: 6)
        dishes.expect(minimumCorrect: 42, of: 42)
        prices.expect(minimumCorrect: 42, of: 42)
        allergens.expect(minimumCorrect: 67, of: 67)
    }

    @Test func `outcomes of all samples have the form of docs/schemas/outcome.json`() throws {
        var check = try SchemaCheck(Data(contentsOf: Repository.root.appending(path: "docs/schemas/outcome.json")))
        var count = 0
        for domain in ["menus", "labels", "barcodes", "boards"] {
            for line in try SampleOutcomes.printed(domain).split(separator: "\n") {
                try check.check(Data(line.utf8))
                count += 1
            }
        }
        #expect(count >= 29)
        #expect(check.problems.sorted() == [])
        try check.check(Data(#"{"schema":"tablesight.outcome/1","domain":7}"#.utf8))
        #expect(check.problems.contains { $0.contains("domain") }, "a value of another form is found")
    }

    @Test func `menus of every generated layout name their dishes`() throws {
        let layouts = try GeneratedLayouts.load()
        #expect(layouts.count >= 12)
        var found = Tally()
        var extra = 0
        for (layout, outcome) in try layouts.scan() {
            var names = (outcome.menu?.sections.flatMap(\.items) ?? []).map { SampleOutcomes.plain($0.name) }
            for dish in layout.dishes {
                let match = names.firstIndex { GeneratedLayouts.isAlike($0, dish) }
                found.count(match != nil, "\(layout.name): \(dish.first ?? "")")
                if let match { names.remove(at: match) }
            }
            for dish in layout.optional {
                if let match = names.firstIndex(where: { GeneratedLayouts.isAlike($0, dish) }) {
                    names.remove(at: match)
                }
            }
            extra += names.count
        }
        found.expect(minimumCorrect: GeneratedLayouts.leastFound, of: GeneratedLayouts.dishes)
        #expect(extra <= GeneratedLayouts.mostExtra, "names that are not dishes")
    }

    @Test func `allergens of labels are found`() throws {
        var contains = Tally()
        var traces = Tally()
        for (sample, outcome) in try SampleOutcomes.scan("labels") {
            let verdicts = outcome.label?.verdicts["everyone"] ?? [:]
            for allergen in sample.expected.contains ?? [] {
                let verdict = Allergen(rawValue: allergen).flatMap { verdicts[$0]?.verdict }
                contains.count(verdict == .contains, "\(sample): \(allergen) \(verdict?.rawValue ?? "-")")
                #expect(verdict != .notFoundInText, "\(sample): \(allergen) must not be missed")
            }
            for allergen in sample.expected.mayContain ?? [] {
                let verdict = Allergen(rawValue: allergen).flatMap { verdicts[$0]?.verdict }
                traces.count(verdict == .mayContain, "\(sample): \(allergen) \(verdict?.rawValue ?? "-")")
            }
        }
        contains.expect(minimumCorrect: 20, of: 20)
        traces.expect(minimumCorrect: 11, of: 11)
    }

    @Test func `barcodes are read without false detections`() throws {
        var codes = Tally()
        var products = Tally()
        for (sample, outcome) in try SampleOutcomes.scan("barcodes") {
            let read = outcome.readings.barcodes ?? []
            let expected = sample.expected.barcodes ?? []
            for code in expected {
                codes.count(
                    read.contains { $0.text == code.text || $0.gtin != nil && $0.gtin == code.gtin }, "\(sample)")
                if let product = code.product {
                    products.count(outcome.products?.contains { $0.name == product } == true, "\(sample): \(product)")
                }
            }
            for reading in read {
                let isTrue = expected.contains { $0.text == reading.text || $0.gtin != nil && $0.gtin == reading.gtin }
                #expect(isTrue, "\(sample): \(reading.format) \(reading.text) is not expected")
            }
        }
        codes.expect(minimumCorrect: 10, of: 10)
        products.expect(minimumCorrect: 8, of: 8)
    }

    @Test func `pieces of boards are recognised and played`() throws {
        var pieces = Tally()
        var games = Tally()
        var extra = 0
        for (sample, outcome) in try SampleOutcomes.scan("boards") {
            var found = outcome.readings.pieces?.pieces ?? []
            for piece in sample.expected.pieces ?? [] {
                let centre = Self.centre(piece.polygon_px)
                let match = found.firstIndex { candidate in
                    let other = Self.centre(candidate.polygonPX.map { [$0.x, $0.y] })
                    return candidate.type == piece.type && hypot(other.x - centre.x, other.y - centre.y) < 12
                }
                pieces.count(match != nil, "\(sample): \(piece.type)")
                if let match { found.remove(at: match) }
            }
            extra += found.count
            games.count(
                outcome.game?.outcome.kind.rawValue == sample.expected.game?.kind
                    && outcome.game?.puzzle == sample.expected.game?.puzzle,
                "\(sample): \(outcome.game?.outcome.kind.rawValue ?? "-") \(outcome.game?.puzzle ?? "-")")
        }
        pieces.expect(minimumCorrect: 56, of: 56)
        games.expect(minimumCorrect: 8, of: 8)
        #expect(extra == 0, "pieces that do not exist")
    }

    @Test func `bad inputs have the expected status, a reason and a hint`() throws {
        for (sample, outcome) in try SampleOutcomes.scan("bad") {
            #expect(outcome.status.rawValue == sample.expected.status, "\(sample)")
            #expect(outcome.reason?.code == sample.expected.reason, "\(sample)")
            #expect(outcome.reason?.hint.isEmpty == false, "\(sample)")
        }
    }

    @Test func `every sample is of its kind although nobody names it`() throws {
        var kinds = Tally()
        func count(_ outcome: Outcome, _ expected: [String]) {
            let found = outcome.domains.map(\.rawValue)
            kinds.count(
                Set(found) == Set(expected), "\(outcome.source.path): \(found), \(outcome.confidence.level.rawValue)")
            guard let kind = outcome.pageKind, found.contains(kind.value) else { return }
            #expect(outcome.confidence.score <= kind.confidence + 0.0001, "\(outcome.source.path)")
        }
        for folder in ["menus", "labels", "barcodes", "boards", "documents"] {
            for (sample, outcome) in try SampleOutcomes.scan(folder) { count(outcome, sample.expected.domains ?? []) }
        }
        for (_, outcome) in try GeneratedLayouts.load().scan() { count(outcome, ["menu"]) }
        kinds.expect(minimumCorrect: 60, of: 60)
    }

    @Test func `no outcome anywhere says safe`() throws {
        for domain in ["menus", "labels"] {
            let photos = try Sample.all(in: domain).map(\.photo.path)
            let text = try Program("tablesight").run(["scan", "--format", "text"] + photos)
            #expect(text.exitCode == 0)
            for output in [text.output, try SampleOutcomes.printed(domain)] {
                #expect(output.lowercased().contains("safe") == false)
                #expect(!output.contains("u{A}"), "line ends of the program are not escaped")
            }
        }
    }

    private static func centre(_ points: [[Double]]) -> Point {
        let count = Double(max(1, points.count))
        return Point(points.reduce(0) { $0 + $1[0] } / count, points.reduce(0) { $0 + $1[1] } / count)
    }
}
