import Core
import HTTP
import Kinds
import TestSupport
import Testing

@testable import App

/// Lines are joined to the dish above and split into dishes by one button each.
@Suite struct DishShapeTests {
    private let english: PageLanguage

    init() throws {
        english = PageLanguage(
            texts: try PageRendering.texts(), wording: try #require(try Wordings(from: PageRendering.models)["en"]))
    }

    private func shown(_ items: [Menu.Item], lines: [String]) throws -> ShownOutcome {
        let path = try #require(FilePathBytes("a.jpg"))
        var outcome = Outcome(
            id: "sha256:1", source: .init(path: path, bytes: 1), status: .completed, domains: [.menu],
            menu: Menu(
                currency: nil, sections: [.init(title: nil, items: items)], legend: [],
                coverage: Coverage(ocrQuality: 1, sourceKind: "menu")), versions: .init(tablesight: "1"))
        outcome.readings.text = TextReading(
            languages: ["en"],
            lines: lines.enumerated().map { number, text in
                let words = text.split(separator: " ").enumerated().map { place, word in
                    Word(
                        text: String(word), confidence: 1,
                        box: Quad(x: Double(20 * place), y: Double(30 * number), width: 18, height: 20))
                }
                return TextLine(
                    text: text, confidence: 1,
                    box: Quad(around: words.map(\.box)) ?? Quad(x: 0, y: 0, width: 1, height: 1),
                    words: words)
            })
        return ShownOutcome(outcome: outcome, id: "sha256:1", people: [], language: english, mayCorrect: true)
    }

    /// The fields of an open dish's form, as a browser sends them.
    private func encoded(_ item: Menu.Item, _ shape: DishShape, _ action: String, _ shown: ShownOutcome) -> FormBody {
        let (price, text) = (shown.prices(item.prices), item.description ?? "")
        var fields = [
            ("do", action), ("item", item.name), ("place", item.box?.rectangle ?? ""), ("name", item.name),
            ("was.name", item.name), ("price", price), ("was.price", price), ("description", text),
            ("was.description", text),
        ]
        if let above = shape.above {
            fields += [
                ("above.item", above.item), ("above.place", above.place), ("above.name", above.name),
                ("above.price", above.price), ("above.description", above.description),
            ]
        }
        for split in shape.splits {
            fields += [
                ("kept.name", split.keptName), ("kept.price", split.keptPrice),
                ("kept.description", split.keptDescription), ("name", split.name), ("price", split.price),
                ("description", split.description), ("place", split.place),
            ].map { ("split.\(split.n).\($0.0)", $0.1) }
        }
        return FormBody(encoded: fields.map { "\($0.0)=\($0.1.escaped)" }.joined(separator: "&"))
    }

    private let box = Quad(x: 0, y: 0, width: 400, height: 200)

    @Test func `each line of a description can begin a dish of its own, and no word is lost`() throws {
        let lines = ["Fish soup 6.50", "with fennel and bread", "Green salad 4.20", "with nuts"]
        let item = Menu.Item(
            name: "Fish soup", description: "with fennel and bread Green salad with nuts",
            prices: [Menu.Price(amount: "6.50"), Menu.Price(amount: "4.20")], box: box, confidence: 0.9)
        let shown = try shown([item], lines: lines)
        let shape = DishShape(item, shown)
        #expect(shape.above == nil)
        #expect(shape.splits.map(\.name) == ["with fennel and bread", "Green salad", "with nuts"])
        for split in shape.splits {
            let words = [split.keptName, split.keptDescription, split.name, split.description].joined(separator: " ")
            #expect(
                words.split(separator: " ").sorted()
                    == "\(item.name) \(item.description ?? "")".split(separator: " ").sorted())
        }
        let said = try CorrectionForm.reviews(encoded(item, shape, "split 2", shown), of: "a")
        #expect(said.map(\.action) == [.price, .describe, .addDish, .describe])
        #expect(said.map(\.value) == ["6.50", "with fennel and bread", "4.20", "with nuts"])
        #expect(said.map(\.item) == ["Fish soup", "Fish soup", "Green salad", "Green salad"])
        #expect(said[2].place?.minY == 60, "the new dish begins in its line")
    }

    @Test func `a name over two lines can be two dishes`() throws {
        let item = Menu.Item(name: "Lemonade Iced tea", prices: [], box: box, confidence: 0.9)
        let shape = DishShape(item, try shown([item], lines: ["Lemonade", "Iced tea"]))
        #expect(shape.splits.map(\.keptName) == ["Lemonade"] && shape.splits.map(\.name) == ["Iced tea"])
        let one = Menu.Item(name: "Lemonade", prices: [], box: box, confidence: 0.9)
        #expect(DishShape(one, try shown([one], lines: ["Lemonade"])).splits.isEmpty)
    }

    @Test(arguments: [("joinText", "with bread and olive oil"), ("joinName", "with bread")])
    func `a line becomes the description or the name of the dish above, and its price goes there where none is`(
        action: String, description: String
    ) throws {
        let above = Menu.Item(name: "Soup of", description: "with bread", prices: [], box: box, confidence: 0.9)
        let item = Menu.Item(
            name: "and olive oil", prices: [Menu.Price(amount: "5.00")],
            box: Quad(x: 0, y: 300, width: 100, height: 20), confidence: 0.9)
        let shown = try shown([above, item], lines: [])
        let said = try CorrectionForm.reviews(encoded(item, DishShape(item, shown), action, shown), of: "a")
        #expect(said[0].action == .notADish && said[0].item == "and olive oil")
        let ofAbove = said.dropFirst()
        #expect(ofAbove.allSatisfy { $0.item == "Soup of" && $0.place == box })
        #expect(ofAbove.first { $0.action == .price }?.value == "5.00")
        #expect(ofAbove.first { $0.action == .describe }?.value ?? "with bread" == description)
        #expect(ofAbove.first { $0.action == .rename }?.value == (action == "joinName" ? "Soup of and olive oil" : nil))
    }

    @Test func `a split that the page does not offer says nothing`() throws {
        #expect(throws: Problem.self) {
            try CorrectionForm.reviews(FormBody(encoded: "do=split+9&item=Soup&name=Soup"), of: "a")
        }
    }
}
