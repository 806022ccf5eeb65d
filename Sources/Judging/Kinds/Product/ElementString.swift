import Core

/// GS1 element strings: application identifiers and their values. GS1-128, DataBar Expanded and GS1 QR codes carry
/// them (GS1 General Specifications, section 3).
struct ElementString {
    private(set) var elements = GS1Elements()

    /// Terminates a value of variable length (FNC1 within a symbol).
    private static let separator: Character = "\u{1D}"

    /// Nil unless the whole text is an element string. A partial match proves nothing.
    init?(_ text: String) {
        // Printed text and some decoders put brackets around identifiers.
        let text = text.hasPrefix("(") ? Self.unbracketed(text) : text
        var rest = text.drop { $0 == Self.separator }[...]
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            guard let identifier = ApplicationIdentifier(in: rest) else {
                // The first two digits or a separator determine the length of an unknown value, so the rest can be
                // parsed.
                guard let length = ApplicationIdentifier.lengthOfUnknown(in: rest) else { return nil }
                rest = rest.dropFirst(length)
                if rest.first == Self.separator { rest = rest.dropFirst() }
                continue
            }
            rest = rest.dropFirst(identifier.digits.count)
            let value: Substring
            if let length = identifier.fixedLength {
                guard rest.count >= length else { return nil }
                value = rest.prefix(length)
            } else {
                value = rest.prefix { $0 != Self.separator }
                guard !value.isEmpty, value.count <= identifier.longest else { return nil }
            }
            guard elements.add(String(value), as: identifier) else { return nil }
            rest = rest.dropFirst(value.count)
            if rest.first == Self.separator { rest = rest.dropFirst() }
        }
        guard elements.gtin != nil || !elements.facts.isEmpty else { return nil }
    }

    private static func unbracketed(_ text: String) -> String {
        text.split(separator: "(").map { $0.replacing(")", with: "", maxReplacements: 1) }
            .joined(separator: String(separator))
    }
}

/// A supported application identifier with the length of its value.
struct ApplicationIdentifier {
    let digits: String
    /// Nil for values that end at a separator.
    let fixedLength: Int?
    let longest: Int
    /// Number of decimal places; nil for identifiers without them.
    let decimals: Int?

    /// The first two digits, or the first three of a four-digit identifier → fixed length, or maximum length.
    private static let table: [String: (fixed: Int?, longest: Int)] = [
        "00": (18, 18), "01": (14, 14), "02": (14, 14), "10": (nil, 20), "11": (6, 6), "12": (6, 6), "13": (6, 6),
        "15": (6, 6), "16": (6, 6), "17": (6, 6), "20": (2, 2), "21": (nil, 20), "22": (nil, 20), "37": (nil, 8),
        "30": (nil, 8),
    ]

    /// The first two digits of identifiers with a predefined length, identifier included, and no separator after them
    /// (GS1 General Specifications, figure 7.8.5-2).
    private static let predefined: [String: Int] = [
        "00": 20, "01": 16, "02": 16, "03": 16, "04": 18, "11": 8, "12": 8, "13": 8, "14": 8, "15": 8, "16": 8, "17": 8,
        "18": 8, "19": 8, "20": 4, "31": 10, "32": 10, "33": 10, "34": 10, "35": 10, "36": 10, "41": 16,
    ]
    /// Maximum length of an element string, identifier included.
    private static let longestOfAll = 94

    /// Length in characters of an element string with an unknown identifier; nil if the text cannot be one.
    static func lengthOfUnknown(in text: Substring) -> Int? {
        let beginning = String(text.prefix(2))
        guard beginning.count == 2, beginning.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        if let length = predefined[beginning] { return text.count >= length ? length : nil }
        let length = text.prefix { $0 != "\u{1D}" }.count
        return (3...longestOfAll).contains(length) ? length : nil
    }

