import Core
import Foundation

/// A price that a document states, before it is matched to a product.
package struct ReadPrice: Sendable, Hashable, Codable {
    /// The product's name as printed; nil if none was read.
    package var printed: String?
    package var gtin: String?
    /// Digits with a point.
    package var amount: String
    /// Nil if it was not read surely enough: a dollar sign alone names no country.
    package var currency: String?
    package var per: PriceUnit
    package var isDiscounted: Bool
    /// Probability 0…1 that name, amount and unit are what is printed.
    package var confidence: Double
    /// The same of this line alone, whether or not the receipt's sum fits.
    package var clarity: Double
    /// The line of the receipt, from 0.
    package var line: Int
}

/// A document's prices with what they have in common.
package struct ReadPrices: Sendable, Hashable {
    package var proof: PriceProof
    package var merchant: String?
    package var address: String?
    /// `yyyy-MM-dd`; nil if it was not read surely enough.
    package var date: String?
    /// ISO 4217; nil if it was not read surely enough.
    package var currency: String?
    package var prices: [ReadPrice]
    /// Lines without a price: deposits, returns and discounts.
    package var skipped: Int

    /// True if nothing of the document can be used or checked: no line was read.
    package var isUnread: Bool { prices.isEmpty && skipped == 0 }

    /// The prices of a receipt. Deposits, returns and discounts, which are not above 0, are no prices.
    package init(_ receipt: Receipt, rules: GroceryRules) {
        proof = .receipt
        merchant = receipt.merchant?.value
        address = receipt.address?.value
        date = Self.sure(receipt.date, rules)
        currency = Self.sure(receipt.currency, rules)
        prices = []
        skipped = 0
        // A sum that does not fit means that a line is misread.
        let isChecked = receipt.checks.first { $0.check == "itemsMakeTotal" }?.holds
        for (index, item) in receipt.items.enumerated() {
            let isMeasured = item.unitPrice != nil && item.quantity != nil
            var value = (isMeasured ? item.unitPrice : item.amount) ?? item.amount
            guard let unit = Self.unit(item.quantity), Self.isPrice(value.value), !rules.isDeposit(item.name.value)
            else {
                skipped += 1
                continue
            }
            // What a weight costs is no price of a kilogram.
            if !isMeasured, unit != .piece { value.value = Self.unitPrice(of: item) ?? value.value }
            var confidence = min(item.name.confidence, value.confidence, item.quantity?.confidence ?? 1)
            // A quantity without its unit price leaves open what one piece costs; a weight may be in pounds.
            let isOpen = item.quantity != nil && item.unitPrice == nil && item.quantity?.value != "1"
            if isOpen || (item.quantity?.unit == nil && unit != .piece) || Self.isRefuted(item) {
                confidence = min(confidence, rules.names.confidence - 0.01)
            }
            let clarity = confidence
            if isChecked == false { confidence = min(confidence, rules.names.confidence - 0.01) }
            prices.append(
                ReadPrice(
                    printed: item.name.value, gtin: nil, amount: value.value, currency: currency,
                    per: unit, isDiscounted: false, confidence: confidence, clarity: clarity, line: index))
        }
    }

    /// The price of a tag, without date and place: the photo states neither.
    package init(_ tag: PriceTag, rules: GroceryRules) {
        proof = .priceTag
        currency = Self.sure(tag.currency, rules)
        prices = []
        skipped = 0
        guard let price = tag.price, Self.isPrice(price.value) else { return }
        var confidence = min(price.confidence, tag.gtin?.confidence ?? tag.product?.confidence ?? 0)
        // A price that the unit price and the weight refute waits for a person.
        if tag.checks.contains(where: { !$0.holds }) { confidence = min(confidence, rules.names.confidence - 0.01) }
        prices = [
            ReadPrice(
                printed: [tag.brand?.value, tag.product?.value].compactMap { $0 }.joined(separator: " "),
                gtin: tag.gtin?.value, amount: price.value, currency: currency, per: .piece,
                isDiscounted: tag.wasPrice != nil || tag.promotion != nil,
                confidence: confidence, clarity: confidence, line: 0)
        ]
    }

    private static func sure(_ value: ReadValue?, _ rules: GroceryRules) -> String? {
        guard let value, value.confidence >= rules.names.confidence, value.alternatives?.isEmpty ?? true else {
            return nil
        }
        return value.value
    }

    private static func figure(_ value: ReadValue?) -> Decimal? {
        value.flatMap { Decimal(digits: $0.value) }
    }

    /// The amount for one unit of the quantity, in cents; nil without both.
    private static func unitPrice(of item: Receipt.Item) -> String? {
        guard let quantity = figure(item.quantity), quantity > 0, let amount = figure(item.amount) else { return nil }
        return "\((amount / quantity).rounded(places: 2))"
    }

    /// True if the quantity times its price is not the amount, to the rounding of a till.
    private static func isRefuted(_ item: Receipt.Item) -> Bool {
        guard let quantity = figure(item.quantity), let price = figure(item.unitPrice), let amount = figure(item.amount)
        else { return false }
        return abs(quantity * price - amount) > Decimal(2) / 100
    }

    private static func isPrice(_ text: String) -> Bool {
        Money(price: text, currency: .euro) != nil
    }

    /// The unit of a quantity; nil for a unit that prices are not given in. A quantity with decimals and no unit is a weight.
    private static func unit(_ quantity: ReadValue?) -> PriceUnit? {
        guard let unit = quantity?.unit, !AmountUnit.pieces.contains(unit.lowercased()) else {
            return isWhole(quantity) ? .piece : .kilogram
        }
        return switch AmountUnit(printed: unit) {
        case .kilogram: .kilogram
        case .litre: .litre
        default: nil
        }
    }

    private static func isWhole(_ quantity: ReadValue?) -> Bool {
        guard let quantity else { return true }
        let parts = quantity.value.split(separator: ".", maxSplits: 1)
        return parts.count < 2 || parts[1].allSatisfy { $0 == "0" }
    }
}
