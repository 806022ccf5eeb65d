import Core
import TestSupport
import Testing

@testable import Allergens
@testable import Foods

/// Allergens and risk read the same list of ingredients.
@Suite struct IngredientReadersTests {
    private struct Named: Hashable {
        var words: [String]
        var share: Double?
    }

    private static let loaded = Result {
        let models = ModelFolder(Repository.models)
        return try (AllergenInterpreter(models: models), RiskInterpreter(models: models))
    }

    /// What the tree of allergens has, in reading order; a heading before a colon is a name of its own.
    private func ofTree(_ text: String) throws -> [Named] {
        let text = RecognizedText(text)
        let tree = IngredientTree(text: text, lexiconIndex: try Self.loaded.get().0.detector.lexiconIndex)
        func flat(_ one: Label.Ingredient) -> [Named] {
            let names = one.text.split(separator: ":").map { Named(words: Folding.words(of: String($0))) }
            let named = names.dropLast() + [Named(words: names.last?.words ?? [], share: one.percent)]
            return named + one.ingredients.flatMap(flat)
        }
        return tree.parse(0..<text.characters.count).flatMap(flat)
    }

    private func ofRisk(_ text: String) throws -> [Named] {
        let index = try Self.loaded.get().1.release.index
        return IngredientList.items(of: text, language: "en", index: index).items
            .map { Named(words: $0.words.map(\.text), share: $0.percent) }
    }

    /// A list as print has it, and what it says.
    private struct Printed {
        private var generator: SeededGenerator
        private(set) var text = ""
        private(set) var named: [Named] = []

        private static let names = [
            "wheat flour", "sugar", "E250", "E322(i)", "E 160a", "soya lecithin", "mono- and diglycerides",
            "low-fat cocoa", "vitamin B12", "crème fraîche", "m&ms", "_milk_",
        ]
        private static let separators = [
            ", ", "; ", " • ", " · ", " | ", "、", "。", "・", " ∙ ", " ● ", " - ", " — ", "\n\n", ". ", "， ", ",\n",
        ]
        private static let shares = [
            "12%": 12, "7 %": 7, "2,5 %": 2.5, "0.5%": 0.5, "<2%": 2, "< 2 %": 2, "１２％": 12, "12–14 %": 14,
            "12 - 14%": 14, "100\u{A0}%": 100,
        ]
        /// What a share may be printed with besides its own: part of the name, of no share of the product.
        private static let contents = ["35% fat", "min 3,5 % fat", "50 % cocoa", "<1% fat"]
        private static let brackets = ["()", "[]", "{}", "（）", "［］", "〔〕"].map(Array.init)

        init(seed: UInt64) {
            generator = SeededGenerator(seed: seed)
            list(depth: 0)
        }

        private mutating func pick<Value>(_ values: [Value]) -> Value {
            values[Int.random(in: values.indices, using: &generator)]
        }

        private mutating func list(depth: Int) {
            let count = Int.random(in: 1...4, using: &generator)
            for number in 0..<count {
                ingredient(depth: depth)
                if number < count - 1 { text += pick(Self.separators) }
            }
        }

        private mutating func name(_ name: String, _ share: Double? = nil) {
            named.append(Named(words: Folding.words(of: name), share: share))
        }

        private mutating func ingredient(depth: Int) {
            let place = Int.random(in: 0..<13, using: &generator)
            let own = pick(Self.names)
            let share = pick(Self.shares.sorted { $0.key < $1.key })
            let bracket = pick(Self.brackets)
            switch place {
            case 0:
                text += "emulsifier: "
                name("emulsifier")
            case 10:
                let shown = pick(["emulsifier \(share.key)", "emulsifier \(bracket[0])\(share.key)\(bracket[1])"])
                text += shown + pick([": ", " : ", ":"])
                name("emulsifier", share.value)
            default: break
            }
            let index = named.count
            name(own)
            switch place {
            case 1: text += "\(own) \(bracket[0])emulsifier\(bracket[1])"
            case 11, 12:
                // A name with a content of its own, and its share behind it or before it.
                let content = pick(Self.contents)
                let kept = content.drop { $0 != "%" }.dropFirst()
                let before = content.hasPrefix("min") ? "min" : ""
                named[index] = Named(words: Folding.words(of: "\(own) \(before) \(kept)"), share: share.value)
                text += place == 11 ? "\(own) \(content) \(share.key)" : "\(share.key) \(own) \(content)"
            case 2...4:
                named[index].share = share.value
                text +=
                    [
                        "\(share.key) \(own)", "\(own) \(share.key)", "\(own) \(bracket[0])\(share.key)\(bracket[1])",
                    ][place - 2]
            default: text += own
            }
            if place == 1 { name("emulsifier") }
            guard depth < 3, (6...9).contains(place) else { return }
            text += " \(bracket[0])"
            list(depth: depth + 1)
            text += String(bracket[1])
            guard place == 9 else { return }
            text += " \(share.key)"
            named[index].share = share.value
        }
    }

