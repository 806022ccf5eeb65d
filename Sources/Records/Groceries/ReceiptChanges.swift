import Foods
import Core
import Foundation

package struct AcceptedPrice: Sendable, Hashable, Codable {
    /// Digits with a point.
    package var amount: String
    package var currency: String
    package var per: PriceUnit
    package var place: Int64
    package var date: Day
}

extension ReceiptReading {
    /// Shop, day and currency of the prices that were accepted replace those of the print: a person may have chosen them.
    mutating func takeOver(_ accepted: [AcceptedPrice]) {
        guard let first = accepted.first else { return }
        if accepted.allSatisfy({ $0.place == first.place }) { place = first.place }
        if accepted.allSatisfy({ $0.date == first.date }) {
            isPhotoDate = isPhotoDate && date == first.date
            isDateSure = true
            date = first.date
        }
        if accepted.allSatisfy({ $0.currency == first.currency }) {
            isCurrencyPrinted = isCurrencyPrinted && currency == first.currency
            currency = first.currency
        }
    }

    /// The lines whose accepted price an answer changes, and those that it makes products again, by first line.
    ///
    /// - Parameter place: the shop that the answer names; nil for none.
    package func changes(_ answer: ReceiptAnswer, at place: Int64?) -> Set<Int> {
        let corrections = Dictionary((answer.corrections ?? []).map { ($0.line, $0) }) { first, _ in first }
        let changed = lines.filter { line in
            guard answer.includes(line) else { return false }
            let correction = corrections[line.line] ?? ReceiptCorrection(line: line.line)
            if line.state == .rejected { return correction.isProduct == true }
            guard let accepted = line.accepted else { return false }
            let price = correction.price.flatMap(Self.parts)
            return correction.isProduct == false
                || correction.product != nil && correction.product != line.product
                || correction.name ?? line.name != line.name || correction.per ?? accepted.per != accepted.per
                || price != nil && price != Self.parts(accepted.amount)
                || answer.currency ?? accepted.currency != accepted.currency
                || answer.date ?? accepted.date != accepted.date || place ?? accepted.place != accepted.place
        }
        return Set(changed.map(\.line))
    }
}

extension ReceiptLine {
    /// Shows the accepted price in place of the read one. What was paid stays for a weight, whose amount follows.
    mutating func show(_ price: AcceptedPrice) {
        accepted = price
        guard price.amount != self.price || price.per != per, let parts = ReceiptReading.parts(price.amount), parts > 0
        else { return }
        (self.price, per) = (price.amount, price.per)
        if per == .piece {
            guard let count = Decimal(digits: count), let one = Decimal(digits: price.amount) else { return }
            let paid = (count * one).rounded(places: 2) * 10_000
            amount = Money(parts: NSDecimalNumber(decimal: paid).int64Value, currency: .euro).digits
        } else if let paid = ReceiptReading.parts(amount) {
            count = "\((Decimal(paid) / Decimal(parts)).rounded(places: 3))"
        }
    }
}
