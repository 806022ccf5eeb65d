import Core
import Documents
import TestSupport
import Testing

/// Nutrition facts that are printed as sentences, and fronts of packs: the basis is the one that is printed with them.
@Suite struct `Nutrition facts in sentences` {
    private let reader: DocumentReader

    init() throws { reader = try Shipped.documents.get() }

    private func table(_ text: String) -> Nutrition? { reader.nutrition(from: reader.page(ofText: text)) }

    struct Wording: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Before the basis.
        let title: String
        let hundred, hundredDrink, serving: String
        /// Energy, fat, carbohydrate, protein, salt.
        let names: [String]
    }

    private static let wordings = [
        Wording(
            testDescription: "en", title: "Nutrition", hundred: "per 100 g", hundredDrink: "per 100 ml",
            serving: "per serving (40 g)", names: ["energy", "fat", "carbohydrate", "protein", "salt"]),
        Wording(
            testDescription: "de", title: "Nährwerte", hundred: "je 100 g", hundredDrink: "je 100 ml",
            serving: "je Portion (40 g)", names: ["Brennwert", "Fett", "Kohlenhydrate", "Eiweiß", "Salz"]),
        Wording(
            testDescription: "fr", title: "Valeurs nutritionnelles", hundred: "pour 100 g", hundredDrink: "pour 100 ml",
            serving: "par portion (40 g)", names: ["énergie", "matières grasses", "glucides", "protéines", "sel"]),
        Wording(
            testDescription: "it", title: "Valori nutrizionali", hundred: "per 100 g", hundredDrink: "per 100 ml",
            serving: "per porzione (40 g)", names: ["energia", "grassi", "carboidrati", "proteine", "sale"]),
        Wording(
            testDescription: "es", title: "Información nutricional", hundred: "por 100 g", hundredDrink: "por 100 ml",
            serving: "por porción (40 g)",
            names: ["valor energético", "grasas", "hidratos de carbono", "proteínas", "sal"]),
    ]

    /// Lines of at most `width` letters.
    private static func wrapped(_ text: String, at width: Int) -> String {
        var lines = [""]
        for word in text.split(separator: " ") {
            if lines[lines.count - 1].count + word.count + 1 > width { lines.append("") }
            lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
        }
        return lines.joined(separator: "\n")
    }

    private static let hundred = ["2010 kJ 480 kcal", "22 g", "61 g", "6.8 g", "0.7 g"]
    private static let portion = ["804 kJ 192 kcal", "8.8 g", "24.4 g", "2.7 g", "0.28 g"]

    @Test(arguments: wordings) func `a sentence has the basis that it names, however it is broken`(wording: Wording) {
        for (basis, per, amounts) in [
            (wording.hundred, "100g", Self.hundred), (wording.hundredDrink, "100ml", Self.hundred),
            (wording.serving, "serving", Self.portion),
        ] {
            let wanted = per == "serving" ? "192" : "480"
            let list = zip(wording.names, amounts).map { "\($0) \($1)" }.joined(separator: ", ")
            for sentence in [
                "\(wording.title) \(basis): \(list).", "\(wording.title): \(basis) \(list)", "\(basis): \(list)",
                "\(wording.title) (\(basis)) - \(list)",
            ] + (per == "serving" ? [] : ["\(wording.title) \(basis) (% RDA \(wording.serving)): \(list)"]) {
                for width in [38, 45, 52, 60, 68, 76, 200] {
                    let text = "Oat Cookies\n\(Self.wrapped(sentence, at: width))\nStore in a cool, dry place."
                    let found = table(text)
                    let pers = found?.basis.map(\.per) ?? []
                    #expect(pers.allSatisfy { $0 == per }, "BASIS \(per) is \(pers): \(text)")
                    // A line may end between a name and its amount.
                    let energy = found?.basis.first?.energyKcal?.value ?? (width == 200 ? "none" : wanted)
                    #expect(energy == wanted, "ENERGY \(per): \(text)")
                }
            }
        }
    }

    @Test(arguments: [
        "Each serving (150 g) contains\nEnergy 1046 kJ 250 kcal 13%\nFat 3.0 g 4%\nSaturates 1.3 g 7%\nSugars 34 g 38%\nSalt 0.9 g 15%",
        "Each serving contains\nEnergy 1046 kJ 250 kcal 13%\nFat 3.0 g 4%\nSaturates 1.3 g 7%\nSugars 34 g 38%\nSalt 0.9 g 15%",
        "Per 1/2 pack\nEnergy 1046 kJ 250 kcal\nFat 3.0 g\nSaturates 1.3 g\nSugars 34 g\nSalt 0.9 g",
        "Eine Portion (150 g) enthält\nEnergie 1046 kJ 250 kcal 13%\nFett 3,0 g 4%\ngesättigte Fettsäuren 1,3 g 7%\nZucker 34 g 38%\nSalz 0,9 g 15%",
        "Eine Portion enthält\nEnergie 1046 kJ 250 kcal 13%\nFett 3,0 g 4%\ngesättigte Fettsäuren 1,3 g 7%\nZucker 34 g 38%\nSalz 0,9 g 15%",
        "250 kcal per serving\nFat 3.0 g Sugars 34 g Salt 0.9 g",
        "250 kcal a portion\nFat 3.0 g Sugars 34 g Salt 0.9 g",
    ])
    func `a front of pack with the energy of a portion is not for 100 g`(text: String) {
        let lines = text.split(separator: "\n").map(String.init)
        let single = ([lines[0]] + [lines.dropFirst().joined(separator: " ")]).joined(separator: "\n")
        for text in [
            text, single, text + "\nof an adult's reference intake\nTypical values per 100 g: Energy 697 kJ / 167 kcal",
        ] {
            let found = table(text)
            for basis in found?.basis ?? [] where basis.energyKcal?.value == "250" {
                #expect(!basis.per.hasPrefix("100"), "\(text)")
            }
            for basis in found?.basis ?? [] where basis.energyKcal?.value == "167" {
                #expect(basis.per == "100g", "\(text)")
            }
        }
    }
}
