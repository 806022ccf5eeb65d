import Core

/// Looks up the items of an ingredient list. A name is found only as a whole; a near name is reported as unread.
struct SubjectFinder {
    let index: SubjectIndex
    /// BCP 47; nil if unknown.
    let language: String?
    private let number: Int?

    init(index: SubjectIndex, language: String?) {
        self.index = index
        self.language = language.map { String($0.prefix(2)).lowercased() }
        number = SubjectIndex.number(of: language)
    }

    /// One ingredient of an item: "potassium nitrate and sodium nitrite" has two.
    struct Mention: Sendable {
        /// Numbers in `SubjectIndex.entries`; empty if no name fits.
        var entries: [Int]
        /// Range of Unicode scalars.
        var range: Range<Int>
        /// True if it is nearly a known name, so that it may be misread.
        var isNearlyKnown = false
        /// True if the label gives the number: "E 330", "INS 330", or "330" after a class.
        var isNumber = false
        /// The class that is part of the item: "flour treatment agent potassium iodate".
        var additiveClass: Int?
        /// False if only a hyphen separates the class from the name: "lecithin-an emulsifier".
        var isClean = true
    }

    private typealias Slice = Range<Int>

    /// The ingredients of an item, in their order.
    func mentions(in item: IngredientList.Item) -> [Mention] {
        let numbered = numbers(in: item)
        if !numbered.isEmpty { return numbered }
        var slice = trimmed(0..<item.words.count, item)
        guard !slice.isEmpty else { return [] }
        if let found = lookup(slice, item) {
            return [mention(withAdditive(found, slice, item), 0..<item.words.count, item)]
        }
        if let parts = split(slice, item) { return parts }
        let whole = slice
        var ownClass: Int?
        (slice, ownClass) = withoutClass(slice, item)
        let isClean = !item.hyphenated.contains(slice.upperBound) || slice.upperBound == whole.upperBound
        if ownClass != nil {
            if slice.isEmpty { return [] }
            if let parts = split(slice, item) { return parts }
        }
        if let found = lookup(slice, item) ?? shortened(slice, item) {
            var one = mention(withAdditive(found, slice, item), 0..<item.words.count, item, additiveClass: ownClass)
            one.isClean = isClean
            return [one]
        }
        var unknown = mention([], 0..<item.words.count, item)
        unknown.isNearlyKnown = index.near.contains(near: key(slice, item).map(\.text).joined(separator: " "))
        return [unknown]
    }

    private func mention(
        _ entries: [Int], _ words: Slice, _ item: IngredientList.Item, additiveClass: Int? = nil
    ) -> Mention {
        let places = item.places[words].filter { !$0.isEmpty }
        let range =
            words.count == item.words.count
            ? item.range
            : (places.first?.lowerBound ?? item.range.lowerBound)..<(places.last?.upperBound ?? item.range.upperBound)
        return Mention(entries: entries, range: range, additiveClass: additiveClass)
    }

    // MARK: Numbers

    private func numbers(in item: IngredientList.Item) -> [Mention] {
        var result: [Mention] = []
        var position = 0
        while position < item.words.count {
            let first = position
            guard let (number, next) = number(at: position, item) else {
                position += 1
                continue
            }
            position = next
            guard let entry = index.additive(number: number) else { continue }
            var one = mention([entry], first..<next, item)
            if result.isEmpty, next == item.words.count { one.range = item.range }
            one.isNumber = true
            result.append(one)
        }
        return result
    }

