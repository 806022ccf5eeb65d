import Core
import Foundation

/// Why a portion cannot be calculated, with what the person can do.
package struct PortionRefusal: Error, Sendable, Hashable {
    package enum Code: String, Sendable, Hashable {
        /// The text has no number and no known word.
        case notUnderstood
        /// The food's record has no weight for any serving.
        case noWeight
        /// A volume of a food that is recorded by weight, or the reverse, without its density.
        case noDensity
        /// The record has no such serving.
        case noSuchServing
        case outOfRange
    }

    package var code: Code
    /// What is missing, and what to type.
    package var detail: String
}

/// Turns `2 bars`, `150 g`, `½ pack` or `1 cup` into a serving of a food.
package enum PortionText {
    private static let mostLetters = 60
    private static let servings: Set = ["serving", "servings", "portion", "portions", "portionen", "x"]
    private static let numbers: [String: Decimal] = ["a": 1, "an": 1, "one": 1, "ein": 1, "eine": 1, "einen": 1]
    private static let halves: Set = ["half", "halbe", "halber", "halbes", "halben"]

    /// - Throws: ``PortionRefusal`` with the reason.
    package static func parse(_ text: String, of food: Food) throws(PortionRefusal) -> Serving {
        let label = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !label.isEmpty, label.count <= mostLetters else {
            throw PortionRefusal(code: .notUnderstood, detail: "type a portion such as “150 g” or “2 servings”")
        }
        if let own = food.servings.first(where: { $0.sizeLabel.lowercased() == label.lowercased() }) { return own }
        let (count, word) = try parts(label)
        guard count > 0 else { throw outOfRange }
        let serving: Serving
        if word.isEmpty || servings.contains(word.lowercased()) {
            serving = scaled(food.defaultServing, by: count, label)
        } else if let unit = unit(word) {
            serving = try measured(count, unit, label, food)
        } else {
            serving = try counted(count, word, label, food)
        }
        guard serving.fault == nil else { throw outOfRange }
        return serving
    }

    private static let outOfRange = PortionRefusal(
        code: .outOfRange, detail: "a portion is more than 0 and at most 20 kg")

    /// - Parameter number: the number of units that the serving itself has.
    private static func scaled(
        _ serving: Serving, by count: Decimal, of number: Decimal = 1, _ label: String
    ) -> Serving {
        Serving(
            sizeLabel: label, grams: serving.grams.map { $0 * count / number },
            multiplier: serving.multiplier * count / number)
    }

    private static func unit(_ word: String) -> AmountUnit? {
        let plain = word.lowercased().replacing(".", with: "").replacing(" ", with: "")
        return AmountUnit(word: plain)
    }

    /// The number and the word after it.
    private static func parts(_ label: String) throws(PortionRefusal) -> (Decimal, String) {
        if let (number, rest) = WrittenNumber.leading(label) { return (number, rest) }
        var words = label.split(separator: " ").map(String.init)
        var count: Decimal = 1
        var hasNumber = false
        if let first = words.first?.lowercased(), let number = numbers[first] {
            (count, hasNumber) = (number, true)
            words.removeFirst()
        }
        if let first = words.first?.lowercased(), halves.contains(first) {
            (count, hasNumber) = (Decimal(1) / 2, true)
            words.removeFirst()
            if words.first?.lowercased() == "a" { words.removeFirst() }
        }
        guard !words.isEmpty || hasNumber else {
            throw PortionRefusal(code: .notUnderstood, detail: "type a portion such as “150 g” or “2 servings”")
        }
        return (count, words.joined(separator: " "))
    }

    // MARK: Units

    private static func measured(
        _ count: Decimal, _ unit: AmountUnit, _ label: String, _ food: Food
    ) throws(PortionRefusal) -> Serving {
        // `1 cup` of a record that has `¾ cup (30 g)`.
        for serving in food.servings {
            for found in ServingText.amounts(serving.sizeLabel) where found.unit == unit && unit.isHousehold {
                return scaled(serving, by: count, of: found.count, label)
            }
        }
        guard let basis = food.basis else {
            throw PortionRefusal(
                code: .noWeight,
                detail: "the record of \(food.name) has no weight: use “1 serving” or a number of servings")
        }
        let amount = count * unit.baseUnits
        if unit.dimension == basis.dimension {
            return Serving(sizeLabel: label, grams: amount, multiplier: amount * basis.multiplierPerUnit)
        }
        guard let density = food.knownDensity, density > 0 else {
            let hint = food.servings.map { "“\($0.sizeLabel)”" }.joined(separator: ", ")
            throw PortionRefusal(
                code: .noDensity,
                detail: "the record of \(food.name) has no density, so \(label) has no known "
                    + (basis.dimension == .mass ? "weight: weigh it" : "volume: measure it") + " or use \(hint)")
        }
        let converted = basis.dimension == .mass ? amount * density : amount / density
        return Serving(sizeLabel: label, grams: converted, multiplier: converted * basis.multiplierPerUnit)
    }

    // MARK: Counted servings

    private static func counted(
        _ count: Decimal, _ word: String, _ label: String, _ food: Food
    ) throws(PortionRefusal) -> Serving {
        let wanted = stem(word)
        for serving in food.servings {
            let plain = String(serving.sizeLabel.prefix { $0 != "(" && $0 != "=" })
            let (number, rest) = WrittenNumber.leading(plain) ?? (1, plain)
            let words = rest.split { !$0.isLetter }.map { stem(String($0)) }
            if number > 0, words.contains(wanted) || words.joined(separator: " ") == wanted {
                return scaled(serving, by: count, of: number, label)
            }
        }
        let hint = food.servings.map { "“\($0.sizeLabel)”" }.joined(separator: ", ")
        throw PortionRefusal(
            code: .noSuchServing, detail: "the record of \(food.name) has no “\(word)”: use grams, or \(hint)")
    }

    /// The word without the endings of a plural, folded.
    private static func stem(_ word: String) -> String {
        let plain = word.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        for ending in ["es", "en", "s", "n", "e"] where plain.count > ending.count + 2 && plain.hasSuffix(ending) {
            return String(plain.dropLast(ending.count))
        }
        return plain
    }
}

