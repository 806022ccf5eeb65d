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

    /// Nested deeper, brackets only separate.
    private static let maximumDepth = 16
    /// Longer texts are cut: no label has more.
    static let maximumLength = 20_000

    private var words: [NameWord] = []
    private var places: [Range<Int>] = []
    private var hyphenated: Set<Int> = []
    private var start = 0
    private var end = 0
    private var percent: Double?
    /// Contexts of the open brackets.
    private var contexts: [Context] = [.none]
    /// Open brackets below `maximumDepth`.
    private var tooDeep = 0

    static func items(of text: String, language: String?, index: SubjectIndex) -> (
        items: [Item], scalars: [Unicode.Scalar]
    ) {
        var scalars = MisreadWords.withReadNumbers(withoutMarkup(text))
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
            if all[index] != "_", all[index] != "\u{AD}" { scalars.append(all[index]) }
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
        var position = 0
        for token in Folding.tokens(of: scalars) {
            if let last = words.last, let place = places.last, isLineBreak(position..<token.range.lowerBound, token) {
                // The rest of a word that a line cut.
                words[words.count - 1] = MisreadWords.word(last.text + token.text, in: index.words)
                places[places.count - 1] = place.lowerBound..<token.range.upperBound
                (end, position) = (token.range.upperBound, token.range.upperBound)
                continue
            }
            separate(position..<token.range.lowerBound, next: token)
            if words.isEmpty { start = token.range.lowerBound }
            end = token.range.upperBound
            position = end
            if token.isHyphenated, !words.isEmpty { hyphenated.insert(words.count) }
            words.append(MisreadWords.word(token.text, in: index.words))
            places.append(token.range)
        }
        separate(position..<scalars.count, next: nil)
        close()
    }

    /// True for a hyphen at the end of a line, after which the word continues; "mono-" before "and" is a word.
    private func isLineBreak(_ gap: Range<Int>, _ next: Token) -> Bool {
        guard gap.count >= 2, scalars[gap.lowerBound] == "-" || scalars[gap.lowerBound] == "\u{2010}",
            scalars[gap.dropFirst()].allSatisfy(Folding.isSpace), scalars[gap].contains("\n")
        else { return false }
        return !IngredientWords.isConjunction(next.text, language: language) && next.text != "or"
    }

    /// Acts on the separators between two words.
    private mutating func separate(_ gap: Range<Int>, next: Token?) {
        var index = gap.lowerBound
        while index < gap.upperBound {
            let scalar = scalars[index]
            switch scalar {
            case ",", ".":
                if isDecimal(index) { break }
                if scalar == ".", index + 1 < scalars.count, !Folding.isSpace(scalars[index + 1]) { break }
                close()
                if scalar == "." { endGroup() }
            case ";", "•", "·", "|", "、", "。", "・", "●", "∙":
                close()
                if scalar == ";" { endGroup() }
            case ":": closeAsClass()
            case "(", "[", "{", "（", "［":
                if opensNumberPart(index) { break }
                open()
            case ")", "]", "}", "）", "］":
                if closesNumberPart(index) { break }
                close()
                if tooDeep > 0 { tooDeep -= 1 } else if contexts.count > 1 { contexts.removeLast() }
            case "-", "–", "—":
                let isAlone =
                    index > 0 && Folding.isSpace(scalars[index - 1]) && index + 1 < scalars.count
                    && Folding.isSpace(scalars[index + 1])
                // "carbonates d'ammonium- diphosphates" is a list; "mono- and diglycerides" is one name.
                let hangs =
                    !isAlone && index + 1 < scalars.count && Folding.isSpace(scalars[index + 1])
                    && next.map { !IngredientWords.isConjunction($0.text, language: language) && $0.text != "or" }
                        == true
                if isAlone || hangs { close() }
            case "&":
                if index > 0, Folding.isSpace(scalars[index - 1]), !words.isEmpty {
                    words.append(self.index.words["and"])
                    places.append(index..<index)
                }
            case "%": readPercent(before: index)
            case "\n": if index + 1 < scalars.count, scalars[index + 1] == "\n" { close() }
            default: break
            }
            index += 1
        }
    }

    private func isDecimal(_ index: Int) -> Bool {
        index > 0 && index + 1 < scalars.count && (0x30...0x39).contains(scalars[index - 1].value)
            && (0x30...0x39).contains(scalars[index + 1].value)
    }

    /// "E322(i)": the bracket belongs to the number.
    private func opensNumberPart(_ index: Int) -> Bool {
        guard let last = words.last?.text, index > 0, !Folding.isSpace(scalars[index - 1]) else { return false }
        let bytes = Array(last.utf8)
        let digits = bytes.first == UInt8(ascii: "e") ? bytes[1...] : bytes[...]
        guard IngredientWords.isNumberPart(digits) else { return false }
        var text = ""
        var next = index + 1
        while next < scalars.count, scalars[next].properties.isAlphabetic, text.count < 5 {
            text.unicodeScalars.append(scalars[next])
            next += 1
        }
        return next < scalars.count && (scalars[next] == ")" || scalars[next] == "]")
            && IngredientWords.isRomanNumeral(text.lowercased())
    }

    private func closesNumberPart(_ index: Int) -> Bool {
        var before = index - 1
        while before >= 0, scalars[before].properties.isAlphabetic { before -= 1 }
        guard before > 0, scalars[before] == "(" || scalars[before] == "[" else { return false }
        let text = String(scalars: scalars[(before + 1)..<index]).lowercased()
        return IngredientWords.isRomanNumeral(text) && scalars[before - 1].properties.numericType != nil
    }

    private mutating func readPercent(before index: Int) {
        var first = index
        while first > 0, index - first < 12 {
            let scalar = scalars[first - 1]
            guard Folding.isSpace(scalar) || scalar == "." || scalar == "," || (0x30...0x39).contains(scalar.value)
            else { break }
            first -= 1
        }
        let text = String(scalars: scalars[first..<index].filter { !Folding.isSpace($0) })
            .trimmingPrefix { $0 == "." || $0 == "," }
        if let value = Double(text.map { $0 == "," ? "." : String($0) }.joined()), (0...100).contains(value) {
            percent = value
        }
        // The digits are no word of the name.
        while let last = words.last, last.isNumber {
            words.removeLast()
            places.removeLast()
        }
    }

    // MARK: Items and their classes

    private mutating func close() {
        defer {
            words.removeAll(keepingCapacity: true)
            places.removeAll(keepingCapacity: true)
            hyphenated.removeAll(keepingCapacity: true)
            percent = nil
        }
        guard !words.isEmpty || percent != nil else { return }
        if words.isEmpty {
            // "(12 %)" alone is the share of the item before.
            if !items.isEmpty, items[items.count - 1].percent == nil { items[items.count - 1].percent = percent }
            return
        }
        var item = Item(
            words: words, places: places, hyphenated: hyphenated, range: start..<end,
            context: contexts[contexts.count - 1], depth: contexts.count - 1,
            percent: percent)
        // "riboflavin (vitamin B2)" is a vitamin.
        if let first = words.first?.text, IngredientWords.opensNutrients(first), let last = items.indices.last,
            items[last].depth < item.depth, items[last].context == .none || items[last].context == .nutrients
        {
            items[last].context = .nutrients
            item.context = .nutrients
        }
        if let number = classNumber(words) {
            item.isClass = true
            enter(number)
            // "lecithin (emulsifier)" and "lecithin - an emulsifier": the class follows the item.
            if let last = items.indices.last, !items[last].isClass, items[last].context == .none,
                item.depth > items[last].depth || words.first?.text == "an" || words.first?.text == "a"
            {
                items[last].context = .additive(number)
            }
        }
        items.append(item)
    }

    /// A class before a colon opens a group; any other text before a colon is a heading or an item.
    private mutating func closeAsClass() {
        let heading = words
        close()
        if heading.contains(where: { IngredientWords.opensNutrients($0.text) }) { enter(nil) }
    }

    private mutating func open() {
        let before = words
        let outer = contexts[contexts.count - 1]
        close()
        var context = contexts[contexts.count - 1]
        contexts[contexts.count - 1] = outer
        if before.contains(where: { IngredientWords.opensNutrients($0.text) }) {
            context = .nutrients
        } else if !before.isEmpty, classNumber(before) == nil {
            context = .none
        }
        if contexts.count < Self.maximumDepth { contexts.append(context) } else { tooDeep += 1 }
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

    private mutating func endGroup() { contexts[contexts.count - 1] = .none }

    private func classNumber(_ words: [NameWord]) -> Int? {
        var words = words[...]
        if let first = words.first?.text, ["an", "a", "un", "une", "as", "ein"].contains(first) {
            words = words.dropFirst()
        }
        if let number = index.additiveClass(named: words) { return number }
        return words.contains(where: \.isFiller) ? index.additiveClass(named: words.filter { !$0.isFiller }) : nil
    }
}
