import Core

/// Finds the currency of a price tag.
struct TagCurrency {
    let page: PrintedPage
    /// Those of lines that are not read.
    let scripts: [PrintScript]

    func value() -> ReadValue? { printed() ?? byScript() }

    private func printed() -> ReadValue? {
        for row in page.rows {
            let text = row.text
            for index in text.indices where text[index] == "円" || text[index] == "¥" || text[index] == "￥" {
                return ReadValue(value: "JPY", confidence: 0.9, box: row.box(index..<(index + 1)))
            }
            for figure in row.figures {
                guard let code = Hundredths(behind: figure, in: text)?.currency else { continue }
                return ReadValue(value: code, confidence: 0.9, box: row.box(figure.range))
            }
            for figure in row.figures where figure.isMarked {
                if let code = figure.currency {
                    return ReadValue(value: code, confidence: 0.95, box: row.box(figure.range))
                }
            }
        }
        // "kr" is the krone of three countries; the words of the tag decide.
        for row in page.rows {
            let words = Folding.words(of: row.string)
            guard words.contains("kr") || row.figures.contains(where: { $0.isMarked && $0.currency == nil }) else {
                continue
            }
            let all = page.rows.map { $0.string.lowercased() }.joined(separator: " ")
            let code =
                all.contains("jmf") || all.contains("å") && all.contains("ä")
                ? "SEK" : all.contains("ltr") || all.contains("udsalg") ? "DKK" : "NOK"
            return ReadValue(value: code, confidence: code == "NOK" ? 0.8 : 0.75, box: row.box())
        }
        return nil
    }

    /// The currency of a script that is not read: by the form of the prices or a misread sign.
    private func byScript() -> ReadValue? {
        for row in page.rows {
            for word in Folding.tokens(of: row.text) where word.text == "vnd" {
                return ReadValue(value: "VND", confidence: 0.9, box: row.box(word.range))
            }
            guard scripts.contains(.cyrillic) else { continue }
            // "РУБ" reads as Latin letters.
            for word in Folding.tokens(of: row.text) where ["py6", "pyb", "py5", "pys"].contains(word.text) {
                return ReadValue(value: "RUB", confidence: 0.9, box: row.box(word.range))
            }
        }
        let figures = page.rows.flatMap(\.figures)
        // Yen have no decimals.
        if scripts.contains(.japanese),
            figures.contains(where: { $0.decimals == 0 && (2...4).contains($0.wholeDigits) }),
            !figures.contains(where: { $0.decimals == 2 })
        {
            return ReadValue(value: "JPY", confidence: 0.85, box: nil)
        }
        return nil
    }
}
