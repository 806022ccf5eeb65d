import Core

/// Applies the page's price forms. It splits segments at prices inside a line, strips prices from both ends, and
/// marks segments that are prices only.
struct PriceSplitter {
    let forms: PriceForms
    let scanner: AmountScanner
    let days: DayWords
    /// True for one or two words that name a size: `large`, `0,3 l`.
    let isSize: (ArraySlice<Unicode.Scalar>) -> Bool

    func applied(to segments: [TextSegment]) -> [TextSegment] {
        segments.flatMap(cut).map(peeled)
    }

    /// Splits "Name $10.00 Other name" into two segments, and "$5 Burger" into price and name.
    private func cut(_ segment: TextSegment) -> [TextSegment] {
        var edges: Set<Int> = [0, segment.words.count]
        if let day = days.prefix(of: segment.whole) {
            edges.insert(wordCount(in: segment.whole[..<day]))
        }
        let head = forms.head(of: segment)
        if let last = head.last, Letters.longestRun(segment.whole[last.range.upperBound...]) >= 2 {
            edges.insert(wordCount(in: segment.whole[..<last.range.upperBound]))
        }
        var start = 0
        // A line may hold thousands of amounts, so letters and words are counted once.
        let names = Self.runs(of: 3, in: segment.whole)
        var (counted, words) = (0, 0)
        var next = 0
        for amount in segment.amounts where amount.isStrong && amount.form != .fraction {
            while next < names.count, names[next] < start { next += 1 }
            guard let last = names.last, last >= amount.range.upperBound, start <= amount.range.lowerBound,
                next < names.count, names[next] + 3 <= amount.range.lowerBound
            else { continue }
            for place in counted..<max(counted, amount.range.upperBound)
            where segment.whole[place] != " " && (place == 0 || segment.whole[place - 1] == " ") {
                words += 1
            }
            counted = max(counted, amount.range.upperBound)
            let number = words
            if number < segment.words.count, number > 0, isEdge(before: number, in: segment, amount) {
                edges.insert(number)
            }
            start = amount.range.upperBound
        }
        if let codes = codesBehindPrice(in: segment) { edges.insert(codes) }
        let sorted = edges.filter { $0 <= segment.words.count }.sorted()
        guard sorted.count > 2 else { return [segment] }
        return zip(sorted, sorted.dropFirst()).map { TextSegment(Array(segment.words[$0..<$1]), scanner) }
    }

    /// The first of the words behind the last price if these are codes in brackets: "Ravioli 16.00€ (1,3,7)".
    private func codesBehindPrice(in segment: TextSegment) -> Int? {
        guard [")", "]"].contains(segment.whole.last),
            let open = segment.whole.lastIndex(where: { ["(", "["].contains($0) }),
            let price = segment.amounts.last(where: { $0.range.upperBound <= open }),
            price.isMarked || price.form == .twoDecimals,
            segment.whole[price.range.upperBound..<open].allSatisfy({ $0 == " " }),
            !segment.whole[open...].contains("."),
            PageCodes.areCodes(segment.whole[(open + 1)...].dropLast())
        else { return nil }
        return wordCount(in: segment.whole[..<price.range.upperBound])
    }

    /// The places at which a run of so many letters begins, ascending.
    private static func runs(of count: Int, in text: [Unicode.Scalar]) -> [Int] {
        var run = 0
        return text.indices.compactMap { place in
            run = Letters.isLetter(text[place]) ? run + 1 : 0
            return run >= count ? place - count + 1 : nil
        }
    }

    /// True if a gap after a price separates two dishes. A small gap suffices if a capital or a bullet follows.
    private func isEdge(before number: Int, in segment: TextSegment, _ amount: PrintedAmount) -> Bool {
        let gap = (segment.words[number].left - segment.words[number - 1].right) / segment.height
        if gap > 0.75 { return true }
        if let first = segment.words[number].word.text.unicodeScalars.first, Self.bullets.contains(first) {
            return true
        }
        guard amount.form == .twoDecimals || amount.isMarked,
            let first = segment.words[number].word.text.unicodeScalars.first
        else { return false }
        return gap > 0.3 && first.properties.isUppercase
    }

