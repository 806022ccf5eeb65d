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

@Suite struct `Dates in the letters of a line` {
    @Test(arguments: [
        ("EXP 01/02/2026", "01.02.2026"), ("MFG20250520 MY", "20250520"), ("BEST IF USED BY MAR O7 23", "mar.07.23"),
        ("12 NOV 2026 13:45", "12.nov.2026"), ("21.08.20", "21.08.20"), ("BBE 03/2027", "03.2027"),
        ("150826", "150826"),
    ])
    func `a date is found in any order, with its numbers as printed`(text: String, numbers: String) {
        #expect(DatePrint.dates(in: letters(text)).map(\.numbers) == [numbers])
    }

    @Test(arguments: ["12.50 13.90", "04:27:12", "32/13/2026", "99 88 77", "210", "Tel 0221 123", "GRADE 7"])
    func `other numbers are no date`(text: String) {
        #expect(DatePrint.dates(in: letters(text)).isEmpty)
    }

    @Test func `the least probable letter decides, and six digits alone are marked`() throws {
        var print = letters("01/02/2026")
        print[4].probability = 0.3
        let date = try #require(DatePrint.dates(in: print).first)
        #expect(date.probability == 0.3 && !date.isCompact)
        #expect(DatePrint.dates(in: letters("150826")).first?.isCompact == true)
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
    private func agreed(_ looks: PageLine..., first: String? = nil) -> String? {
        DateLook.Seen(looks: looks).agreed(against: first.map { [$0] } ?? [])?.letters.text
    }

    @Test func `a date counts if two looks agree, not if one look alone shows it`() {
        #expect(agreed(line("EXP 01/02/26"), line("EXP 01.02.26"), line("EXP 81/02/26")) != nil)
        #expect(agreed(line("EXP 01/02/26"), line("EXP 07/02/26"), line("EXP")) == nil)
        #expect(agreed(line("EXP 01/02/26")) == nil)
    }

    @Test func `a look of the reader of dotted dates counts beside one of the reader of all print, not alone`() {
        func agreed(_ looks: PageLine..., dotted: PageLine...) -> String? {
            DateLook.Seen(looks: looks, dotted: dotted).agreed()?.letters.text
        }
        #expect(agreed(line("EXP 01/02/26"), dotted: line("EXP 01/02/26")) == "EXP 01/02/26")
        #expect(agreed(line("BE5T 81/02/26"), dotted: line("BEST 01/02/26")) == nil)
        #expect(agreed(line("8I/O2"), dotted: line("01/02/26"), line("01/02/26")) == nil)
        #expect(agreed(line("EXP 01/02/26"), dotted: line("EXP 01/02/26", probability: 0.8)) != nil)
        #expect(agreed(line("EXP 01/02/26"), dotted: line("EXP 01/02/26", probability: 0.7)) == nil)
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