    @Test func `both readers see the names and shares of a generated list`() throws {
        for seed in 0..<2000 {
            let printed = Printed(seed: UInt64(seed))
            #expect(try ofTree(printed.text) == printed.named, "allergens, \(seed): \(printed.text)")
            #expect(try ofRisk(printed.text) == printed.named, "risk, \(seed): \(printed.text)")
        }
    }

    @Test(
        arguments: [
            ("E250 <2 %, salt", ["E250 2.0", "salt"]), ("flour (wheat) 12 %", ["flour 12.0", "wheat"]),
            ("E330 12%", ["E330 12.0"]), ("colour E 160a", ["colour E 160a"]),
            ("sugar，salt（２％）", ["sugar", "salt 2.0"]), ("B12%", ["B12"]),
            ("150% fruit", ["150 fruit"]), ("flour (wheat) sugar", ["flour", "wheat", "sugar"]),
            ("colour: (E120), salt", ["colour", "E120", "salt"]), ("(wheat, rye), salt", ["wheat", "rye", "salt"]),
            ("salt and (12%) pepper", ["salt and 12.0", "pepper"]),
            ("soya- and milk protein", ["soya and milk protein"]),
            ("ammonium- diphosphates", ["ammonium", "diphosphates"]),
            ("so-\ndium nitrite", ["sodium nitrite"]), (")) salt ((", ["salt"]), ("12 %", []), ("", []),
        ] as [(String, [String])])
    func `both readers see the same names and shares`(text: String, names: [String]) throws {
        for read in [try ofTree(text), try ofRisk(text)] {
            let shown = read.map { ($0.words + ($0.share.map { ["\($0)"] } ?? [])).joined(separator: " ") }
            #expect(shown == names.map { $0.lowercased() }, "\(text)")
        }
    }

    /// Numbers with a blank among their digits, as a lost comma, a cut number, or a number of the name leaves them.
    @Test(
        arguments: [
            ("sugar 2 7 %, salt", nil), ("sugar 2 7 %", nil), ("sugar (2 7 %)", nil), ("sugar 22 5%", nil),
            ("flour tipo 2 76%", 76), ("E 471 2 %", 2), ("E 471 12 %", 12), ("butter 1 00 %", 100),
            ("cocoa 7,9 0%", 7.9), ("(95 0% milk)", 95), ("(5 0% milk)", nil), ("sugar 12 0 %", 12),
            ("B E U R R E À 8 0 % M G", 80), ("A R O U N D 1 4 % F A T", 14),
            ("milk (1, 1%), salt", 1.1), ("rosemary (0, 6 %), salt", 0.6), ("rosemary 0, 6 %, salt", 0.6),
            ("milk (2. 5 %)", 2.5), ("sugar, 5 % salt", nil), ("vitamin B2, 5% salt", nil), ("E 150, 5 % salt", nil),
            ("oil7,5%", 7.5), ("B12%", nil), ("0mg4%", nil), ("cocoa (10/12% fat)", nil), ("1/10% salt", nil),
        ] as [(String, Double?)])
    func `a share with a blank in its number has a value only if print can mean one`(text: String, share: Double?) {
        let text = Array(text.unicodeScalars)
        let parts = IngredientScanner.parts(of: text, in: 0..<text.count) { $0 == "and" }
        let first = parts.first { $0.share != nil && !text[$0.range].elementsEqual("salt".unicodeScalars) }
        #expect(first?.share == share, "\(String(scalars: text))")
    }

    @Test func `a dash between a number and a name separates`() {
        for text in ["Via 67 - 41122 Modena - MO", "E 471 - 7 herbs", "mono- & diglycerides"] {
            let scalars = Array(text.unicodeScalars)
            let parts = IngredientScanner.parts(of: scalars, in: 0..<scalars.count) { _ in false }
            #expect(
                parts.map { String(scalars: scalars[$0.range]) }.joined(separator: "|")
                    == text.replacing(" - ", with: "|"), "\(text)")
        }
    }

    @Test func `brackets below the deepest level only separate`() throws {
        let text = (0..<40).map { "a\($0) (" }.joined() + "b" + String(repeating: ")", count: 40) + ", c"
        let parts = IngredientScanner.parts(of: Array(text.unicodeScalars), in: 0..<text.count) { _ in false }
        #expect(parts.map(\.depth).max() == IngredientScanner.mostDepth && parts.last?.depth == 0)
        #expect(try ofTree(text).count == 42 && ofRisk(text).count == 42)
    }
}
