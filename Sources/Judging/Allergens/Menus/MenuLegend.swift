import Documents
import Core

/// Extracts the legend and the page-wide notes from a layout, at any position on the page.
struct MenuLegend {
    private(set) var legend = Legend()
    /// Lines about the whole page: precautions and advice.
    private(set) var notes: [[Word]] = []
    /// Headings of legends that stand before codes alone, in several lines: "Allergene: A, G" below each dish.
    private(set) var headingsOfCodes: Set<Substring> = []
    /// The roles of the extracted texts.
    private(set) var roles: [Int: MenuRole] = [:]

    private let detector: FindingDetector
    private let legends: LegendParser

    init(_ layout: PageLayout, detector: FindingDetector) {
        self.detector = detector
        legends = LegendParser(detector: detector)
        read(layout)
        detector.schemes.complete(
            &legend, page: layout.texts.map { String(scalars: $0.segment.whole) }.joined(separator: "\n"))
    }

    /// Processes texts column by column, because a legend continues on the line below.
    private mutating func read(_ layout: PageLayout) {
        let order = layout.texts.indices.sorted { one, other in
            let (a, b) = (layout.texts[one].segment.words.first, layout.texts[other].segment.words.first)
            return (a?.line ?? 0, a?.number ?? 0) < (b?.line ?? 0, b?.number ?? 0)
        }
        var found: [(text: Int, entries: [(code: String, meaning: Legend.Meaning)], isSure: Bool)] = []
        var isInLegend = false
        var headings: [Substring] = []
        /// A code without its words, which the print sets in a column of their own.
        var alone: (text: Int, string: String)?
        for (place, index) in order.enumerated() where roles[index] == nil && !layout.declaresCodes(index) {
            let text = layout.texts[index]
            var string = String(scalars: text.segment.whole)
            // The numbers among the codes may look like prices.
            if let word = Self.wordBeforeCodes(string), legends.isHeading(string) { headings.append(word) }
            guard text.rowPrices.isEmpty else {
                isInLegend = false
                continue
            }
            if let code = alone, layout.texts[code.text].segment.words.last?.line == text.segment.words.first?.line {
                string = code.string + " " + string
            }
            let tokens = detector.lexiconIndex.tokens(of: string)
            let isHeading = legends.isHeading(tokens)
            let entries = legends.entries(in: string, isInLegend: isInLegend || isHeading)
            if let code = alone, !entries.isEmpty { found.append((code.text, [], true)) }
            alone = isInLegend && legends.isCode(string) ? (index, string) : nil
            if isHeading || !entries.isEmpty {
                let isSure = isInLegend || isHeading || string.contains("=") || entries.count >= 2
                isInLegend = isInLegend || isHeading
                found.append((index, entries, isSure))
            } else if let lines = advisory(order[place...], layout) {
                for line in lines { roles[line] = .note }
            } else if isNote(string, tokens) {
                notes.append(text.segment.printedWords)
                roles[index] = .note
            }
        }
        headingsOfCodes = Set(
            Dictionary(grouping: headings) { $0 }.filter { $0.value.count >= Self.leastHeadings }.keys)
        // "A: Fish and chips" alone is a choice of a set meal. A legend explains several codes.
        let codes = Set(found.flatMap { $0.entries.map(\.code) })
        for one in found where one.isSure || codes.count >= 2 {
            for entry in one.entries { legend.bind(entry.code, to: entry.meaning) }
            roles[one.text] = .legend
        }
    }

    /// Fewer lines may be headings.
    private static let leastHeadings = 2

    /// The word at the start of a text that has only codes behind it, up to a further word with a colon; nil for another
    /// text.
    private static func wordBeforeCodes(_ text: String) -> Substring? {
        let word = text.prefix(while: \.isLetter)
        let parts = text[word.endIndex...].split { !$0.isLetter && !$0.isNumber }
        let codes = parts.prefix { CodeShape.matches(String($0)) }
        let isClosed = codes.count == parts.count || text[parts[codes.count].endIndex...].first == ":"
        return !word.isEmpty && !codes.isEmpty && isClosed ? word : nil
    }

    /// The most lines of a warning of raw food.
    private static let longestAdvisory = 6

    /// The texts of a warning of raw food that begins in the first one; nil if none does.
    private func advisory(_ texts: ArraySlice<Int>, _ layout: PageLayout) -> ArraySlice<Int>? {
        let first = texts.first.map { String(scalars: layout.texts[$0].segment.whole) } ?? ""
        var string = ""
        for (count, index) in texts.prefix(Self.longestAdvisory).enumerated() {
            let line = String(scalars: layout.texts[index].segment.whole)
            string += (count > 0 ? " " : "") + line
            switch count {
            case 0 where !beginsAdvisory(line): continue
            // Its first words may be on two lines; it does not begin in the second one.
            case 1 where !beginsAdvisory(string) || beginsAdvisory(line) && !beginsAdvisory(first): return nil
            default: break
            }
            if !detector.analyse(RecognizedText(string), language: nil).advisories.isEmpty {
                return texts.prefix(count + 1)
            }
        }
        return nil
    }

    private func beginsAdvisory(_ string: String) -> Bool {
        let tokens = detector.lexiconIndex.tokens(of: string)
        return tokens.indices.contains { detector.lexiconIndex.hasPhrase(.advisory, at: $0, of: tokens) }
    }

    /// True for a sentence about the whole page, such as a precaution or advice to guests.
    private func isNote(_ string: String, _ tokens: [Token]) -> Bool {
        let lexiconIndex = detector.lexiconIndex
        let mayBe = tokens.indices.contains { lexiconIndex.hasPhrase(.precaution, at: $0, of: tokens) }
        guard mayBe else { return false }
        let analysis = detector.analyse(RecognizedText(string), language: nil)
        /// How far each closing word was searched for in vain.
        var missing: [String: Int] = [:]
        for index in analysis.tokens.indices {
            for lexeme in analysis.longest(Lexeme.Role.precaution.bit, at: index)?.lexemes ?? [] {
                let phrase = lexiconIndex.lexicons[Int(lexeme.lexicon)].precaution[Int(lexeme.index)]
                guard let close = phrase.close.map({ Folding.fold($0) }) else { return true }
                let end = analysis.punctuation.end(of: index)
                guard missing[close].map({ $0 < end }) ?? true else { continue }
                if analysis.tokens[index...end].contains(where: { $0.text == close }) { return true }
                missing[close] = end
            }
        }
        return false
    }
}