    /// Nil for an identifier that is not in the table.
    init?(in text: Substring) {
        if let (fixed, longest) = Self.table[String(text.prefix(2))] {
            (digits, fixedLength, self.longest, decimals) = (String(text.prefix(2)), fixed, longest, nil)
            return
        }
        let four = text.prefix(4)
        guard four.count == 4, let place = four.last?.wholeNumberValue else { return nil }
        switch four.prefix(3) {
        case "310", "320": (fixedLength, longest, decimals) = (6, 6, place)
        case "392": (fixedLength, longest, decimals) = (nil, 15, place)
        case "393": (fixedLength, longest, decimals) = (nil, 18, place)
        case "820" where place == 0: (fixedLength, longest, decimals) = (nil, 70, nil)
        default: return nil
        }
        digits = String(four)
    }

    /// Parses a query key of a web address, which contains the identifier only.
    init?(key: some StringProtocol) {
        guard let identifier = ApplicationIdentifier(in: Substring(key)), identifier.digits == key else { return nil }
        self = identifier
    }
}

/// The decoded content of element strings and Digital Links.
struct GS1Elements {
    private(set) var gtin: GTIN?
    private(set) var facts = PackFacts()

    /// False if the identifier does not allow the value.
    mutating func add(_ value: String, as identifier: ApplicationIdentifier) -> Bool {
        switch identifier.digits {
        case "01", "02":
            guard let number = GTIN(value), value.count == 14 else { return false }
            gtin = gtin ?? number
        case "10": facts.lot = value
        case "21": facts.serial = value
        case "8200": facts.url = value
        case "11", "13", "15", "17", "12", "16":
            guard let day = Self.day(value) else { return false }
            switch identifier.digits {
            case "11": facts.produced = day
            case "13": facts.packed = day
            case "15": facts.bestBefore = day
            case "17": facts.expires = day
            default: break
            }
        default:
            guard let decimals = identifier.decimals else { return true }
            return addFigure(value, as: identifier, decimals: decimals)
        }
        return true
    }

    /// Adds a number from another source, such as an older link format.
    mutating func name(_ number: GTIN) { gtin = gtin ?? number }

    private mutating func addFigure(_ value: String, as identifier: ApplicationIdentifier, decimals: Int) -> Bool {
        let kind = identifier.digits.prefix(3)
        let currency = kind == "393" ? String(value.prefix(3)) : nil
        let digits = kind == "393" ? String(value.dropFirst(3)) : value
        guard !digits.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }), digits.count > decimals || decimals <= 6
        else { return false }
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        let whole = padded.dropLast(decimals).drop { $0 == "0" }
        let text = (whole.isEmpty ? "0" : String(whole)) + (decimals > 0 ? "." + padded.suffix(decimals) : "")
        switch kind {
        case "310": facts.kilograms = Double(text)
        case "320": facts.kilograms = Double(text).map { $0 * 0.453_592_37 }
        default: facts.price = PackFacts.Price(amount: text, currency: currency)
        }
        return true
    }

    /// The reference year for two-digit years. The window of GS1 slides with the current date. This window moves with
    /// the program version, so that a photo gives the same outcome on every day.
    private static let windowYear = 2026

    /// Converts `YYMMDD` to `yyyy-MM-dd`. Day 00 means the last day of the month. The year lies between 49 years
    /// before and 50 years after ``windowYear`` (GS1 General Specifications, section 7.12).
    private static func day(_ text: String) -> String? {
        let figures = stride(from: 0, to: 6, by: 2).compactMap { Int(text.dropFirst($0).prefix(2)) }
        guard text.count == 6, figures.count == 3, text.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        let century = windowYear / 100 * 100
        let ahead = figures[0] - windowYear % 100
        let year = century + figures[0] + (ahead >= 51 ? -100 : ahead <= -50 ? 100 : 0)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let days = figures[2] == 0 ? [31, 30, 29, 28] : [figures[2]]
        return days.lazy.map { "\(year)-\(two(figures[1]))-\(two($0))" }.first { Day($0) != nil }
    }
}
