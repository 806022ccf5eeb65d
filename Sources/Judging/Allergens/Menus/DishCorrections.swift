import Core
import Documents

/// A dish as the program read it, or as a person added it.
struct ReadDish: Sendable {
    var own: Menu.Item
    /// Nil for a dish that a person added.
    var printed: MenuPage.Dish?
    /// Findings of lines around it.
    var nearby: [AllergenFinding] = []
    /// Index of its section.
    var section: Int
}

/// The dishes of a menu with what people said of them.
struct DishCorrections {
    /// One dish with what people said of it.
    struct Entry {
        let read: ReadDish
        var name: String
        var description: String?
        var prices: [Menu.Price]
        /// The heading that a person named; nil inside for none.
        var heading: String??
        var isDish = true
        /// What was said of its print, and of its allergens, oldest first.
        var ofPrint: [Review] = []
        var ofVerdicts: [Review] = []

        init(_ read: ReadDish) {
            self.read = read
            name = read.own.name
            description = read.own.description
            prices = read.own.prices
        }

        /// True if its words are not those that were judged.
        var isReworded: Bool {
            read.printed == nil || name != read.own.name || description != read.own.description
        }
    }

    private var entries: [Entry]
    private let titles: [String?]
    private var unread: [Menu.UnreadLine]

    init(_ dishes: [ReadDish], titles: [String?], unread: [Menu.UnreadLine]) {
        entries = dishes.map(Entry.init)
        self.titles = titles
        self.unread = unread
    }

    mutating func take(_ reviews: [Review]) {
        for review in reviews { take(review) }
    }

    private mutating func take(_ review: Review) {
        switch review.action {
        case .readAs, .product: return
        case .addDish: add(review)
        case .verify, .edit, .accept:
            let meant = review.item == Review.everything ? Array(entries.indices) : places(of: review)
            for index in meant { entries[index].ofVerdicts.append(review) }
            // A warning is never lost, even if the program does not find its dish any more.
            let isWarning = [.contains, .mayContain, .canOmit].contains(review.said)
            if meant.isEmpty, isWarning, review.place != nil {
                let index = add(review)
                entries[index].ofVerdicts.append(review)
            }
        case .rename, .price, .describe, .section, .notADish:
            for index in places(of: review) { entries[index].correct(review) }
        }
        if review.action == .describe { unread.removeAll { $0.dish == review.item } }
    }

    /// Adds a dish beside the one that is nearest to it.
    @discardableResult
    private mutating func add(_ review: Review) -> Int {
        let item = Menu.Item(name: review.item, box: review.place, confidence: 1)
        var (index, section) = (entries.count, 0)
        if let place = review.place {
            unread.removeAll { place.covers($0.box) > 0.5 }
            let near = entries.indices.filter { entries[$0].read.own.box != nil }.min { one, other in
                distance(one, to: place) < distance(other, to: place)
            }
            if let near, let box = entries[near].read.own.box {
                section = entries[near].read.section
                index = box.center.y < place.center.y ? near + 1 : near
            }
        }
        var entry = Entry(ReadDish(own: item, printed: nil, section: section))
        if review.action == .addDish {
            entry.prices = review.prices ?? []
            entry.ofPrint = [review]
        }
        entries.insert(entry, at: index)
        return index
    }

    private func distance(_ index: Int, to place: Quad) -> Double {
        guard let box = entries[index].read.own.box else { return .infinity }
        return abs(box.center.x - place.center.x) + abs(box.center.y - place.center.y)
    }

    /// The dishes that a review means: the one at its place, preferably of its name; without a place all of its name.
    private func places(of review: Review) -> [Int] {
        let named = entries.indices.filter { index in
            [entries[index].read.own.name, entries[index].name].contains { Self.areEqual($0, review.item) }
        }
        guard let place = review.place else { return named }
        func overlap(_ index: Int) -> Double { entries[index].read.own.box.map { place.overlap(with: $0) } ?? 0 }
        if let same = named.max(by: { overlap($0) < overlap($1) }), overlap(same) > 0 || named.count == 1 {
            return [same]
        }
        return entries.indices.max { overlap($0) < overlap($1) }.flatMap { overlap($0) >= 0.5 ? [$0] : nil } ?? []
    }

    private static func areEqual(_ one: String, _ other: String) -> Bool {
        one == other || Folding.words(of: one) == Folding.words(of: other) && !Folding.words(of: one).isEmpty
    }

    // MARK: The menu

