import Vocabulary

/// Lines → sections with dishes, before anything is said of allergens.
struct MenuParser: Sendable {
    /// One dish as printed.
    struct Dish: Sendable {
        var name: [Word] = []
        var description: [[Word]] = []
        var prices: [Menu.Price] = []
        var codes: [(code: String, word: Word)] = []
        var boxes: [Quad] = []
    }

    struct Section: Sendable {
        var title: String?
        var dishes: [Dish] = []
    }

    struct Page: Sendable {
        var sections: [Section]
        var legend: Legend
        /// Rows that speak of the whole page: precautions, advice.
        var notes: [Row]
        var currency: String?
        var pricedRows: Int
        var hasMenuHeading: Bool
    }

    let detector: FindingDetector
    let legends: LegendParser
    let prices: PriceScanner
    let everywhere: Set<String>

    private var lexica: Lexica { detector.lexica }

    init(detector: FindingDetector) {
        self.detector = detector
        legends = LegendParser(detector: detector)
        prices = PriceScanner(lexica: detector.lexica)
        everywhere = Set(detector.lexica.lexicons.flatMap { $0.dietCodes + $0.claimCodes.map(\.code) })
    }

    func parse(_ lines: [TextLine]) -> Page {
        let scanner = prices
        let rows = LineLayout(isPriceOnly: { scanner.isPriceOnly($0) }).rows(of: lines)
        var page = Page(sections: [], legend: Legend(), notes: [], currency: nil, pricedRows: 0, hasMenuHeading: false)
        let found = rows.map { prices.prices(in: $0.words.map(\.text)) }
        let body = takeLegendAndNotes(rows, found, into: &page)
        detector.schemes.complete(&page.legend, page: rows.map(\.text).joined(separator: "\n"))
        page.pricedRows = found.count { !$0.isEmpty }
        page.currency = currency(found.flatMap { $0 })
        page.hasMenuHeading = rows.contains { isMenuHeading($0.text) }
        read(body.map { (rows[$0], found[$0]) }, into: &page)
        return page
    }

    /// Legend rows are read before any dish, wherever on the page they stand; returns the other rows' numbers.
    private func takeLegendAndNotes(_ rows: [Row], _ found: [[PriceScanner.Found]], into page: inout Page) -> [Int] {
        var body: [Int] = []
        var isInLegend = false
        for (index, row) in rows.enumerated() {
            guard found[index].isEmpty else {
                isInLegend = false
                body.append(index)
                continue
            }
            let isHeading = legends.isHeading(row.text)
            let entries = legends.entries(in: row.text, isInLegend: isInLegend || isHeading)
            for entry in entries { page.legend.bind(entry.code, to: entry.meaning) }
            if isHeading || !entries.isEmpty {
                isInLegend = isInLegend || isHeading
            } else if isNote(row) {
                page.notes.append(row)
            } else {
                body.append(index)
            }
        }
        return body
    }

    private func read(_ rows: [(row: Row, prices: [PriceScanner.Found])], into page: inout Page) {
        let heights = rows.map(\.row.height).sorted()
        let median = heights.isEmpty ? 0 : heights[heights.count / 2]
        // A page without prices lists one dish a row, a canteen's week.
        let isPriceless = page.pricedRows < 2
        var section = Section(title: nil)
        var pending: Row?
        func closeSection(_ next: String?) {
            if !section.dishes.isEmpty || section.title != nil { page.sections.append(section) }
            section = Section(title: next)
        }
        for (row, found) in rows {
            if !found.isEmpty {
                var words = row.words
                if names(words, found).isEmpty, let above = pending {
                    words = above.words + words
                    let shift = above.words.count
                    let moved = found.map {
                        PriceScanner.Found(
                            amount: $0.amount, currency: $0.currency,
                            words: ($0.words.lowerBound + shift)..<($0.words.upperBound + shift))
                    }
                    section.dishes.append(dish(words, moved, page.legend))
                } else if names(words, found).isEmpty {
                    if !section.dishes.isEmpty {
                        section.dishes[section.dishes.count - 1].prices += menuPrices(words, found).prices
                    }
                } else {
                    section.dishes.append(dish(words, found, page.legend))
                }
                pending = nil
            } else if isHeading(row, median) {
                closeSection(row.text)
                pending = row
            } else if isPriceless, startsDish(row) {
                section.dishes.append(dish(row.words, [], page.legend))
                pending = nil
            } else if section.dishes.isEmpty {
                pending = row
            } else {
                let (words, codes) = DishCodes(legend: page.legend, everywhere: everywhere).split(row.words)
                let last = section.dishes.count - 1
                let isCodesOnly = words.count == 1 && codes.isEmpty && isCodes(words[0].text)
                section.dishes[last].codes += isCodesOnly ? codeList(words[0]) : codes
                if !isCodesOnly, !words.isEmpty { section.dishes[last].description.append(words) }
                section.dishes[last].boxes += row.cells.map(\.box)
                pending = row
            }
        }
        closeSection(nil)
        page.sections.removeAll { $0.dishes.isEmpty }
    }

    private func isCodes(_ text: String) -> Bool {
        codeList(Word(text: text, confidence: 1, box: Quad(x: 0, y: 0, width: 0, height: 0))).count >= 2
    }

    private func codeList(_ word: Word) -> [(code: String, word: Word)] {
        let parts = CodeShape.lowered(word.text).split { ",;/ ".contains($0) }.map(String.init)
        return parts.allSatisfy(CodeShape.matches) ? parts.map { ($0, word) } : []
    }

