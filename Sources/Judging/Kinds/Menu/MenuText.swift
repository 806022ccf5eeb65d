import Core

extension MenuKind {
    package static func lines(of outcome: Outcome, in text: OutcomeText) -> [String] {
        guard let menu = outcome.menu else { return [] }
        let head = layout(menu, text) + unread(menu, text) + kitchen(menu, text)
        guard text.isWhole || outcome.household == nil else { return head }
        return head
            + menu.sections.flatMap { section in
                (section.title.map { ["  — \($0.printable) —"] } ?? [])
                    + section.items.flatMap { item in
                        let prices = item.prices.map { price in
                            [price.label, price.amount, menu.currency].compactMap(\.self).joined(separator: " ")
                        }.joined(separator: ", ")
                        let name = text.style.heading(item.name.printable)
                        return ["  \(name)\(prices.isEmpty ? "" : "  \(prices.printable)")"]
                            + text.verdicts(item.verdicts)
                    }
            }
            + (menu.notDishes ?? []).filter { $0.verdicts.values.contains { $0.values.contains(where: \.isPrinted) } }
            .flatMap { ["  \($0.name.printable)"] + text.verdicts($0.verdicts) }
    }

    /// Lines that were not understood and name allergens.
    private static func unread(_ menu: Menu, _ text: OutcomeText) -> [String] {
        (menu.unread ?? []).compactMap { line in
            guard let findings = line.findings else { return nil }
            let names = Set(findings.map(text.common.name)).sorted()
            return "  \(text.common.label(.mayContain)): \(names.joined(separator: ", ")) (“\(line.text.printable)”)"
        }
    }

    /// One sentence for the page on allergens that depend on what the kitchen buys.
    private static func kitchen(_ menu: Menu, _ text: OutcomeText) -> [String] {
        text.common.kitchenSentence(menu.kitchenDecides ?? []).map { ["  " + $0] } ?? []
    }

    /// Advice about an uncertain layout.
    private static func layout(_ menu: Menu, _ text: OutcomeText) -> [String] {
        guard let confidence = menu.confidence, confidence.level != .high else { return [] }
        return ["  " + text.common.phrase(.layout, ["level": text.common.level(confidence.level)])]
    }
}
