import Allergens
import Core

extension Outcome {
    /// The dishes of this menu with known allergens: those that declare allergens by the codes of the page's legend,
    /// and those that a person verified. In the order of the page.
    package var declaredDishes: [DeclaredDish] { dishes(withCodes: true) }

    /// The dishes of this menu that a person verified. A verified dish counts with its verified allergens only. A
    /// person who confirms a likely allergen says that the dish has it. A confirmed trace says nothing about a recipe.
    package var verifiedDishes: [DeclaredDish] { dishes(withCodes: false) }

    private func dishes(withCodes: Bool) -> [DeclaredDish] {
        guard let menu else { return [] }
        let legend = Set(menu.legend.map(\.allergen))
        return menu.sections.flatMap(\.items).compactMap { item in
            var contained = withCodes ? Self.coded(item) : []
            var covered = contained.isEmpty ? [] : legend
            for verdicts in item.verdicts.values {
                for (allergen, verdict) in verdicts
                where verdict.by != nil && verdict.said != .unknown && Allergen.eu14.contains(allergen) {
                    switch verdict.verdict {
                    case .contains, .likely:
                        contained.insert(allergen)
                        covered.insert(allergen)
                    case .notFoundInText:
                        contained.remove(allergen)
                        covered.insert(allergen)
                    case .mayContain, .cannotTell:
                        continue
                    }
                }
            }
            guard !covered.isEmpty else { return nil }
            let order = Allergen.eu14
            return DeclaredDish(
                text: [item.name, item.description].compactMap(\.self).joined(separator: "\n"),
                contains: order.filter(contained.contains), covered: order.filter(covered.contains))
        }
    }

    private static func coded(_ item: Menu.Item) -> Set<Allergen> {
        Set(item.findings.filter { $0.strength == .legendCode && $0.polarity == .contains }.map(\.allergen))
    }
}

extension DeclaredDish {
    /// The number of the dishes and a hash of them (64-bit FNV-1a), such as `12@9f2c…`: the same dishes in the same
    /// order give the same text.
    package static func version(of dishes: [DeclaredDish]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for dish in dishes {
            let keys = [dish.contains, dish.covered ?? []].map { $0.map(\.rawValue).joined(separator: ",") }
            for byte in ([dish.text] + keys).joined(separator: "\u{1}").utf8 + [0] {
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
            }
        }
        let digits = String(hash, radix: 16)
        return "\(dishes.count)@" + String(repeating: "0", count: 16 - digits.count) + digits
    }
}
