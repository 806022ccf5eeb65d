import Core

/// Shops that print their name as a logo, and the countries of a dollar: `models/documents/chains.json`.
struct Chains: Sendable {
    struct File: DataFile {
        static let schema = "tablesight.receipt-chains/1"

        struct Chain: Decodable, Sendable {
            var name: String
            /// Words that only this chain prints; the name itself counts too.
            var words: [String]?
        }

        var version: String
        var chains: [Chain]
        /// ISO 4217 → words that prove the country of a dollar sign.
        var dollars: [String: [String]]
        /// ISO 4217 → words of the taxes and papers of one country, for receipts that print no currency.
        var countries: [String: [String]]

        func validate(name: String) throws(DataFileProblem) {
            try DataFileProblem.check(!chains.isEmpty, "chains", "empty")
        }
    }

    private let phrases: Phrases<String>
    private let dollars, countries: Phrases<String>
    private let amounts: AmountWords

    init(_ file: File, _ amounts: AmountWords) {
        phrases = Phrases(
            file.chains.flatMap { chain in ([chain.name] + (chain.words ?? [])).map { (chain.name, $0) } })
        dollars = Phrases(file.dollars.sorted { $0.key < $1.key }.flatMap { code, words in words.map { (code, $0) } })
        countries = Phrases(
            file.countries.sorted { $0.key < $1.key }.flatMap { code, words in words.map { (code, $0) } })
        self.amounts = amounts
    }

    /// The only chain that the page names, most often or first.
    func merchant(in page: PrintedPage) -> ReadValue? {
        var found: [(name: String, row: Int, range: Range<Int>)] = []
        for (index, row) in page.rows.enumerated() {
            for hit in phrases.hits(in: row.squashed) {
                // Inside the items a brand of the chain may stand.
                let isHead = index < 8
                let isAddress = row.text.contains(".") && row.string.lowercased().contains("www")
                let isAlone = row.letters <= hit.length + (isHead ? 5 : 18)
                guard isHead && isAlone || isAddress || index + 12 > page.rows.count && isAlone else { continue }
                found.append((hit.meaning, index, hit.range))
            }
        }
        guard let first = found.first, Set(found.map(\.name)).count == 1 else { return nil }
        let row = page.rows[first.row]
        return ReadValue(
            value: first.name, confidence: found.count > 1 || first.row < 3 ? 0.97 : 0.9, box: row.box(first.range))
    }

    /// The currency names of a text that stand between other signs than letters: `EUR`, `Amount(RM)`, `€`.
    func currencies(in text: [Unicode.Scalar]) -> [(code: String, range: Range<Int>)] {
        var found: [(String, Range<Int>)] = []
        var index = 0
        while index < text.count {
            let isStart = index == 0 || !Letters.isLetter(text[index - 1])
            guard isStart, let mark = amounts.currencies.after(index, in: text), let code = mark.code,
                // A dollar sign alone is often a misread S, and short names in small letters are words.
                text[index..<mark.end].allSatisfy({
                    $0.properties.isUppercase && Letters.isLetter($0) || $0 == "€" || $0 == "£"
                }), !isShortened(mark.end, in: text)
            else {
                index += 1
                continue
            }
            found.append((code, index..<mark.end))
            index = mark.end
        }
        return found
    }

    /// True for a point and a letter behind the code: "CAD.SARAY" is a street in Türkiye.
    private func isShortened(_ end: Int, in text: [Unicode.Scalar]) -> Bool {
        end + 1 < text.count && text[end] == "." && Letters.isLetter(text[end + 1])
    }

    /// The country of a dollar by other words on the page.
    func dollar(in page: PrintedPage) -> String? { Self.mostFrequent(dollars, in: page)?.code }

    /// The currency of the only country whose words the page prints, and where.
    func country(in page: PrintedPage) -> (code: String, isSure: Bool, box: Quad?)? {
        Self.mostFrequent(countries, in: page)
    }

    private static func mostFrequent(
        _ phrases: Phrases<String>, in page: PrintedPage
    ) -> (code: String, isSure: Bool, box: Quad?)? {
        var found: [String: [Quad?]] = [:]
        for row in page.rows {
            for hit in phrases.hits(in: row.squashed) { found[hit.meaning, default: []].append(row.box(hit.range)) }
        }
        let best = found.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
        return best.map { ($0.key, found.count == 1 && $0.value.count > 1, $0.value[0]) }
    }
}