    private func dish(_ words: [Word], _ found: [PriceScanner.Found], _ legend: Legend) -> Dish {
        let (prices, taken) = menuPrices(words, found)
        let rest = words.indices.filter { !taken.contains($0) }.map { words[$0] }.filter { !isLeader($0.text) }
        let (name, codes) = DishCodes(legend: legend, everywhere: everywhere).split(rest)
        return Dish(name: name, prices: prices, codes: codes, boxes: words.map(\.box))
    }

    /// Prices with the size that stands before each, and the numbers of the words they take.
    private func menuPrices(_ words: [Word], _ found: [PriceScanner.Found]) -> (prices: [Menu.Price], taken: Set<Int>) {
        var taken: Set<Int> = []
        var result: [Menu.Price] = []
        // "Granola bowl 5.90" is a name: a lone price has a size only where nothing else stands in its row, or a quantity.
        let priced = found.reduce(into: Set<Int>()) { $0.formUnion($1.words) }
        let mayHaveSizes =
            found.count > 1
            || words.indices.allSatisfy {
                priced.contains($0) || isSize(words[$0].text, next: nil) || isLeader(words[$0].text)
            }
        for price in found {
            taken.formUnion(price.words)
            var label: [String] = []
            var index = price.words.lowerBound - 1
            while index >= 0, !taken.contains(index), label.count < 2, isSize(words[index].text, next: label.first),
                mayHaveSizes || words[index].text.contains(where: \.isNumber) || !label.isEmpty
                    || isUnit(words[index].text)
            {
                label.insert(words[index].text, at: 0)
                taken.insert(index)
                index -= 1
            }
            let text = label.joined(separator: " ").trimmingSuffix(while: { ":/,".contains($0) })
            if index >= 0, ["/", "|"].contains(words[index].text) { taken.insert(index) }
            result.append(Menu.Price(amount: price.amount, label: text.isEmpty ? nil : text))
        }
        return (result, taken)
    }

    private func isSize(_ text: String, next: String?) -> Bool {
        let words = Folding.words(of: text)
        // "(A,C,G)" is a list of codes, and no grams.
        guard words.count <= 2, let word = words.last, !text.contains(where: { "()[]".contains($0) }) else {
            return false
        }
        if lexica.has(.size, word) { return true }
        if lexica.has(.unit, text) { return true }
        // "0,3l", and "0,3" before "l".
        let letters = String(word.drop(while: \.isNumber))
        let hasUnit = lexica.has(.unit, letters) && text.first?.isNumber == true
        let isQuantity = text.allSatisfy { $0.isNumber || ",.".contains($0) }
        return hasUnit
            || (isQuantity && next.map { lexica.has(.unit, Folding.fold($0)) } ?? false)
    }

    private func isUnit(_ text: String) -> Bool { lexica.has(.unit, text) }

    private func names(_ words: [Word], _ found: [PriceScanner.Found]) -> [Word] {
        let taken = menuPrices(words, found).taken
        return words.indices.filter { !taken.contains($0) }.map { words[$0] }
            .filter { !isLeader($0.text) && $0.text.contains(where: \.isLetter) }
    }

    private func isLeader(_ text: String) -> Bool { text.allSatisfy { "._…·-–|*".contains($0) } }

    private func isMenuHeading(_ text: String) -> Bool {
        let tokens = lexica.tokens(of: text)
        guard (1...5).contains(tokens.count) else { return false }
        return lexica.phrases(at: 0, of: tokens).contains {
            $0.length == tokens.count && lexica.trie.roles[Int($0.node)] & Lexeme.Role.menuHeading.bit != 0
        }
    }

    private func isHeading(_ row: Row, _ median: Double) -> Bool {
        let letters = row.text.filter(\.isLetter)
        guard letters.count >= 3, row.words.count <= 6 else { return false }
        if isMenuHeading(row.text) || row.height >= 1.3 * median { return true }
        return letters.allSatisfy(\.isUppercase) && !row.text.contains(",")
    }

    private func startsDish(_ row: Row) -> Bool { row.text.first { $0.isLetter }?.isUppercase == true }

    /// True for a sentence about the whole page: what may be in everything, what guests should ask.
    private func isNote(_ row: Row) -> Bool {
        let tokens = lexica.tokens(of: row.text)
        let mayBe = tokens.indices.contains { index in
            lexica.phrases(at: index, of: tokens).contains {
                lexica.trie.roles[Int($0.node)] & Lexeme.Role.precaution.bit != 0
            }
        }
        guard mayBe else { return false }
        let analysis = detector.analyse(ReadText(row.text), language: nil)
        for index in analysis.tokens.indices {
            for lexeme in analysis.longest(Lexeme.Role.precaution.bit, at: index)?.lexemes ?? [] {
                let phrase = lexica.lexicons[Int(lexeme.lexicon)].precaution[Int(lexeme.index)]
                guard let close = phrase.close.map({ Folding.fold($0) }) else { return true }
                if analysis.tokens[index...analysis.punctuation.end(of: index)].contains(where: { $0.text == close }) {
                    return true
                }
            }
        }
        return false
    }

    private func currency(_ found: [PriceScanner.Found]) -> String? {
        let counts = Dictionary(grouping: found.compactMap(\.currency), by: { $0 }).mapValues(\.count)
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }
}
