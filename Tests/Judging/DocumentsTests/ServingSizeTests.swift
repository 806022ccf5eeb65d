import Core
import Documents
import TestSupport
import Testing

/// A serving has its size in whatever unit the table prints it, wherever it stands.
@Suite struct ServingSizeTests {
    private let reader: DocumentReader

    init() throws { reader = try Shipped.documents.get() }

    /// Spellings of sizes, each with its grams or millilitres.
    static let sizes = [
        ("30 g", "30 g"), ("30g", "30 g"), ("0,25 kg", "250 g"), ("1/4 kg", "250 g"), ("3 dag", "30 g"),
        ("330 ml", "330 ml"), ("33 cl", "330 ml"), ("2,5 dl", "250 ml"), ("1/2 l", "500 ml"), ("½ l", "500 ml"),
        ("0.5 L", "500 ml"), ("0,2 Liter", "200 ml"), ("250 mL", "250 ml"),
    ]

    /// Tables that print a size.
    private static func tables(_ size: String) -> [(layout: String, text: String)] {
        let portion = """
            Energie         89 kJ / 21 kcal
            Fett            1,0 g
            Kohlenhydrate   4,0 g
            Zucker          3,0 g
            Eiweiß          0,5 g
            """
        let both = """
            Energie         178 kJ      89 kJ
                            42 kcal     21 kcal
            Fett            2,0 g       1,0 g
            Kohlenhydrate   8,0 g       4,0 g
            Zucker          6,0 g       3,0 g
            Eiweiß          1,0 g       0,5 g
            """
        let hundred = size.lowercased().hasSuffix("g") ? "100 g" : "100 ml"
        return [
            ("head", "Nährwerte       \(hundred)      \(size)\n" + both),
            ("bracket", "Nährwerte\npro Portion (\(size))\n" + portion),
            ("bottle", "Nutrition\nPer 1 bottle (\(size))\n" + portion),
            ("row", "Nährwerte\nPortionsgröße \(size)\n" + portion),
        ]
    }

    @Test(arguments: sizes.indices)
    func `a size counts in any unit of packages, in a head, in brackets and in a row of its own`(_ index: Int) {
        let (print, size) = Self.sizes[index]
        for (layout, text) in Self.tables(print) {
            let found = reader.nutrition(from: reader.page(ofText: text))?.basis.compactMap { $0.servingSize?.value }
            #expect(found?.first == size, "\(layout): \(print)")
        }
    }

    @Test(arguments: ["100 g", "100 ml", "1 dl", "0,1 l", "10 dag", "5 mg", "3 m", "2 x", "12 kg"])
    func `what is no size of a serving is none`(_ print: String) {
        for (layout, text) in Self.tables(print) where layout != "row" {
            let found = reader.nutrition(from: reader.page(ofText: text))?.basis.compactMap { $0.servingSize?.value }
            #expect(found?.isEmpty != false, "\(layout): \(print) \(found ?? [])")
        }
    }
}