    /// - Parameter judged: the item of a dish whose words were corrected, or nil for the program's own.
    func write(into menu: inout Menu, judged: (Entry) -> Menu.Item) {
        var sections = titles.map { Menu.Section(title: $0, items: []) }
        var notDishes: [Menu.Item] = []
        for entry in entries {
            var item = judged(entry)
            item.statements = entry.ofVerdicts.statements
            item.corrected = entry.correction(title: title(of: entry))
            guard entry.isDish else {
                notDishes.append(item)
                continue
            }
            sections[section(of: entry, in: &sections)].items.append(item)
        }
        menu.sections = sections.filter { !$0.items.isEmpty }
        menu.notDishes = notDishes.isEmpty ? nil : notDishes
        menu.unread = unread.isEmpty ? nil : unread
    }

    private func title(of entry: Entry) -> String? {
        titles.indices.contains(entry.read.section) ? titles[entry.read.section] : nil
    }

    /// The index of a dish's section, which is made if a person named a new heading.
    private func section(of entry: Entry, in sections: inout [Menu.Section]) -> Int {
        let named = entry.heading.map { heading in
            sections.firstIndex { $0.title == heading || Self.areEqual($0.title ?? "", heading ?? "") }
        }
        switch named {
        case .some(.some(let known)): return known
        case nil where sections.indices.contains(entry.read.section): return entry.read.section
        default:
            sections.append(Menu.Section(title: entry.heading ?? nil, items: []))
            return sections.count - 1
        }
    }
}

extension DishCorrections.Entry {
    /// The latest word of each part counts. Whoever corrects a part says that it is a dish.
    fileprivate mutating func correct(_ review: Review) {
        let text = (review.value ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        switch review.action {
        case .rename: name = text.isEmpty ? name : text
        case .describe: description = text.isEmpty ? nil : text
        case .price: prices = review.prices ?? prices
        case .section: heading = .some(text.isEmpty ? nil : text)
        default: break
        }
        isDish = review.action != .notADish
        ofPrint.append(review)
    }

    fileprivate func correction(title: String?) -> Menu.DishCorrection? {
        guard let last = ofPrint.last else { return nil }
        return Menu.DishCorrection(
            by: last.reviewer, at: last.moment, reviews: ofPrint.compactMap(\.number),
            system: read.printed == nil
                ? nil
                : Menu.OwnReading(
                    name: read.own.name, description: read.own.description, prices: read.own.prices, section: title))
    }
}

extension DishCorrections.Entry {
    /// What was said of its allergens, without denials of what only later words of the dish point to: staff were asked about
    /// another dish.
    fileprivate func answers(to verdicts: Verdicts) -> [Review] {
        let own = read.own.verdicts
        let reworded = ofPrint.last { $0.action == .rename || $0.action == .describe }?.number
        guard isReworded, read.printed != nil, let reworded else { return ofVerdicts }
        return ofVerdicts.filter { review in
            guard review.said == .absent, let number = review.number, number < reworded else { return true }
            return !verdicts.contains { person, verdicts in
                verdicts.contains { allergen, verdict in
                    guard review.allergen ?? allergen == allergen, let before = own[person]?[allergen] else {
                        return false
                    }
                    return verdict.gravity > before.gravity
                }
            }
        }
    }
}

extension MenuJudge {
    /// The item of a dish with what people said of it: its own one, or that of the corrected words. Print that the
    /// program read keeps its warnings.
    func item(_ entry: DishCorrections.Entry, _ context: PageContext) -> Menu.Item {
        var item = entry.isReworded ? reworded(entry, context) : entry.read.own
        item.prices = entry.prices
        item.verdicts = rules.answered(
            item.verdicts, by: entry.answers(to: item.verdicts), findings: item.findings, profiles: context.profiles)
        return item
    }

    private func reworded(_ entry: DishCorrections.Entry, _ context: PageContext) -> Menu.Item {
        let own = entry.read.own
        let place = own.box ?? Quad(x: 0, y: 0, width: 0, height: 0)
        func typed(_ text: String) -> [[Word]] {
            [text.split(whereSeparator: \.isWhitespace).map { Word(text: String($0), confidence: 1, box: place) }]
        }
        var dish = context.codes.text(typed(entry.name), entry.description.map(typed) ?? [])
        if let printed = entry.read.printed {
            let own = context.codes.text(of: printed)
            (dish.codes, dish.areCodesSure) = (dish.codes + own.codes, own.areCodesSure)
        } else {
            // The print inside the place of a dish that a person added.
            dish.description += context.lines.filter { place.covers($0.box) > 0.5 }.map(\.words)
        }
        var item = judge(dish, context, nearby: entry.read.nearby).item
        let print = own.findings.filter { [.contains, .mayContain].contains($0.polarity) }
        item.name = entry.name
        item.description = entry.description
        item.box = own.box
        item.confidence = own.confidence
        item.findings = FindingDetector.merged(item.findings + print)
        item.verdicts.raise(to: rules.printed(print, context.profiles))
        // The corrected words are sure; the others are not.
        if own.confidence < VerdictRules.minimumReadingQuality { item.verdicts = item.verdicts.doubted }
        return item
    }
}