extension WrittenNumber {
    /// The number at the beginning of a text, and the text after it; nil if it begins otherwise.
    static func leading(_ text: String) -> (Decimal, rest: String)? {
        guard let (number, rest) = WrittenNumber.prefix(of: text) else { return nil }
        return (number.value, rest.trimmingCharacters(in: CharacterSet(charactersIn: " -×")))
    }
}

extension Food {
    /// What the figures refer to: the multiplier of one gram or one millilitre.
    struct Basis {
        var dimension: AmountUnit.Dimension
        var multiplierPerUnit: Decimal
    }

    /// Nil if no serving has a weight.
    var basis: Basis? {
        guard let serving = servings.first(where: { $0.grams != nil }), let grams = serving.grams, grams > 0 else {
            return nil
        }
        // Catalogues state millilitres of drinks in the same field.
        let isVolume = servings.contains { serving in
            let amounts = ServingText.amounts(serving.sizeLabel).filter { !$0.unit.isHousehold }
            return amounts.contains { $0.amount.dimension == .volume && $0.amount.value == serving.grams }
                && !amounts.contains { $0.amount.dimension == .mass }
        }
        return Basis(dimension: isVolume ? .volume : .mass, multiplierPerUnit: serving.multiplier / grams)
    }

    /// The stated density, or that of a serving whose label has both volume and weight, `30 g (25 ml)`.
    var knownDensity: Decimal? {
        if let density { return density }
        for serving in servings {
            let amounts = ServingText.amounts(serving.sizeLabel).filter { !$0.unit.isHousehold }.map(\.amount)
            if let mass = amounts.first(where: { $0.dimension == .mass })?.value,
                let volume = amounts.first(where: { $0.dimension == .volume })?.value
            {
                return mass / volume
            }
        }
        return nil
    }
}
