/// Currency signs and names on menus.
enum CurrencyMark {
    private struct Mark: Sendable {
        var text: [Unicode.Scalar]
        var code: String?
        /// OCR often reads `R$` as `RS`, which counts only before a number.
        var isBeforeOnly = false
        /// A name must end at a word boundary: `kr` does not match in `kräftig`.
        var isName: Bool { text.last.map(Letters.isLetter) ?? false }

        init(_ text: String, _ code: String?, isBeforeOnly: Bool = false) {
            self.text = Array(text.unicodeScalars)
            self.code = code
            self.isBeforeOnly = isBeforeOnly
        }
    }

    // Longest first: "R$" before "$".
    private static let marks: [Mark] = [
        Mark("US$", "USD"), Mark("HK$", "HKD"), Mark("NT$", "TWD"), Mark("A$", "AUD"), Mark("C$", "CAD"),
        Mark("S/.", "PEN"), Mark("S/", "PEN"), Mark("R$", "BRL"), Mark("RS", "BRL", isBeforeOnly: true),
        Mark("RM", "MYR"), Mark("Rs.", "INR"), Mark("Rs", "INR"), Mark("Rp.", "IDR"), Mark("Rp", "IDR"),
        Mark("Euro", "EUR"), Mark("EURO", "EUR"), Mark("euro", "EUR"), Mark("EUR", "EUR"), Mark("USD", "USD"),
        Mark("GBP", "GBP"), Mark("CHF", "CHF"), Mark("SFr.", "CHF"),
        Mark("Fr.", "CHF"), Mark("VND", "VND"), Mark("VNĐ", "VND"), Mark("PHP", "PHP"), Mark("SEK", "SEK"),
        Mark("NOK", "NOK"), Mark("DKK", "DKK"), Mark("AUD", "AUD"), Mark("CAD", "CAD"), Mark("TRY", "TRY"),
        Mark("Kč", "CZK"), Mark("Kc", "CZK"), Mark("CZK", "CZK"), Mark("kr.", nil), Mark("kr", nil),
        Mark("zł", "PLN"), Mark("zl", "PLN"), Mark("PLN", "PLN"), Mark("Ft", "HUF"), Mark("HUF", "HUF"),
        Mark("lei", "RON"), Mark("TL", "TRY"), Mark("€", "EUR"), Mark("$", "USD"), Mark("£", "GBP"),
        Mark("¥", "JPY"), Mark("₫", "VND"), Mark("₺", "TRY"), Mark("₹", "INR"), Mark("฿", "THB"), Mark("₩", "KRW"),
        Mark("₪", "ILS"), Mark("₱", "PHP"), Mark("₽", "RUB"), Mark("đ", "VND"),
    ]

    /// Marks by first scalar, longest first.
    private static let byFirst: [Unicode.Scalar: [Mark]] = Dictionary(grouping: marks) { $0.text[0] }

    /// True if the character before a number is an `S` that was probably misread for `$`: "S4.25".
    static func isMisreadDollar(before place: Int, in text: [Unicode.Scalar]) -> Bool {
        guard place > 0, text[place - 1] == "S" || text[place - 1] == "s" else { return false }
        return place == 1 || !Letters.isWordPart(text[place - 2])
    }

    /// The mark that ends at `end`, with its start, or nil.
    static func before(_ end: Int, in text: [Unicode.Scalar]) -> (start: Int, code: String?)? {
        var best: (start: Int, code: String?)?
        for length in 1...4 where end >= length {
            let start = end - length
            guard let candidates = byFirst[text[start]] else { continue }
            for mark in candidates where mark.text.count == length && mark.text != ["đ"] {
                let isAlone = !mark.isName || start == 0 || !Letters.isWordPart(text[start - 1])
                let isSign = mark.isName || start == 0 || !Letters.isWordPart(text[start - 1])
                guard isAlone, isSign, text[start..<end].elementsEqual(mark.text) else { continue }
                best = (start, mark.code)
            }
        }
        return best
    }

    /// The mark that starts at `start`, with its end, or nil.
    static func after(_ start: Int, in text: [Unicode.Scalar]) -> (end: Int, code: String?)? {
        guard start < text.count, let candidates = byFirst[text[start]] else { return nil }
        for mark in candidates where !mark.isBeforeOnly && start + mark.text.count <= text.count {
            let end = start + mark.text.count
            guard text[start..<end].elementsEqual(mark.text) else { continue }
            if end < text.count, Letters.isLetter(text[end]) { continue }
            return (end, mark.code)
        }
        return nil
    }
}
