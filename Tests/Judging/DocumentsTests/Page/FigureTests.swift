import Core
import Foundation
import TestSupport
import Testing

@testable import Documents

/// Numbers of rows, with the amounts that packages print.
@Suite struct FigureTests {
    private let scanner: FigureScanner

    init() throws { scanner = FigureScanner(amounts: try AmountWords(from: ModelFolder(Repository.models))) }

    private func figures(_ text: String) -> [Figure] { scanner.figures(in: Array(text.unicodeScalars)) }

    @Test func `an amount on a page has the value that it has in a list`() throws {
        let numbers = [
            "1", "2", "0,5", "0.75", "1,25", "½", "1/2", "¾", "3/4", "1 1/2", "1½", "2 ½", "2 3/4", "⅓", "1/3",
        ]
        let units: [AmountUnit: [String]] = [
            .litre: ["l", "L", "Liter", "litre"], .kilogram: ["kg", "KG"], .ounce: ["oz"], .pound: ["lb"],
            .pint: ["pint"],
        ]
        for number in numbers {
            let written = try #require(WrittenNumber(number))
            for (unit, word) in units.flatMap({ unit, words in words.map { (unit, $0) } }) {
                for gap in ["", " "] {
                    let text = "Milk \(number)\(gap)\(word)"
                    let figure = try #require(figures(text).first, "\(text)")
                    let difference = (figure.value - FixedDecimal(written.value)).magnitude
                    #expect(figures(text).count == 1 && difference.parts <= 1, "\(text)")
                    #expect(AmountUnit(printed: figure.unit) == unit, "\(text)")
                }
            }
        }
    }

    @Test(arguments: [
        ("1585/377 kJ/kcal", ["1585", "377"]), ("3/4 g", ["3", "4"]), ("12/14 €", ["12", "14"]), ("1/2", ["1", "2"]),
        ("1/2/3 l", ["1", "2", "3"]), ("5/4 kg", ["5", "4"]), ("1/2,5 l", ["1", "2.5"]), ("1/2 chicken", ["1", "2"]),
    ])
    func `numbers of a series or of two columns are no fraction`(text: String, values: [String]) {
        #expect(figures(text).map { $0.value.text() } == values)
    }

    @Test(arguments: ["¼ l", "1/4 l", "0,25 l", "250 ml", "25cl", "1/4L"])
    func `the content of a tag is read however it is printed`(content: String) throws {
        let reader = try Shipped.documents.get()
        let lines = [("SAFT \(content)", 0.0, 0.0, 20.0), ("29.90", 60, 60, 70), ("119.60", 0, 160, 20)].map {
            TextLine.printed($0, $1, $2, $3, confidence: 0.97)
        }
        let tag = reader.priceTag(from: reader.page(of: TextReading(languages: [], lines: lines)), barcodes: [])
        #expect(tag.price?.value == "29.90")
        #expect(tag.unitPrice?.value == "119.60" && tag.unit?.value == "l")
    }
}