    /// The number `e322i` at a word, and the position behind it.
    private func number(at position: Int, _ item: IngredientList.Item) -> (String, Int)? {
        let word = item.words[position].text
        func following(_ next: Int, _ text: String) -> (String, Int) {
            // "E 160 a" and "E450 i".
            guard next < item.words.count, item.places[next].lowerBound - item.places[next - 1].upperBound <= 1,
                item.words[next].text.utf8.count <= 4,
                IngredientWords.isRomanNumeral(item.words[next].text)
                    || item.words[next].text.utf8.count == 1 && "abcdefgh".contains(item.words[next].text),
                text.last?.isNumber == true || IngredientWords.isRomanNumeral(item.words[next].text),
                // "E 410/E 412": the letter begins the next number.
                !(item.words[next].text == "e" && next + 1 < item.words.count
                    && IngredientWords.isNumberPart(item.words[next + 1].text.utf8))
            else { return (text, next) }
            return (text + item.words[next].text, next + 1)
        }
        if let number = IngredientWords.additiveNumber(word) { return following(position + 1, number) }
        let isPrefix = word == "e" || word == "ins" || word == "lns"
        // "E47 6" and "E 47 6": a blank among the digits.
        let digits = isPrefix ? position + 1 : position
        if let cut = isPrefix ? item.words[safely: digits]?.text[...] : word.first == "e" ? word.dropFirst() : nil,
            cut.utf8.count == 2, cut.allSatisfy(\.isNumber), let last = item.words[safely: digits + 1]?.text,
            item.places[digits + 1].lowerBound - item.places[digits].upperBound <= 1,
            IngredientWords.isNumberPart((cut + last).utf8)
        {
            return following(digits + 2, "e" + cut + last)
        }
        if isPrefix, position + 1 < item.words.count,
            IngredientWords.isNumberPart(item.words[position + 1].text.utf8)
        {
            return following(position + 2, "e" + item.words[position + 1].text)
        }
        if case .additive = item.context, item.words.count <= 2, position == 0,
            IngredientWords.isNumberPart(word.utf8)
        {
            return following(position + 1, "e" + word)
        }
        return nil
    }

    // MARK: Names

    /// The words that carry the meaning; all words if none does.
    private func key(_ slice: Slice, _ item: IngredientList.Item) -> ArraySlice<NameWord> {
        let all = item.words[slice]
        guard all.contains(where: \.isFiller) else { return all }
        let words = all.filter { !$0.isFiller }
        return words.isEmpty ? all : words[...]
    }

    private func lookup(_ slice: Slice, _ item: IngredientList.Item) -> [Int]? {
        guard !slice.isEmpty else { return nil }
        let found = index.subjects(named: key(slice, item), language: number)
        return found.isEmpty ? nil : found
    }

    /// "Soya lecithin" is an ingredient with records of its own, and the additive lecithin.
    private func withAdditive(_ found: [Int], _ slice: Slice, _ item: IngredientList.Item) -> [Int] {
        guard !found.contains(where: { index.entries[$0].isAdditive }) else { return found }
        return (shortened(slice, item) ?? []).filter { index.entries[$0].isAdditive } + found
    }

    /// Without numbers, qualifiers at the start, and what follows "to preserve freshness".
    private func trimmed(_ slice: Slice, _ item: IngredientList.Item) -> Slice {
        var slice = slice
        while let first = slice.first, item.words[first].isNumber {
            slice = (first + 1)..<slice.upperBound
        }
        while let last = slice.last, last > slice.lowerBound, item.words[last].isNumber,
            !item.hyphenated.contains(last), !isColourNumber(last, item)
        {
            slice = slice.lowerBound..<last
        }
        return slice
    }

    /// "yellow 5", "polysorbate 80": the number is part of the name.
    private func isColourNumber(_ position: Int, _ item: IngredientList.Item) -> Bool {
        position > 0 && !index.subjects(named: item.words[(position - 1)...position], language: number).isEmpty
    }

    /// The halves of "A and B". A half may borrow the noun of the other: "carbonates de sodium et d'ammonium".
    private func split(_ slice: Slice, _ item: IngredientList.Item) -> [Mention]? {
        let links = slice.filter { IngredientWords.isConjunction(item.words[$0].text, language: language) }
        guard !links.isEmpty, links.count <= 6 else { return nil }
        var parts: [Slice] = []
        var from = slice.lowerBound
        for link in links + [slice.upperBound] {
            if from < link { parts.append(from..<link) }
            from = link + 1
        }
        guard parts.count > 1 else { return nil }
        let first = key(parts[0], item)
        let last = key(parts[parts.count - 1], item)
        var result: [Mention] = []
        var isFound = false
        for (number, part) in parts.enumerated() {
            // The borrowed noun comes first: "potassium" alone is a mineral, "nitrates … et de potassium" is a nitrate.
            var entries: [Int] = []
            if number > 0 { entries = additives(sharing: first, with: part, isNounFirst: true, item) }
            if entries.isEmpty, number < parts.count - 1 {
                entries = additives(sharing: last, with: part, isNounFirst: false, item)
            }
            if entries.isEmpty { entries = lookup(trimmed(part, item), item) ?? shortened(part, item) ?? [] }
            isFound = isFound || !entries.isEmpty
            result.append(mention(entries, part, item))
        }
        return isFound ? result : nil
    }

