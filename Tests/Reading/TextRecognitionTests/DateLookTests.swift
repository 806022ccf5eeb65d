import TestSupport
import Testing
import Core
@testable import TextRecognition

private let models = ModelFolder(Repository.models)

private func letters(_ text: String, probability: Float = 0.99) -> [LineDecoder.Letter] {
    text.enumerated().map { LineDecoder.Letter(character: $1, probability: probability, steps: $0...$0) }
}

private func line(_ text: String, probability: Float = 0.99) -> PageLine {
    let shape = LineShape(Quad(x: 0, y: 0, width: 300, height: 30))
    return PageLine(shape: shape, lattice: lattice([]), letters: letters(text, probability: probability), score: 1)
}

private func scanner() throws -> DateScanner { try models.load(MonthNames.self, from: MonthNames.path).scanner }

@Suite struct `Dates in the letters of a line` {
    private let scanner: DateScanner

    init() throws { scanner = try TextRecognitionTests.scanner() }

    private func dates(_ text: String) -> [LineDate] { scanner.dates(in: letters(text)) }

    @Test(arguments: [("EXP 01/02/2026", "01.02.2026"), ("21.08.20", "21 08 20"), ("MAR O7 23", "MAR 07 23")])
    func `two readings agree on one day whatever separates it`(one: String, other: String) {
        #expect(dates(one).count == 1 && dates(one).map(\.choices) == dates(other).map(\.choices))
    }

    @Test(arguments: [
        ("01/02/2026", "02/01/2026"), ("13.05.26", "13.05.28"), ("150826", "150828"), ("03/2027", "03.03.2027"),
    ])
    func `two readings of other days do not agree`(one: String, other: String) {
        #expect(dates(one).count == 1 && dates(one).map(\.choices) != dates(other).map(\.choices))
    }

    @Test(arguments: ["GRADE 7", "18 FEB", "1 80625", "1.07.22", "15 HUG 2026", "12.03.2005", "LOT 210512"])
    func `digits without a year of packages and with a guessed part are no date`(text: String) {
        #expect(dates(text).isEmpty)
    }

    @Test func `the least probable letter decides, and six digits alone are marked`() throws {
        var print = letters("01/02/2026")
        print[4].probability = 0.3
        print[5].probability = 0.2
        let date = try #require(scanner.dates(in: print).first)
        #expect(date.probability == 0.3 && !date.isBare)
        #expect(dates("150826").first?.isBare == true)
    }

    @Test func `words before a date and doubtful digits call for a second look, prices and sentences do not`() {
        #expect(DateHint.score(of: letters("MFG 2S 2MY"), isDoubtful: false) > 0)
        #expect(DateHint.score(of: letters("031111121"), isDoubtful: true) > 0)
        #expect(DateHint.score(of: letters("031111121"), isDoubtful: false) == 0)
        #expect(DateHint.score(of: letters("Soup 8.50"), isDoubtful: true) == 0)
        let sentence = "our best sauce is served with bread, butter and olives"
        #expect(DateHint.score(of: letters(sentence), isDoubtful: true) == 0)
    }
}

@Suite struct `Votes of several looks` {
    private let scanner: DateScanner

    init() throws { scanner = try TextRecognitionTests.scanner() }

    private func agreed(_ looks: PageLine..., dotted: [PageLine] = [], first: String? = nil) -> String? {
        DateLook.Seen(scanner: scanner, looks: looks, dotted: dotted)
            .agreed(against: first.map { scanner.dates(in: letters($0)).map(\.choices) } ?? [])?.letters.text
    }

    @Test func `a date counts if two looks agree, not if one look alone shows it`() {
        #expect(agreed(line("EXP 01/02/26"), line("EXP 01.02.26"), line("EXP 81/02/26")) != nil)
        #expect(agreed(line("EXP 01/02/26"), line("EXP 07/02/26"), line("EXP")) == nil)
        #expect(agreed(line("EXP 01/02/26")) == nil)
    }

    @Test func `a look of the reader of dotted dates counts beside one of the reader of all print, not alone`() {
        #expect(agreed(line("EXP 01/02/26"), dotted: [line("EXP 01/02/26")]) == "EXP 01/02/26")
        #expect(agreed(line("BE5T 81/02/26"), dotted: [line("BEST 01/02/26")]) == nil)
        #expect(agreed(line("8I/O2"), dotted: [line("01/02/26"), line("01/02/26")]) == nil)
        #expect(agreed(line("EXP 01/02/26"), dotted: [line("EXP 01/02/26", probability: 0.8)]) != nil)
        #expect(agreed(line("EXP 01/02/26"), dotted: [line("EXP 01/02/26", probability: 0.7)]) == nil)
    }

    @Test func `three looks overrule a date of the first reading, two do not`() {
        #expect(agreed(line("10.05.25"), line("10.05.25"), first: "10.06.25") == nil)
        #expect(agreed(line("10.05.25"), line("10.05.25"), line("10.05.25"), first: "10.06.25") == "10.05.25")
        #expect(agreed(line("10.05.25"), line("10.05.25"), first: "10.05.25") == "10.05.25")
    }

    @Test func `two dates with two votes each give none`() {
        #expect(agreed(line("01/02/26"), line("01/02/26"), line("07/02/26"), line("07/02/26")) == nil)
    }

    @Test func `doubtful looks do not count`() {
        #expect(agreed(line("01/02/26", probability: 0.85), line("01/02/26", probability: 0.85)) == nil)
        var weak = line("01/02/26 LOT OF BERLIN AND BREMEN")
        weak.letters[1].probability = 0.4
        #expect(agreed(weak, weak) == nil)
    }
}

@Suite(.serialized, .enabled(if: NetworkTextRecognizer.isInstalled(models: models)))
struct `A second look for dates` {
    private let recognizer: NetworkTextRecognizer

    init() throws { recognizer = try NetworkTextRecognizer(models: models) }

    private func page(_ prints: DottedPrint...) throws -> Raster {
        let words = ["Ingredients: wheat flour, sugar", "Keep in a cool and dry place", "Made in a bakery in Berlin"]
        let page = try RenderedPage(
            width: 1000, height: 700,
            prints: words.enumerated().map { RenderedPage.Print($1, x: 80, baseline: 420 + 80 * $0) })
        return try prints.reduce(page.raster()) { try $1.added(to: $0, ink: 30) }
    }

    @Test func `a dotted date that is upside down among upright print is read`() throws {
        let raster = try page(DottedPrint(text: "EXP 01/02/26", x: 300, y: 120, pitch: 3, isUpsideDown: true))
        let reading = try recognizer.read(raster, search: .close).reading
        let text = reading.lines.map(\.text)
        #expect(text.contains { $0.contains("EXP") && $0.contains("01/02/26") }, "\(text)")
        #expect(text.contains("Keep in a cool and dry place"))
        #expect(reading.unreadLines == nil, "the line that the look replaced is read")
    }
}
