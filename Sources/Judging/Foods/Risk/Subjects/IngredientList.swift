import Core

/// Splits ingredient text into items in reading order, with the functional class that each stands under.
struct IngredientList {
    /// The functional class that a group of items stands under.
    enum Context: Sendable, Hashable {
        case none
        /// Number in `SubjectIndex.classIDs`.
        case additive(Int)
        /// Vitamins and minerals: no additives, unless by number.
        case nutrients
    }

    /// One ingredient, or the name of a class.
    struct Item: Sendable {
        var words: [NameWord]
        /// Range of Unicode scalars of each word; empty for an "&".
        var places: [Range<Int>]
        /// Positions of words that a hyphen joins to the word before.
        var hyphenated: Set<Int> = []
        /// Range of Unicode scalars.
        var range: Range<Int>
        var context: Context
        var depth: Int
        /// Share of the product in percent.
        var percent: Double?
        /// The class that the item itself names: "emulsifier".
        var isClass = false
    }

    private let index: SubjectIndex
    private let language: String?
    private let scalars: [Unicode.Scalar]
    private(set) var items: [Item] = []

    /// Longer texts are cut: no label has more.
    static let maximumLength = 20_000

    /// Contexts of the open brackets.
    private var contexts: [Context] = [.none]

    static func items(of text: String, language: String?, index: SubjectIndex) -> (
        items: [Item], scalars: [Unicode.Scalar]
    ) {
        var scalars = MisreadWords.withReadNumbers(TextPreparation.prepared(withoutMarkup(text)))
        if scalars.count > maximumLength { scalars.removeLast(scalars.count - maximumLength) }
        var list = IngredientList(index: index, language: language, scalars: scalars)
        list.run()
        return (list.items, scalars)
    }

    private init(index: SubjectIndex, language: String?, scalars: [Unicode.Scalar]) {
        self.index = index
        self.language = language
        self.scalars = scalars
    }

    /// The text without HTML tags; underscores mark allergens and go too. "<2%" begins no tag: tags have a name.
    private static func withoutMarkup(_ text: String) -> [Unicode.Scalar] {
        let all = Array(text.unicodeScalars)
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(all.count)
        var index = 0
        while index < all.count {
            if all[index] == "<", let end = endOfTag(at: index, in: all) {
                index = end
                continue
            }
            if all[index] != "_" { scalars.append(all[index]) }
            index += 1
        }
        return scalars
    }

    /// The names of tags that records use; longer tags are no tags.
    private static let tags: Set<String> = [
        "a", "abbr", "b", "big", "br", "center", "div", "em", "font", "h1", "h2", "h3", "h4", "i", "img", "li", "mark",
        "ol", "p", "s", "small", "span", "strike", "strong", "sub", "sup", "table", "tbody", "td", "th", "tr", "u",
        "ul",
    ]
    private static let longestTag = 400

    /// The index behind the tag that begins at `start`; nil if none does.
    private static func endOfTag(at start: Int, in text: [Unicode.Scalar]) -> Int? {
        var index = start + 1
        if index < text.count, text[index] == "/" { index += 1 }
        let name = index
        while index < text.count, index - name < 8, text[index].properties.isAlphabetic || ("1"..."4") ~= text[index] {
            index += 1
        }
        guard tags.contains(String(String.UnicodeScalarView(text[name..<index])).lowercased()) else { return nil }
        let limit = min(text.count, start + longestTag)
        guard let end = text[index..<limit].firstIndex(of: ">"), !text[index..<end].contains("<") else { return nil }
        return end + 1
    }

    private mutating func run() {
        let parts = IngredientScanner.parts(of: scalars, in: 0..<scalars.count, isConjunction: isConjunction)
        for (part, next) in zip(parts, parts.dropFirst().map(\.depth) + [0]) {
            let outer = contexts[contexts.count - 1]
            let found = item(of: part)
            if let found { add(found) }
            let words = found?.words ?? []
            let opensNutrients = words.contains { IngredientWords.opensNutrients($0.text) }
            switch part.end {
            case .heading:
                // A class before a colon opens a group; any other text before a colon is a heading or an item.
                if opensNutrients { enter(nil) }
            case .opening where next > part.depth:
                let own = contexts[contexts.count - 1]
                contexts[contexts.count - 1] = outer
                let isName = !words.isEmpty && classNumber(words) == nil
                contexts.append(opensNutrients ? .nutrients : isName ? .none : own)
            case .closing where next < part.depth: contexts.removeLast()
            case .stop: contexts[contexts.count - 1] = .none
            default: break
            }
        }
    }

    private func isConjunction(_ word: String) -> Bool {
        IngredientWords.isConjunction(word, language: language) || word == "or"
    }

    private func item(of part: IngredientScanner.Part) -> Item? {
        let tokens = RangeSet(part.range).subtracting(part.printedShares).ranges
            .flatMap { Folding.tokens(of: scalars, in: $0) }
        guard let first = tokens.first, let last = tokens.last else { return nil }
        var item = Item(
            words: [], places: [], range: first.range.lowerBound..<last.range.upperBound,
            context: contexts[contexts.count - 1], depth: part.depth, percent: part.share)
        var position = first.range.lowerBound
        for token in tokens {
            if let last = item.words.last, let place = item.places.last,
                LineBreak.end(of: position, in: scalars) == token.range.lowerBound, !isConjunction(token.text)
            {
                // The rest of a word that a line cut.
                item.words[item.words.count - 1] = MisreadWords.word(last.text + token.text, in: index.words)
                item.places[item.places.count - 1] = place.lowerBound..<token.range.upperBound
            } else {
                if let sign = (position..<token.range.lowerBound).first(where: { scalars[$0] == "&" }), sign > position
                {
                    item.words.append(index.words["and"])
                    item.places.append(sign..<sign)
                }
                if token.isHyphenated { item.hyphenated.insert(item.words.count) }
                item.words.append(MisreadWords.word(token.text, in: index.words))
                item.places.append(token.range)
            }
            position = token.range.upperBound
        }
        return item
    }

    private mutating func add(_ found: Item) {
        var item = found
        // "riboflavin (vitamin B2)" is a vitamin.
        if let first = item.words.first?.text, IngredientWords.opensNutrients(first), let last = items.indices.last,
            items[last].depth < item.depth, items[last].context == .none || items[last].context == .nutrients
        {
            items[last].context = .nutrients
            item.context = .nutrients
        }
        if let number = classNumber(item.words) {
            item.isClass = true
            enter(number)
            // "lecithin (emulsifier)" and "lecithin - an emulsifier": the class follows the item.
            if let last = items.indices.last, !items[last].isClass, items[last].context == .none,
                item.depth > items[last].depth || item.words.first?.text == "an" || item.words.first?.text == "a"
            {
                items[last].context = .additive(number)
            }
        }
        items.append(item)
    }

    private mutating func enter(_ number: Int?) {
        let id = number.map { index.classIDs[$0] }
        let context: Context =
            switch id {
            case nil, "vitamins", "minerals", "vitamin-and-mineral-blend", "amino-acids", "nucleotides",
                "other-nutritional-substances", "l-tryptophan":
                .nutrients
            default: number.map { .additive($0) } ?? .none
            }
        contexts[contexts.count - 1] = context
    }

    private func classNumber(_ words: [NameWord]) -> Int? {
        var words = words[...]
        if let first = words.first?.text, ["an", "a", "un", "une", "as", "ein"].contains(first) {
            words = words.dropFirst()
        }
        if let number = index.additiveClass(named: words) { return number }
        return words.contains(where: \.isFiller) ? index.additiveClass(named: words.filter { !$0.isFiller }) : nil
    }
}
