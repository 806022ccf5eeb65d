import Core

/// A class of numbers that identify no product worldwide. They are never looked up.
///
/// By GS1's list of prefixes. 952, for demonstrations, is not restricted here.
enum RestrictedPrefix: String {
    /// 02, 20–29, and GTIN-8 that start with 0 or 2: in-store numbers with a price or weight.
    case inStore
    /// 04: internal numbers of a company.
    case company
    /// 977.
    case issn
    /// 978 and 979.
    case isbn
    /// 99 and 981–984, and 980 for refund receipts.
    case coupon

    /// Nil for a number that may identify a product.
    init?(_ gtin: GTIN) {
        if gtin.normalised.count == 8 {
            guard gtin.normalised.hasPrefix("0") || gtin.normalised.hasPrefix("2") else { return nil }
            self = .inStore
            return
        }
        // The first of the 14 digits is the packaging level; the prefix follows it.
        let number = gtin.digits.dropFirst()
        switch (number.prefix(2), number.prefix(3)) {
        case ("02", _), ("20"..."29", _): self = .inStore
        case ("04", _): self = .company
        case (_, "977"): self = .issn
        case (_, "978"), (_, "979"): self = .isbn
        case ("99", _), (_, "980"..."984"): self = .coupon
        default: return nil
        }
    }
}