    /// Additives that a half names with the noun of the other half: "nitrates de sodium et de potassium",
    /// "sodium and potassium nitrates", "Natrium- und Kaliumnitrat".
    private func additives(
        sharing other: ArraySlice<NameWord>, with part: Slice, isNounFirst: Bool, _ item: IngredientList.Item
    ) -> [Int] {
        let own = key(part, item)
        guard let noun = isNounFirst ? other.first : other.last else { return [] }
        if own.count < 3, other.count > 1 {
            let words = isNounFirst ? other.dropLast() + own : own + [noun]
            let found = index.subjects(named: words, language: number).filter { index.entries[$0].isAdditive }
            if !found.isEmpty { return found }
        }
        // Compounds share their end: the second half ends in the noun, the first half has only its own part.
        guard !isNounFirst, own.count == 1, let word = own.first?.text,
            noun.text.utf8.count >= word.utf8.count + 2
        else { return [] }
        for length in stride(from: noun.text.count - 3, through: 4, by: -1) {
            let compound = index.words[word + noun.text.suffix(length)]
            let found = index.subjects(named: CollectionOfOne(compound), language: number)
                .filter { index.entries[$0].isAdditive }
            if !found.isEmpty { return found }
        }
        return []
    }

    /// The slice without a class at its start or its end.
    private func withoutClass(_ slice: Slice, _ item: IngredientList.Item) -> (Slice, Int?) {
        for length in stride(from: min(4, slice.count), through: 1, by: -1) {
            let start = slice.lowerBound..<(slice.lowerBound + length)
            if let found = index.additiveClass(named: item.words[start]) {
                return (start.upperBound..<slice.upperBound, found)
            }
            let end = (slice.upperBound - length)..<slice.upperBound
            if let found = index.additiveClass(named: item.words[end]) {
                var rest = slice.lowerBound..<end.lowerBound
                while let last = rest.last, ["a", "an", "as", "comme", "als"].contains(item.words[last].text) {
                    rest = rest.lowerBound..<last
                }
                return (rest, found)
            }
        }
        return (slice, nil)
    }

    /// The name without up to three words around it. Any word may go for an additive, since its name is a chemical
    /// one: "soybean lecithin". For other ingredients only qualifiers may: "almond milk" is no milk.
    private func shortened(_ slice: Slice, _ item: IngredientList.Item) -> [Int]? {
        for dropped in 1...3 where slice.count > dropped {
            let tail = (slice.lowerBound + dropped)..<slice.upperBound
            let head = slice.lowerBound..<(slice.upperBound - dropped)
            let isHeadFirst = IngredientWords.isHeadFirst(language)
            for (kept, gone) in [
                (
                    isHeadFirst ? head : tail,
                    isHeadFirst ? head.upperBound..<slice.upperBound : slice.lowerBound..<tail.lowerBound
                ),
                (
                    isHeadFirst ? tail : head,
                    isHeadFirst ? slice.lowerBound..<tail.lowerBound : head.upperBound..<slice.upperBound
                ),
            ] {
                guard let found = lookup(kept, item) else { continue }
                let areQualifiers = item.words[gone].allSatisfy {
                    $0.isFiller || IngredientWords.isQualifier($0.text) || $0.isNumber
                }
                if areQualifiers { return found }
                let isHead = isHeadFirst == (kept == head)
                let additives = found.filter { index.entries[$0].isAdditive }
                if isHead, !additives.isEmpty, key(kept, item).reduce(0, { $0 + $1.text.utf8.count }) >= 6 {
                    return additives
                }
            }
        }
        return nil
    }
}

extension Array {
    fileprivate subscript(safely index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
