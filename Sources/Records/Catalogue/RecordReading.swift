import Foundation
import Core

/// Why a row did not become a product; each is counted, and the first of each shown.
public enum RejectionReason: String, Sendable, Codable, CaseIterable {
    /// No JSON object, or none to its end.
    case malformed
    case noCode
    /// `6.51511E+11`: a spreadsheet lost digits, which nothing brings back.
    case spreadsheetCode
    case wrongLength
    case wrongCheckDigit
    /// In-store, company, ISSN, ISBN, coupon: no product anywhere else.
    case restrictedPrefix
    case noName
}

/// Makes products of a source's texts.
struct RecordReading {
    let format: ImportFormat

    enum Verdict {
        case product(CatalogueProduct)
        case rejected(RejectionReason)
    }

    func verdict(on texts: ImportTexts) -> Verdict {
        guard let code = texts[.code], !code.isEmpty else { return .rejected(.noCode) }
        let number: Int64
        switch GTINNumber.read(code) {
        case .success(let read): number = read
        case .failure(let failure): return .rejected(failure.reason)
        }
        guard !GTINNumber.isRestricted(number) else { return .rejected(.restrictedPrefix) }
        guard let name = clean(texts[.name]) ?? clean(texts[.fallbackName]) else { return .rejected(.noName) }
        return .product(product(number, name, texts))
    }

    private func product(_ number: Int64, _ name: String, _ texts: ImportTexts) -> CatalogueProduct {
        var nutrients = CatalogueProduct.Nutrients()
        nutrients.calories =
            figure(texts[.calories], below: 10_000) ?? figure(texts[.energy], below: 40_000).map { $0 / 4.184 }
        nutrients.protein = figure(texts[.protein], below: 100)
        nutrients.carbs = figure(texts[.carbs], below: 100)
        nutrients.fat = figure(texts[.fat], below: 100)
        nutrients.saturated = figure(texts[.saturated], below: 100)
        nutrients.sugars = figure(texts[.sugars], below: 100)
        nutrients.fiber = figure(texts[.fiber], below: 100)
        nutrients.salt = figure(texts[.salt], below: 100)
        // Open Food Facts marks what the producer keeps itself with `org-…`; the brand's owner declares USDA's.
        let isProducers = format.isProducers || texts[.owner]?.hasPrefix("org-") == true
        let grams = figure(texts[.servingGrams], below: 100_000)
        let isMass = texts[.servingUnit].map { ["g", "ml", "grm", "mlt"].contains($0.lowercased()) } ?? true
        return CatalogueProduct(
            number: number, name: name,
            brand: clean(texts[.brand]) ?? (format.isProducers ? clean(texts[.owner]) : nil),
            quantity: clean(texts[.quantity]), language: clean(texts[.language]) ?? (format.isProducers ? "en" : nil),
            ingredients: clean(texts[.ingredients]), allergens: clean(texts[.allergens]), traces: clean(texts[.traces]),
            nutrients: nutrients, serving: clean(texts[.serving]), servingGrams: isMass ? grams : nil,
            trust: isProducers ? .producer : .crowd, modified: moment(texts[.modified]), source: format.source)
    }

    /// Bytes of a text that are kept. The longest lists of ingredients are some 10,000 bytes; everything that reads a record later
    /// pays for what it holds.
    static let longestText = 65_536

    private func clean(_ text: String?) -> String? {
        guard var text, !text.isEmpty else { return nil }
        if text.utf8.count > Self.longestText {
            text = String(decoding: text.utf8.prefix(Self.longestText), as: UTF8.self)
        }
        let bytes = text.utf8
        // Most texts have nothing to trim, and asking costs less than trimming.
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        guard let first = bytes.first, let last = bytes.last, isBlank(first) || isBlank(last) else {
            return text == "#NAME?" ? nil : text
        }
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        return trimmed.isEmpty || trimmed == "#NAME?" ? nil : trimmed
    }

    /// Nil for what is no number from 0 to `limit`, as a mistyped one is.
    private func figure(_ text: String?, below limit: Double) -> Double? {
        guard let text, let value = Double(text), value >= 0, value <= limit else { return nil }
        return value
    }

    /// Seconds since 1970, from such a number or from a day `yyyy-MM-dd`.
    private func moment(_ text: String?) -> Int64? {
        guard let text else { return nil }
        if let seconds = Int64(text) { return CatalogueProduct.moments.contains(seconds) ? seconds : nil }
        let parts = text.prefix(10).split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3 else { return nil }
        var components = DateComponents()
        (components.year, components.month, components.day) = (parts[0], parts[1], parts[2])
        components.timeZone = .gmt
        guard let date = Calendar(identifier: .gregorian).date(from: components),
            let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down))
        else { return nil }
        return CatalogueProduct.moments.contains(seconds) ? seconds : nil
    }
}

/// GTINs as numbers, for millions of rows; the same rules as `GTIN` and `RestrictedPrefix`.
enum GTINNumber {
    struct Failure: Error {
        var reason: RejectionReason
    }

    /// Zeros in front do not count: sources pad, and spreadsheets drop them.
    static func read(_ text: String) -> Result<Int64, Failure> {
        var (number, figures): (Int64, Int) = (0, 0)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if number > 0 || byte != UInt8(ascii: "0") { figures += 1 }
                guard figures <= 14 else { return .failure(Failure(reason: .wrongLength)) }
                number = number * 10 + Int64(byte - UInt8(ascii: "0"))
            case UInt8(ascii: " "), UInt8(ascii: "-"): continue
            case UInt8(ascii: "."), UInt8(ascii: "E"), UInt8(ascii: "e"), UInt8(ascii: "+"):
                return .failure(Failure(reason: .spreadsheetCode))
            default: return .failure(Failure(reason: .wrongLength))
            }
        }
        guard figures > 0 else { return .failure(Failure(reason: .wrongLength)) }
        guard hasRightCheckDigit(number) else { return .failure(Failure(reason: .wrongCheckDigit)) }
        return .success(number)
    }

    private static func hasRightCheckDigit(_ number: Int64) -> Bool {
        var (rest, sum, weight) = (number / 10, Int64(0), Int64(3))
        while rest > 0 {
            sum += rest % 10 * weight
            (rest, weight) = (rest / 10, 4 - weight)
        }
        return (10 - sum % 10) % 10 == number % 10
    }

    static func isRestricted(_ number: Int64) -> Bool {
        if number < 100_000_000 {
            let first = number / 10_000_000
            return first == 0 || first == 2
        }
        let thirteen = number % 10_000_000_000_000
        switch (thirteen / 100_000_000_000, thirteen / 10_000_000_000) {
        case (2, _), (4, _), (20...29, _), (99, _), (_, 977...984): return true
        default: return false
        }
    }
}
