import Core

/// Groups assembled dishes under their headings, with the words as printed.
struct MenuPageBuilder {
    private let layout: PageLayout
    private let probabilities: [[Float]]
    /// Texts with a role from another source, which therefore have no doubt.
    private let fixed: Set<Int>

    /// Number of dishes without a word that are skipped on the way up.
    private static let furthestDish = 8

    init(_ layout: PageLayout, _ probabilities: [[Float]], fixed: Set<Int> = []) {
        self.fixed = fixed
        self.layout = layout
        self.probabilities = probabilities
    }

    /// A dish that is not yet in a section.
    private struct Entry {
        /// Index of the assembled dish.
        var number: Int
        var dish: MenuPage.Dish
        var left, right, middle: Double
    }

    func page(_ assembler: DishAssembler) -> MenuPage {
        let roles = assembler.roles
        let finder = SectionFinder(layout, roles)
        var order: [Int?] = []
        var entries: [Int?: [Entry]] = [:]
        var kept: [DishAssembler.Dish] = []
        var used: Set<Int> = []
        let steps = PrintSteps(
            assembler.dishes.map { $0.name.last.map { layout.texts[$0].segment.printedWords } ?? [] })
        let isListed = areNamesLists(assembler.dishes)
        for (number, dish) in assembler.dishes.enumerated() {
            var built = self.dish(dish, step: steps.places[number], isListed: isListed)
            guard built.name.joined().contains(where: Self.hasWord) else { continue }
            kept.append(dish)
            used.formUnion(dish.lines + dish.codes)
            let found = finder.heading(of: dish.name[0])
            if let found, found.isOwn { built.headingCertainty = certainty(of: found.index) }
            let heading = found?.index
            if entries[heading] == nil { order.append(heading) }
            let segment = layout.texts[dish.name[0]].segment
            entries[heading, default: []].append(
                Entry(
                    number: number, dish: built, left: segment.left, right: segment.right, middle: segment.middle))
        }
        let titles = order.map { $0.map(finder.title) ?? [] }
        let sorted = order.map { Self.byColumn(entries[$0] ?? []) }
        let sections = zip(titles, sorted).map { title, entries in
            MenuPage.Section(
                title: title.map { layout.texts[$0].segment.printedWords }, dishes: entries.map(\.dish))
        }
        // Dishes are numbered across the sections in order.
        let numbers = sorted.joined().map(\.number)
        let numberOf = Dictionary(zip(numbers, numbers.indices), uniquingKeysWith: { one, _ in one })
        let taken = used.union(titles.joined())
        // A name without a word is no dish. Its lines belong to the next dish above, so that none is lost.
        let nearest = { (index: Int) -> Int? in
            var dish = assembler.owner(of: index)
            for _ in 0..<Self.furthestDish {
                guard let found = dish, numberOf[found] == nil else { break }
                dish = assembler.owner(of: assembler.dishes[found].name[0])
            }
            return dish.flatMap { numberOf[$0] }
        }
        let loose = layout.texts.indices.filter { !taken.contains($0) && roles[$0] != .section }
            .map { looseLine($0, roles[$0], nearest($0)) }
        return MenuPage(
            sections: sections, days: order.count { $0.map { layout.texts[$0].isDay } ?? false }, loose: loose,
            currency: layout.currency,
            features: PageFeatures(layout, roles, probabilities, kept, sections, lost: assembler.lostPrices),
            roles: zip(layout.texts, roles).map { ($0.segment.string, $1, $0.rowPrices.count) })
    }

    /// Orders dishes column by column, each from top to bottom. Dishes with overlapping names in x are in one column.
    private static func byColumn(_ entries: [Entry]) -> [Entry] {
        var columns: [(right: Double, entries: [Entry])] = []
        for entry in entries.sorted(by: { $0.left < $1.left }) {
            if let last = columns.last, entry.left < last.right {
                columns[columns.count - 1].entries.append(entry)
                columns[columns.count - 1].right = max(last.right, entry.right)
            } else {
                columns.append((entry.right, [entry]))
            }
        }
        return columns.flatMap { $0.entries.sorted { $0.middle < $1.middle } }
    }

    /// Fewer dishes show no habit.
    private static let leastListed = 3
    private static let listedShare = 0.5

    /// True if dishes of the page continue like "Tacos, pulled chicken, corn," from the name's line to the next one: the name
    /// ends at the first comma.
    private func areNamesLists(_ dishes: [DishAssembler.Dish]) -> Bool {
        let listed = dishes.count { dish in
            guard let line = dish.name.last, !dish.description.isEmpty else { return false }
            return NameSplitter.goesOn(layout.texts[line].segment.printedWords)
        }
        return listed >= Self.leastListed && Double(listed) >= Self.listedShare * Double(dishes.count)
    }

    private func dish(_ dish: DishAssembler.Dish, step: Int?, isListed: Bool) -> MenuPage.Dish {
        let lines = { (indices: [Int]) in
            indices.map { layout.texts[$0].segment.printedWords }.filter { !$0.isEmpty }
        }
        let chance =
            probabilities.indices.contains(dish.name[0]) ? probabilities[dish.name[0]][Int(MenuRole.dish.rawValue)] : 0
        var name = lines(dish.name)
        var description = lines(dish.description)
        if isListed, let first = name.first, let comma = NameSplitter.firstComma(first) {
            description = [Array(first[(comma + 1)...])].filter { !$0.isEmpty } + name.dropFirst() + description
            name = [Array(first[...comma])]
            name[0][comma].text.removeLast()
        } else if let last = name.last {
            let parts = NameSplitter.split(last, isDescribed: !description.isEmpty, step: step)
            name[name.count - 1] = parts.name
            if !parts.description.isEmpty { description.insert(parts.description, at: 0) }
        }
        return MenuPage.Dish(
            name: name, description: description, codes: dish.codes.flatMap { layout.codes.led(by: layout.texts[$0]) },
            areCodesSure: dish.areCodesSure, prices: DishAssembler.prices(of: dish),
            boxes: (dish.lines + dish.codes).flatMap { layout.texts[$0].segment.words.map(\.word.box) },
            certainty: Double(chance),
            headingCertainty: 0)
    }

    /// Probability 0…1 that a text is a heading.
    private func certainty(of heading: Int) -> Double {
        if layout.texts[heading].isDay { return 1 }
        return probabilities.indices.contains(heading)
            ? Double(probabilities[heading][Int(MenuRole.section.rawValue)]) : 0
    }

    private func looseLine(_ index: Int, _ role: MenuRole, _ nearest: Int?) -> MenuPage.LooseLine {
        func chance(_ roles: [MenuRole]) -> Double {
            guard !fixed.contains(index) else { return 0 }
            guard probabilities.indices.contains(index) else { return 1 }
            return Double(roles.reduce(Float(0)) { $0 + probabilities[index][Int($1.rawValue)] })
        }
        let ofDish: [MenuRole] = [.dish, .nameContinuation, .description, .variant]
        return MenuPage.LooseLine(
            words: layout.texts[index].segment.printedWords, codes: layout.codes.led(by: layout.texts[index]),
            role: role, doubt: chance(ofDish + [.section]),
            isDish: chance(ofDish), nearestDish: nearest)
    }

    private static func hasWord(_ word: Word) -> Bool { Letters.longestRun(Array(word.text.unicodeScalars)[...]) >= 2 }
}
