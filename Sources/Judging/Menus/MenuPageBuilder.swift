import Layout
import Vocabulary

/// Puts assembled dishes under their headings, with the words as printed.
struct MenuPageBuilder {
    private let layout: PageLayout
    private let roles: [MenuRole]
    private let said: [[Float]]
    private let words: MenuWords

    init(_ layout: PageLayout, _ roles: [MenuRole], _ said: [[Float]], _ words: MenuWords) {
        self.layout = layout
        self.roles = roles
        self.said = said
        self.words = words
    }

    func page(_ assembler: DishAssembler) -> MenuPage {
        let finder = SectionFinder(layout, roles)
        var order: [Int?] = []
        var sections: [Int?: MenuPage.Section] = [:]
        var titles: Set<Int> = []
        var kept: [DishAssembler.Dish] = []
        var placeOf: [Int: (heading: Int?, item: Int)] = [:]
        var used: Set<Int> = []
        for (number, dish) in assembler.dishes.enumerated() {
            let built = self.dish(dish)
            guard built.name.joined().contains(where: { Self.hasWord($0.text) }) else { continue }
            kept.append(dish)
            used.formUnion(dish.lines)
            let heading = finder.heading(of: dish.name[0])
            if sections[heading] == nil {
                order.append(heading)
                let title = heading.map(finder.title) ?? []
                titles.formUnion(title)
                sections[heading] = MenuPage.Section(
                    title: title.map { layout.texts[$0].segment.printedWords }, dishes: [])
            }
            placeOf[number] = (heading, sections[heading]?.dishes.count ?? 0)
            sections[heading]?.dishes.append(built)
        }
        // Dishes are counted through the sections in their order.
        var first: [Int?: Int] = [:]
        var count = 0
        for heading in order {
            first[heading] = count
            count += sections[heading]?.dishes.count ?? 0
        }
        let numberOf = placeOf.compactMapValues { place in first[place.heading].map { $0 + place.item } }
        let found = order.compactMap { sections[$0] }
        let loose = layout.texts.indices.filter { !used.contains($0) && !titles.contains($0) && roles[$0] != .section }
            .map { looseLine($0, assembler.owner(of: $0).flatMap { numberOf[$0] }) }
        let priced = layout.texts.count { !$0.rowPrices.isEmpty || !$0.nearPrices.isEmpty }
        return MenuPage(
            sections: found, loose: loose, currency: layout.currency, pricedTexts: priced,
            hasHeading: hasHeading, signs: PageSigns(layout, roles, said, kept, found, lost: assembler.lostPrices),
            roles: zip(layout.texts, roles).map { ($0.segment.string, $1, $0.rowPrices.count) })
    }

    private func dish(_ dish: DishAssembler.Dish) -> MenuPage.Dish {
        let lines = { (indices: [Int]) in
            indices.map { layout.texts[$0].segment.printedWords }.filter { !$0.isEmpty }
        }
        let chance = said.indices.contains(dish.name[0]) ? said[dish.name[0]][Int(MenuRole.dish.rawValue)] : 0
        var name = lines(dish.name)
        var description = lines(dish.description)
        if let last = name.last {
            let parts = NameSplitter.split(last)
            name[name.count - 1] = parts.name
            if !parts.description.isEmpty { description.insert(parts.description, at: 0) }
        }
        return MenuPage.Dish(
            name: name, description: description, prices: DishAssembler.prices(of: dish),
            boxes: dish.lines.flatMap { layout.texts[$0].segment.words.map(\.word.box) }, certainty: Double(chance))
    }

    private func looseLine(_ index: Int, _ nearest: Int?) -> MenuPage.LooseLine {
        let part: [MenuRole] = [.dish, .nameContinuation, .description, .variant, .section]
        let doubt = said.indices.contains(index) ? part.reduce(Float(0)) { $0 + said[index][Int($1.rawValue)] } : 1
        return MenuPage.LooseLine(
            words: layout.texts[index].segment.printedWords, role: roles[index], doubt: Double(doubt),
            nearestDish: nearest)
    }

    private var hasHeading: Bool {
        layout.texts.contains { text in
            let tokens = Folding.tokens(of: text.segment.text)
            return (1...5).contains(tokens.count)
                && tokens.contains { words.kinds(of: $0.text) & MenuWords.Kind.heading.rawValue != 0 }
        }
    }

    private static func hasWord(_ text: String) -> Bool {
        var run = 0
        for scalar in text.unicodeScalars {
            run = TextTraits.isLetter(scalar) ? run + 1 : 0
            if run == 2 { return true }
        }
        return false
    }
}
