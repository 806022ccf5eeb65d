import Foundation
import Core

/// Assembles dishes from text roles: assigns each line and each price to a dish.
struct DishAssembler {
    /// A dish as indices of the page's texts.
    struct Dish {
        var name: [Int]
        var description: [Int] = []
        /// Prices on the lines of its name.
        var own: [Menu.Price] = []
        /// Prices of its sizes and extras.
        var sizes: [Menu.Price] = []
        /// Prices on the lines of its description.
        var inDescription: [Menu.Price] = []
        /// Codes behind a word of their own.
        var codes: [Int] = []
        /// False if the codes may be those of another dish.
        var areCodesSure = true

        var hasPrice: Bool { !own.isEmpty || !sizes.isEmpty || !inDescription.isEmpty }
        var lines: [Int] { name + description }
    }

    let page: PageLayout
    /// The roles that the classifier gave, except that days are headings, and so are names above priced lines.
    private(set) var roles: [MenuRole]
    private let words: MenuWords
    var dishes: [Dish] = []
    /// The dish of each text; nil if it has none.
    var dishOf: [Int?]
    /// Texts merged into the dish of another line. Their prices are prices of that dish.
    var merged: [Int: Int] = [:]
    /// Number of lone prices without a dish.
    private(set) var lostPrices = 0

    init(_ page: PageLayout, _ roles: [MenuRole], words: MenuWords) {
        self.page = page
        self.words = words
        self.roles = zip(page.texts, roles).map { text, role in
            if role != .legend, page.codes.isList(text) || text.isDate { return .other }
            return text.isDay && role != .legend ? .section : role
        }
        dishOf = Array(repeating: nil, count: page.texts.count)
    }

    mutating func assemble() {
        takeLines()
        if promotePricedLines() { takeLines() }
        takeOpenBrackets()
        takeWrappedNames()
        takeCodes()
        takeContainers()
        let hosts = PriceColumnMatcher(page, roles, dishOf: dishOf).hosts()
        var lone: [Int: [LabelledAmount]] = [:]
        for (price, host) in hosts.enumerated() {
            if let host { lone[host, default: []] += page.prices[price].segment.prices }
        }
        for index in page.texts.indices {
            guard let dish = dishOf[index] else { continue }
            let prices = page.texts[index].segment.prices + lone[index, default: []]
            switch merged[index] == nil ? roles[index] : .dish {
            case .dish, .nameContinuation: dishes[dish].own += prices.map { Self.price($0) }
            case .variant:
                let text = page.texts[index].segment.string
                dishes[dish].sizes += prices.map { Self.price($0, label: text) }
            default: dishes[dish].inDescription += prices.map { Self.price($0) }
            }
        }
        dropEmpty()
        let loose = hosts.indices.filter { hosts[$0] == nil }
        let bound = PriceOffsetMatcher(page).bind(loose, to: &dishes, dishOf: dishOf)
        takePricesAbove(lone)
        lostPrices = loose.count - bound.count
        takeCodes(behind: hosts, bound)
    }

    /// Fewer prices above dishes show no habit.
    private static let leastAbove = 2

    /// Gives a price above dishes to each of them, if none of them has one: "M1 12,90 €" above a picture and its dish, or a
    /// heading with the price of its group.
    ///
    /// - Parameter lone: the lone prices of each text.
    private mutating func takePricesAbove(_ lone: [Int: [LabelledAmount]]) {
        let heads = page.texts.indices.reduce(into: [Int: [LabelledAmount]]()) { heads, index in
            guard dishOf[index] == nil, [.section, .other].contains(roles[index]) else { return }
            let prices = page.texts[index].segment.prices + lone[index, default: []]
            // A whole number may be that of a day.
            if !prices.isEmpty, prices.allSatisfy(\.amount.isStrong) { heads[index] = prices }
        }
        let found = dishes.indices.compactMap { dish in head(above: dishes[dish].name[0], heads).map { ($0, dish) } }
        let groups = Dictionary(grouping: found, by: \.0).mapValues { $0.map(\.1) }
            .filter { $0.value.allSatisfy { !dishes[$0].hasPrice } }
        guard groups.count >= Self.leastAbove else { return }
        for (head, members) in groups {
            for dish in members { dishes[dish].own += heads[head, default: []].map { Self.price($0) } }
        }
    }

    /// The nearest priced text above in the column that belongs to no dish, below any heading without a price.
    private func head(above name: Int, _ heads: [Int: [LabelledAmount]]) -> Int? {
        var at = name
        for _ in page.texts.indices {
            guard let up = page.texts[at].up else { return nil }
            if heads[up] != nil { return up }
            if roles[up] == .section { return nil }
            at = up
        }
        return nil
    }

