import Foundation
import Core

/// Why a row was rejected. Rows are counted by reason, and the first of each is shown.
package enum RejectionReason: String, Sendable, Codable, CaseIterable {
    /// Not a complete JSON object.
    case malformed
    case noCode
    /// A spreadsheet rounded the number, as in `6.51511E+11`; the digits are lost.
    case spreadsheetCode
    case wrongLength
    case wrongCheckDigit
    /// A number for in-store use, a company, an ISSN, an ISBN or a coupon.
    case restrictedPrefix
    case noName

    init(_ failure: GTIN.Failure) {
        self =
            switch failure {
            case .wrongLength: .wrongLength
            case .spreadsheetCode: .spreadsheetCode
            case .wrongCheckDigit: .wrongCheckDigit
            }
    }
}

struct RecordReading {
    let format: ImportFormat
    /// Of a table; nil for JSON, whose numbers have points.
    let numbers: NumberFormat?

    enum Verdict {
        case product(CatalogueProduct)
        case rejected(RejectionReason)
    }

    func verdict(on texts: ImportTexts) -> Verdict {
        guard let code = texts[.code], !code.isEmpty else { return .rejected(.noCode) }
        let gtin: GTIN
        do { gtin = try GTIN(ofAnyLength: code) } catch { return .rejected(RejectionReason(error)) }
        guard RestrictedPrefix(gtin) == nil else { return .rejected(.restrictedPrefix) }
        guard let name = clean(texts[.name]) ?? clean(texts[.fallbackName]) else { return .rejected(.noName) }
        return .product(product(gtin.number, name, texts))
    }

    private func product(_ number: Int64, _ name: String, _ texts: ImportTexts) -> CatalogueProduct {
        var nutrients = Per100()
        nutrients.protein = figure(texts[.protein], below: 100)
        nutrients.carbohydrate = figure(texts[.carbs], below: 100)
        nutrients.fat = figure(texts[.fat], below: 100)
        nutrients.saturatedFat = figure(texts[.saturated], below: 100)
        nutrients.sugars = figure(texts[.sugars], below: 100)
        nutrients.fibre = figure(texts[.fiber], below: 100)
        nutrients.salt = figure(texts[.salt], below: 100)
        nutrients.energyKcal =
            EnergyFigures(
                kilocalories: figure(texts[.calories], below: 10_000),
                kilojoules: figure(texts[.energy], below: 40_000), protein: nutrients.protein,
                carbs: nutrients.carbohydrate,
                fat: nutrients.fat
            ).believed
        // Open Food Facts marks records that the producer maintains with `org-…`; brand owners declare USDA's.
        let isProducers = format.isProducers || texts[.owner]?.hasPrefix("org-") == true
        let grams = figure(texts[.servingGrams], below: 100_000)
        let isMass = texts[.servingUnit].map { ["g", "ml", "grm", "mlt"].contains($0.lowercased()) } ?? true
        return CatalogueProduct(
            number: number, name: name,
            brand: clean(texts[.brand]) ?? (format.isProducers ? clean(texts[.owner]) : nil),
            quantity: clean(texts[.quantity]), language: clean(texts[.language]) ?? (format.isProducers ? "en" : nil),
            ingredients: clean(texts[.ingredients], keepsLines: true), allergens: clean(texts[.allergens]),
            traces: clean(texts[.traces]),
            nutrients: nutrients, serving: clean(texts[.serving]), servingGrams: isMass ? grams : nil,
            trust: isProducers ? .producer : .crowd, modified: moment(texts[.modified]), source: format.source)
    }

    /// Maximum bytes of a text. The longest ingredient lists have about 10,000 bytes; longer texts slow down every
    /// reader.
    static let longestText = 65_536

    /// - Parameter keepsLines: true for a text that is judged: what a line end breaks is one word.
    private func clean(_ text: String?, keepsLines: Bool = false) -> String? {
        guard var text, !text.isEmpty else { return nil }
        if !keepsLines, text.utf8.contains(0x0A) { text = text.replacing("\n", with: " ") }
        if text.utf8.count > Self.longestText {
            text = String(decoding: text.utf8.prefix(Self.longestText), as: UTF8.self)
        }
        let bytes = text.utf8
        // Most texts need no trimming, and this check is cheaper than trimming.
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A }
        guard let first = bytes.first, let last = bytes.last, isBlank(first) || isBlank(last) else {
            return text == "#NAME?" ? nil : text
        }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return trimmed.isEmpty || trimmed == "#NAME?" ? nil : trimmed
    }

    /// Nil unless the text is a number from 0 to `limit`.
    private func figure(_ text: String?, below limit: Double) -> Double? {
        guard let text else { return nil }
        let isPlain = numbers?.decimalSign != "," && !text.contains(",")
        let number = isPlain ? Double(text) : numbers?.value(text).map { NSDecimalNumber(decimal: $0).doubleValue }
        guard let number, number >= 0, number <= limit else { return nil }
        return number
    }

    /// Seconds since 1970, from a number of seconds or a date `yyyy-MM-dd`.
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
