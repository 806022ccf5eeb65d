/// A class of numbers that identify no product worldwide. They are never looked up.
///
/// By GS1's list of prefixes. 952, for demonstrations, is not restricted here.
public enum RestrictedPrefix: String, Sendable {
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
    public init?(_ gtin: GTIN) {
        guard gtin.number >= 100_000_000 else {
            guard [0, 2].contains(gtin.number / 10_000_000) else { return nil }
            self = .inStore
            return
        }
        // The first of the 14 digits is the packaging level; the prefix follows it.
        let thirteen = gtin.number % 10_000_000_000_000
        switch (thirteen / 100_000_000_000, thirteen / 10_000_000_000) {
        case (2, _), (20...29, _): self = .inStore
        case (4, _): self = .company
        case (_, 977): self = .issn
        case (_, 978...979): self = .isbn
        case (99, _), (_, 980...984): self = .coupon
        default: return nil
        }
    }
}