    /// Begins a dish for each name and gives it its lines.
    private mutating func takeLines() {
        dishes = []
        dishOf = Array(repeating: nil, count: page.texts.count)
        for index in page.texts.indices where roles[index] == .dish {
            dishOf[index] = dishes.count
            dishes.append(Dish(name: [index]))
        }
        for index in page.texts.indices where [.nameContinuation, .description, .variant].contains(roles[index]) {
            guard let dish = owner(of: index) else { continue }
            dishOf[index] = dish
            if roles[index] == .nameContinuation, dishes[dish].description.isEmpty, dishes[dish].name.count < 4 {
                dishes[dish].name.append(index)
            } else {
                dishes[dish].description.append(index)
            }
        }
    }

    /// Words of a line that may be a name by itself.
    private static let longestName = 5

    /// Makes a name without a price a heading if at least two lines of its description have a price of their own and are no
    /// sizes: these are the dishes.
    ///
    /// - Returns: true if a role changed.
    private mutating func promotePricedLines() -> Bool {
        var isChanged = false
        for dish in dishes where dish.name.allSatisfy({ page.texts[$0].rowPrices.isEmpty }) {
            let priced = dish.description.filter { !page.texts[$0].rowPrices.isEmpty }
            guard priced.count >= 2, priced.allSatisfy(mayBeName) else { continue }
            for index in dish.name { roles[index] = .section }
            for index in priced { roles[index] = .dish }
            isChanged = true
        }
        return isChanged
    }

    /// True for a line that starts like a name, "Carbonara", "4 cheeses" or "Pollo (chicken, onions)", and is no size.
    private func mayBeName(_ index: Int) -> Bool {
        let text = page.texts[index].segment.text
        guard roles[index] == .description, let first = text.first(where: Letters.isWordPart),
            TextTraits.isUpper(first) || Letters.isDigit(first),
            text.prefix(while: { $0 != "(" }).split(whereSeparator: Letters.isSpace).count <= Self.longestName
        else { return false }
        return !words.isSize(text[...]) && !MenuWords.hasVolume(page.texts[index].tokens)
            && !page.texts[index].tokens.contains { words.kinds(of: $0.text) & MenuWords.Kind.size.rawValue != 0 }
    }

    /// Joins lines after an open bracket until the bracket closes, for example "Salad (lettuce, tuna,".
    private mutating func takeOpenBrackets() {
        for index in page.texts.indices where roles[index] == .dish && Self.isOpen(page.texts[index].segment.text) {
            guard let dish = dishOf[index], dishes[dish].name == [index], let next = page.texts[index].down,
                page.rise(index, next) < 2.2 * page.texts[index].segment.height,
                Self.closes(page.texts[next].segment.text)
            else { continue }
            let own = dishOf[next]
            if let own, roles[next] == .dish, dishes[own].name.first == next {
                dishes[dish].description += dishes[own].lines
                for line in dishes[own].lines { dishOf[line] = dish }
                merged[next] = dish
                dishes[own].name = []
                dishes[own].description = []
            } else if own == nil {
                dishes[dish].description.append(next)
                dishOf[next] = dish
            }
        }
    }

    /// The largest rise of a name's second line: this share of the usual rise from dish to dish.
    private static let wrapped = 0.8
    /// On a page where names without a price are usual they are dishes.
    private static let pricedShare = 0.7
    private static let leastPriced = 4

    /// Joins the two lines of a name, "ICED BROWN SUGAR … 7.50" and "SHAKEN ESPRESSO": on a page of priced dishes only one of
    /// them has a price, and they are nearer to each other than one dish is to the next.
    private mutating func takeWrappedNames() {
        let named = dishes.compactMap(\.name.first)
        let priced = named.filter { !page.texts[$0].rowPrices.isEmpty }
        guard priced.count >= Self.leastPriced, Double(priced.count) >= Self.pricedShare * Double(named.count) else {
            return
        }
        let rises = named.compactMap { index -> Double? in
            var at = page.texts[index].down
            while let next = at, roles[next] != .dish { at = page.texts[next].down }
            return at.map { page.rise(index, $0) }
        }.sorted()
        guard rises.count >= Self.leastPriced else { return }
        let usual = rises[rises.count / 2]
        for first in named {
            guard let second = page.texts[first].down, roles[second] == .dish, let dish = dishOf[first],
                let other = dishOf[second], dishes[dish].lines == [first], dishes[other].name == [second],
                page.texts[first].rowPrices.isEmpty != page.texts[second].rowPrices.isEmpty,
                page.rise(first, second) < Self.wrapped * usual, isContinued(first, second)
            else { continue }
            dishes[dish].name.append(second)
            dishes[dish].description = dishes[other].description
            for line in dishes[other].lines { dishOf[line] = dish }
            dishes[other].name = []
            dishes[other].description = []
        }
    }