    private static let bullets: [Unicode.Scalar] = ["•", "·"]

    /// Number of words in a text. A partial word at the end counts.
    private func wordCount(in text: ArraySlice<Unicode.Scalar>) -> Int { text.split(separator: " ").count }

    private func peeled(_ segment: TextSegment) -> TextSegment {
        // "Pondělí 10.10." has no price.
        if days.isDay(segment.whole) { return segment }
        var segment = segment
        var run = forms.withoutVolume(PriceForms.tail(of: segment))
        var isAlone =
            run.first.map { !segment.whole[..<$0.range.lowerBound].contains(where: Letters.isWordPart) } ?? false
        while let first = run.first, !forms.isPrice(forms.restored(first), isAlone: isAlone, in: segment) {
            run = run.dropFirst()
            isAlone = false
        }
        if !run.isEmpty {
            let (prices, start) = withSizes(run, in: segment)
            segment.prices = prices
            segment.isPriceAlone = isAlone
            segment.textRange = 0..<end(of: segment.whole, before: start)
        } else if let last = forms.head(of: segment).last {
            segment.prices = forms.head(of: segment).map { LabelledAmount(amount: forms.restored($0)) }
            let rest = segment.whole[last.range.upperBound...].drop(while: PriceForms.isGlue)
            segment.textRange = rest.startIndex..<segment.whole.count
        }
        if segment.prices.isEmpty, let start = scanner.words.unstatedPrice(at: segment.text) {
            segment.textRange = segment.textRange.lowerBound..<end(of: segment.text, before: start)
        }
        if !segment.prices.isEmpty, !segment.text.contains(where: Letters.isLetter) { segment.isPriceAlone = true }
        return segment
    }

    /// The end of the text before a position, without leaders and signs.
    private func end(of text: [Unicode.Scalar], before place: Int) -> Int {
        var end = place
        while end > 0, PriceForms.isGlue(text[end - 1]) || ["$", "€", "£", "("].contains(text[end - 1]) { end -= 1 }
        return end
    }

    /// The prices with the sizes before them, further prices before sizes, and the start of the whole group.
    private func withSizes(
        _ run: ArraySlice<PrintedAmount>, in segment: TextSegment
    ) -> (prices: [LabelledAmount], start: Int) {
        var prices = run.map { LabelledAmount(amount: forms.restored($0)) }
        var start = run.first?.range.lowerBound ?? segment.whole.count
        while let (label, from) = size(before: start, in: segment.whole) {
            prices[0].label = label
            start = from
            let before = segment.amounts.last { $0.range.upperBound <= from }
            // "Granola bowl 5.90" is a name. Before a single price a word is a size only if nothing else precedes it.
            let isAlone = prices.count == 1 && before == nil
            if isAlone, !label.contains(where: \.isNumber), segment.whole[..<from].contains(where: Letters.isLetter) {
                prices[0].label = nil
                start = run.first?.range.lowerBound ?? start
                break
            }
            guard let before, segment.whole[before.range.upperBound..<from].allSatisfy(PriceForms.isGlue),
                forms.isPrice(before, isAlone: false, in: segment)
            else { break }
            prices.insert(LabelledAmount(amount: forms.restored(before)), at: 0)
            start = before.range.lowerBound
        }
        return (prices, start)
    }

    /// A size of one or two words that ends before a position: "small", "0,3l", "0.3 l". Nil if it is the whole text.
    private func size(before place: Int, in text: [Unicode.Scalar]) -> (label: String, from: Int)? {
        let last = end(of: text, before: place)
        var from = last
        for _ in 0..<2 {
            var begin = from
            while begin > 0, Letters.isSpace(text[begin - 1]) { begin -= 1 }
            while begin > 0, !Letters.isSpace(text[begin - 1]) { begin -= 1 }
            guard begin < from else { return nil }
            let word = text[begin..<last]
            from = begin
            if !word.contains(where: { "()".unicodeScalars.contains($0) }), isSize(word) {
                return (String(scalars: word), begin)
            }
        }
        return nil
    }
}