    /// True for two lines of one print, of which the second begins with a letter.
    private func isContinued(_ first: Int, _ second: Int) -> Bool {
        let (one, other) = (page.texts[first].segment, page.texts[second].segment)
        let capitals = [one, other].map { text in
            let word = text.text.drop { !Letters.isLetter($0) }.prefix(while: Letters.isLetter)
            return word.count > 1 && !word.contains(where: \.properties.isLowercase)
        }
        return other.text.first(where: Letters.isWordPart).map(Letters.isLetter) == true
            && max(one.height, other.height) < 1.25 * min(one.height, other.height) && capitals[0] == capitals[1]
    }

    private static func isOpen(_ text: [Unicode.Scalar]) -> Bool {
        guard let open = text.lastIndex(of: "(") else { return false }
        return !text[open...].contains(")")
    }

    private static func closes(_ text: [Unicode.Scalar]) -> Bool {
        guard let close = text.firstIndex(of: ")") else { return false }
        return !text[..<close].contains("(")
    }

    /// Joins a size beside or below a name with it, "Fanta" and "Lattina (33 cl)" or "(6 pcs)", if several names have one.
    private mutating func takeContainers() {
        let pairs = page.texts.indices.compactMap { index -> (drink: Int, container: Int)? in
            guard roles[index] == .dish, let own = dishOf[index], dishes[own].lines == [index],
                !page.texts[index].rowPrices.isEmpty,
                let host = hostOfSize(index), roles[host] == .dish, let drink = dishOf[host],
                dishes[drink].name == [host], page.texts[host].rowPrices.isEmpty
            else { return nil }
            return (drink, own)
        }
        guard pairs.count >= 2 else { return }
        for (drink, container) in pairs where dishes[drink].name.count == 1 {
            dishes[drink].name += dishes[container].name
            for line in dishes[container].name { dishOf[line] = drink }
            dishes[container].name = []
        }
    }

    /// The name that a size belongs to: the one on its left; for a few words in brackets, also the one above.
    private func hostOfSize(_ index: Int) -> Int? {
        let text = page.texts[index]
        let isBracketed = Self.isShortBracket(text.segment.text) && text.tokens.count <= 3
        guard isBracketed || MenuWords.hasVolume(text.tokens) else { return nil }
        if let left = text.left { return left }
        return isBracketed
            ? text.up.flatMap { page.rise($0, index) < 2 * text.segment.height ? $0 : nil } : nil
    }

    /// True for "(6 pcs)" and ". . . (hot)".
    private static func isShortBracket(_ text: [Unicode.Scalar]) -> Bool {
        let isLeader = { (scalar: Unicode.Scalar) in scalar == "." || scalar == "…" || Letters.isSpace(scalar) }
        let core = text.drop(while: isLeader).reversed().drop(while: isLeader)
        return core.last == "(" && core.first == ")"
    }

    /// Removes dishes that were merged into others and renumbers the rest.
    private mutating func dropEmpty() {
        guard dishes.contains(where: \.name.isEmpty) else { return }
        var number: [Int: Int] = [:]
        for index in dishes.indices where !dishes[index].name.isEmpty { number[index] = number.count }
        dishOf = dishOf.map { $0.flatMap { number[$0] } }
        dishes.removeAll { $0.name.isEmpty }
    }

    /// The dish of the next name above in the column, else of the name on the left.
    func owner(of index: Int) -> Int? {
        var at = index
        for _ in 0..<12 {
            guard let up = page.texts[at].up, roles[up] != .section else { break }
            if let dish = dishOf[up] { return dish }
            let height = max(page.texts[up].segment.height, page.texts[at].segment.height)
            if page.rise(up, at) > 5 * height { break }
            at = up
        }
        var side = page.texts[index].left
        var steps = 0
        while let left = side, dishOf[left] == nil, steps < 40 {
            side = page.texts[left].left
            steps += 1
        }
        return side.flatMap { dishOf[$0] }
    }

    /// The prices of the name and of the sizes. Prices in the description count only if there are no others.
    static func prices(of dish: Dish) -> [Menu.Price] {
        var seen: Set<String> = []
        let first = dish.own + dish.sizes
        return (first.isEmpty ? dish.inDescription : first).filter { seen.insert($0.amount).inserted }
    }

    static func price(_ one: LabelledAmount, label: String? = nil) -> Menu.Price {
        Menu.Price(amount: amount(one.amount), label: one.label ?? label)
    }

    /// Formats with two decimals: `4` → `4.00`, `7.5` → `7.50`. Amounts in thousands stay whole.
    private static func amount(_ amount: PrintedAmount) -> String {
        let parts = amount.value.split(separator: ".")
        switch amount.form {
        case .kilo, .thousands: return amount.value
        default:
            if parts.count == 1 { return parts[0].count <= 3 ? amount.value + ".00" : amount.value }
            return parts[1].count == 1 ? amount.value + "0" : amount.value
        }
    }
}
