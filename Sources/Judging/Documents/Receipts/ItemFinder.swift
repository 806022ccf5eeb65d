import Core

/// Finds the items between the head of a receipt and its total.
struct ItemFinder {
    let receipt: ReceiptPage
    struct Item {
        var name: String
        var nameBox: Quad?
        var nameConfidence: Double
        var quantity: (figure: Figure, row: Int)?
        var unitPrice: (figure: Figure, row: Int)?
        /// True if the quantity is printed before the name.
        var isCountFirst = false
        var amount: Figure
        var row: Int
        var features = Features()
    }

    private static let closing: Set<ReceiptMeaning> = [
        .grandTotal, .subtotal, .total, .cash, .change, .card, .rounding,
    ]
    private static let skipped: Set<ReceiptMeaning> = [.tax, .contact, .service]

    func items() -> [Item] {
        let rows = receipt.rows
        let end = receipt.firstTotal
        guard let column = amountColumn(end) else { return [] }
        var items: [Item] = []
        var pending: [Int] = []
        var index = firstRow(end, column)
        let isNamedBelow = isNamedBelow(from: index, end, column)
        let isUnitInFront = isUnitInFront(end)
        let isNamedAbove = isNamedAbove(from: index, end, column)
        while index < end {
            let row = rows[index]
            defer { index += 1 }
            if row.has(Self.closing) || row.has(Self.skipped), !hasItemName(row) {
                pending = []
                continue
            }
            // A note on a price that is reduced already, and a time of day behind a date.
            // The price of "MILK 2 2.2016 4.40" is no year.
            if let last = row.last, isReduction(row) || row.dates.contains(where: \.isExplicit) && !isProved(row, last)
            {
                pending = []
                continue
            }
            if isMultiplication(row) != nil,
                row.last.map({ !isInColumn($0, column) }) ?? true || explains(row, items.last)
            {
                // "7 x 0,35" below or above the item that it explains.
                attach(row, index, to: &items, pending: &pending)
                continue
            }
            if isPriceNote(row), row.last.map({ !isInColumn($0, column) }) ?? true { continue }
            guard let amount = row.last, !amount.isGlued, isInColumn(amount, column) || isProved(row, amount) else {
                if row.printed.letters >= 3, row.dates.isEmpty, !isPriceNote(row),
                    !row.has(.header) || row.hits.count < 2
                {
                    // A row of units, "kg  EUR/kg", names nothing.
                    if letterCount(row, 0..<row.printed.text.count) >= 3 { pending.append(index) }
                } else {
                    pending = []
                }
                continue
            }
            let parts = parts(of: row, before: amount)
            var name = nameRange(of: row, before: parts.multiplied ?? amount, behind: parts.front)
            if isUnitInFront, parts.front != nil, isOneWord(row, name) { name = name.lowerBound..<name.lowerBound }
            var nameRow = index
            let isNumbered = isNamedAbove && pending.last == index - 1 && startsWithArticle(row)
            if isNumbered || row.isWeighing
                || letterCount(row, name) < (pending.isEmpty && isShortName(row, name) ? 2 : 3)
            {
                if amount.value < .zero, pending.isEmpty, row.hits.isEmpty {
                    // A discount without a name counts in the sum.
                    items.append(
                        Item(
                            name: row.printed.string(amount.range), nameBox: row.printed.box(amount.range),
                            nameConfidence: row.printed.confidence(amount.range), amount: amount, row: index))
                    continue
                }
                // The name is in the row above: code or quantity and price below it.
                guard let above = isNamedBelow ? below(index, end) : pending.last, abs(index - above) <= 2 else {
                    // A multiplication of the item above has its own amount: "2 x 1.50  3.00".
                    if parts.quantity != nil, var last = items.popLast() {
                        if last.amount.value == amount.value {
                            (last.quantity, last.unitPrice) = (
                                parts.quantity.map { ($0, index) }, parts.unitPrice.map { ($0, index) }
                            )
                        }
                        items.append(last)
                    }
                    pending = []
                    continue
                }
                nameRow = above
                name = nameRange(of: rows[above], before: nil)
            }
            let printed = rows[nameRow].printed
            var item = Item(
                name: clean(printed.string(name)), nameBox: printed.box(name), nameConfidence: printed.confidence(name),
                quantity: parts.quantity.map { ($0, index) }, unitPrice: parts.unitPrice.map { ($0, index) },
                isCountFirst: parts.front != nil, amount: amount, row: index)
            if let above = pending.last, nameRow == index, let product = isMultiplication(rows[above]),
                product.value == amount.value
            {
                item.quantity = (product.quantity, above)
                item.unitPrice = (product.price, above)
            }
            pending = []
            if !item.name.isEmpty { items.append(item) }
        }
        separateCounts(&items)
        removeCodes(&items)
        describe(&items)
        return items
    }

    // MARK: Rows

    /// The right edge of the column of amounts, and its tolerance.
    private func amountColumn(_ end: Int) -> (right: Double, slack: Double)? {
        let rows = receipt.rows
        let edges = rows.indices.filter { $0 < end || rows[$0].has([.total, .grandTotal]) }.compactMap {
            rows[$0].last?.right
        }
        guard
            let best = edges.max(by: { one, other in
                let near = { (edge: Double) in edges.count { abs($0 - edge) < 2 * receipt.page.height } }
                return (near(one), one) < (near(other), other)
            })
        else { return nil }
        return (best, max(3 * receipt.page.height, 0.09 * receipt.page.width))
    }

    func isInColumn(_ figure: Figure, _ column: (right: Double, slack: Double)) -> Bool {
        abs(figure.right - column.right) < column.slack
    }

    /// The next row if it holds a name and no amount.
    private func below(_ index: Int, _ end: Int) -> Int? {
        guard index + 1 < end, receipt.rows[index + 1].amounts.isEmpty, receipt.rows[index + 1].printed.letters >= 3
        else { return nil }
        return index + 1
    }

    /// True if the first item prints its name below its amount.
    private func isNamedBelow(from start: Int, _ end: Int, _ column: (right: Double, slack: Double)) -> Bool {
        guard start < end, let amount = receipt.rows[start].last, isInColumn(amount, column) else { return false }
        let row = receipt.rows[start]
        return letterCount(row, nameRange(of: row, before: amount)) < 3 && below(start, end) != nil
    }

    /// The first row after the head: behind the column titles, or with the first amount.
    private func firstRow(_ end: Int, _ column: (right: Double, slack: Double)) -> Int {
        let rows = receipt.rows
        let heading = rows.indices.prefix(end).last {
            rows[$0].amounts.isEmpty && rows[$0].hits.count { [.header, .count].contains($0.meaning) } >= 2
        }
        let first =
            rows.indices.prefix(end).first { row in
                rows[row].last.map { isInColumn($0, column) || isProved(rows[row], $0) } ?? false
            } ?? end
        if let heading, heading < first { return heading + 1 }
        // A name may stand one or two rows above the first amount.
        let above = (1...2).map { first - $0 }.filter { $0 >= 0 }.prefix { row in
            let one = rows[row]
            guard one.printed.letters >= 3, one.dates.isEmpty else { return false }
            // "0,162 kg x 1,15 EUR/kg" may stand above its name too.
            return isMultiplication(one) != nil
                || !one.has([.address, .contact, .document, .header, .date, .count, .legal]) && !one.hasTime
        }
        return above.last ?? first
    }

    /// A name with enough letters beside its closing words: "CASH & CARRY BAG".
    private func hasItemName(_ row: ReceiptRow) -> Bool {
        guard !row.has([.grandTotal, .subtotal, .total, .tax]) else { return false }
        let closing = row.hits.filter { Self.closing.contains($0.meaning) || Self.skipped.contains($0.meaning) }
            .reduce(0) { $0 + row.printed.text[$1.range].count(where: Letters.isLetter) }
        // Change is given behind the total alone: its word in another language may be part of a name.
        return row.printed.letters - closing >= (row.has(.change) ? 8 : 6)
    }

    /// True for a row of one word and one amount, such as "Ei  0,35": the names of goods have two letters at least.
    private func isShortName(_ row: ReceiptRow, _ name: Range<Int>) -> Bool {
        row.hits.isEmpty && row.printed.figures.count == 1
            && Folding.tokens(of: row.printed.text, in: name.clamped(to: 0..<row.printed.text.count)).count == 1
    }

    /// Number of letters of a name, without units, currencies and codes of one letter.
    func letterCount(_ row: ReceiptRow, _ range: Range<Int>) -> Int {
        let words = Folding.tokens(of: row.printed.text, in: range.clamped(to: 0..<row.printed.text.count))
        let named = words.filter { word in
            !word.isNumber && !AmountUnit.counts(word.text) && !Self.nameless.contains(word.text)
                && word.range.count > 1
                && row.printed.text[word.range].count(where: Letters.isLetter) * 2 >= word.range.count
        }
        return named.reduce(0) { $0 + row.printed.text[$1.range].count(where: Letters.isLetter) }
    }

    /// Folded words that name no goods, beside those of units.
    private static let nameless: Set<String> = [
        "eur", "euro", "rm", "no", "zrl", "sr", "zr", "qty", "per", "je", "ct", "set", "pkt", "btl", "usd", "cad",
        "einzelpreis", "einzel", "preis", "ft", "kc", "kr", "czk", "huf", "gbp", "chf", "pln",
    ]

    /// The words of a row before its quantity and prices, without an article number or a quantity in front.
    func nameRange(
        of row: ReceiptRow, before amount: Figure?, behind front: Figure? = nil
    ) -> Range<Int> {
        let text = row.printed.text
        var end = amount?.range.lowerBound ?? text.count
        let figures = row.printed.figures.filter { $0.range.upperBound <= end }
        for figure in figures.reversed() {
            let between = text[figure.range.upperBound..<end]
            guard between.count(where: Letters.isLetter) <= 2, !figure.isGlued,
                figure.isMoney || isQuantity(figure) || figure.isPercent
            else {
                break
            }
            // "82 %", "48+" and the size of the pack belong to the name: "0,2 L", "1KG", "12ct". A weight has three decimals.
            let isAdded = figure.wholeDigits == 2 && text[figure.range.upperBound..<end].first == "+"
            let isSize = figure.isUnitGlued || AmountUnit(printed: figure.unit).map { $0 != .kilogram } == true
            let isPack = isSize && figure.unit != "x" && figure.decimals < 3 && AmountUnit.isAmount("1" + figure.unit)
            // A percentage in a cell of its own is the rate of the tax.
            let isShare = figure.isPercent && !row.printed.cells.contains(figure.range)
            if isShare || isAdded || isPack { break }
            end = figure.range.lowerBound
        }
        var start = 0
        // A number of an article or a position in front.
        for (number, figure) in row.printed.figures.enumerated()
        where figure.range.lowerBound <= start + 1 && figure.range.upperBound < end {
            let next = number + 1 < row.printed.figures.count ? row.printed.figures[number + 1] : nil
            let isPosition =
                next.map { Self.isArticle($0) && $0.range.lowerBound <= figure.range.upperBound + 2 } ?? false
            guard figure.decimals == 0, figure.unit.isEmpty || !figure.isUnitGlued,
                Self.isArticle(figure) || isPosition || figure.wholeDigits <= 3 && figure.unit.count > 1
            else { break }
            start = figure.range.upperBound
            while start < end, !Letters.isLetter(text[start]), !Letters.isDigit(text[start]) { start += 1 }
        }
        guard let front else { return start..<max(start, end) }
        return Self.trimmed(max(start, front.range.upperBound)..<max(start, end), of: text)
    }

    private func isQuantity(_ figure: Figure) -> Bool {
        figure.unit == "x" || figure.unit == "kg" || figure.unit == "stk" || figure.decimals == 3
            || figure.decimals == 0 && figure.wholeDigits <= 3 && figure.unit.isEmpty
            || figure.decimals == 2 || figure.isMarked
    }

    private func clean(_ name: String) -> String {
        var name = name
        while let last = name.last, " -*.:,;=_@#~|¥€£$".contains(last) { name.removeLast() }
        while let first = name.first, " -*.:,;=_@#~|".contains(first) { name.removeFirst() }
        // An article number in front.
        let digits = name.prefix { $0.isASCII && $0.isNumber }
        if digits.count >= 5 {
            let rest = name.dropFirst(digits.count).drop { $0 == " " }
            if rest.count(where: \.isLetter) >= 3 { name = String(rest) }
        }
        return name
    }

    // MARK: Quantities

    /// Quantity and unit price before an amount.
    struct Parts {
        var quantity: Figure?
        var unitPrice: Figure?
        /// The first of both behind the name, if their product is the amount.
        var multiplied: Figure?
        /// The quantity before the name: "2 x Latte  4.50  9.00".
        var front: Figure?
    }

    /// True for an amount that is the product of two numbers behind a name: a long row can end right of the column.
    private func isProved(_ row: ReceiptRow, _ amount: Figure) -> Bool {
        parts(of: row, before: amount).multiplied.map { letterCount(row, 0..<$0.range.lowerBound) >= 3 } ?? false
    }

    /// Some countries print prices without tax, to the hundredth of a cent: "SAUCE  1  0.9035  0.90".
    private static let unitDecimals = 4

    /// Quantity and unit price before the amount whose product is the amount.
    func parts(of row: ReceiptRow, before amount: Figure) -> Parts {
        let figures = row.figures.filter {
            $0.range.upperBound <= amount.range.lowerBound && $0.value > .zero && $0.wholeDigits <= 6 && !$0.isPercent
        }
        // In "£17.99 1 £17.99" the currency of the amount is beside the quantity too.
        let prices = figures.reversed().filter {
            $0.decimals == 2 || $0.decimals == Self.unitDecimals || $0.isMarked || receipt.isWhole
        }
        for price in prices.filter({ $0.decimals == 2 }) + prices.filter({ $0.decimals != 2 }) {
            for quantity in figures.reversed() where quantity.range != price.range {
                if isProduct(quantity.value, price.value, amount.value),
                    quantity.value != FixedDecimal(1) || price.value == amount.value
                        || price.decimals == Self.unitDecimals
                {
                    let isFirst = quantity.range.lowerBound < price.range.lowerBound
                    let isFront =
                        isFirst && letterCount(row, 0..<quantity.range.lowerBound) == 0
                        && letterCount(row, quantity.range.upperBound..<price.range.lowerBound) >= 3
                    return Parts(
                        quantity: quantity, unitPrice: price, multiplied: isFirst && !isFront ? quantity : price,
                        front: isFront ? quantity : nil)
                }
            }
        }
        // "1.000 STK  20.99": one piece, so the amount is its price.
        if let one = figures.last(where: { AmountUnit.pieces.contains($0.unit) && $0.value == FixedDecimal(1) }) {
            return Parts(quantity: one, unitPrice: amount)
        }
        return Parts()
    }

    /// True if quantity × price is the amount, rounded to the cent in any way.
    private func isProduct(_ quantity: FixedDecimal, _ price: FixedDecimal, _ amount: FixedDecimal) -> Bool {
        guard let product = quantity.times(price) else { return false }
        return (product - amount.magnitude).magnitude < receipt.step
    }

    /// `7 x 0,35`, `0,158 kg x 1,19`: two numbers joined by a multiplication sign, and their product in cents.
    private func isMultiplication(_ row: ReceiptRow) -> (quantity: Figure, price: Figure, value: FixedDecimal)? {
        let figures = row.figures.filter { !$0.isPercent && $0.value > .zero }
        for (one, other) in zip(figures, figures.dropFirst()) {
            let between = row.printed.text[one.range.upperBound..<max(one.range.upperBound, other.range.lowerBound)]
            let isBare =
                row.printed.letters == 0 && figures.count == 2 && other.decimals == 2 && one.decimals == 0
                && one.wholeDigits <= 2
            // "0,798 kg 8,45 €/kg"
            let isWeighed =
                AmountUnit(printed: one.unit) != nil && row.printed.text[other.range.upperBound...].contains("/")
            guard isBare || isWeighed || between.contains(where: { "xX×*@".unicodeScalars.contains($0) }),
                between.count(where: Letters.isLetter) <= 6,
                row.printed.text[..<one.range.lowerBound].count(where: Letters.isLetter) < 3
            else { continue }
            let isPriceFirst = one.decimals == 2 && (other.decimals == 3 || other.decimals == 0)
            let (quantity, price) = isPriceFirst ? (other, one) : (one, other)
            guard let product = quantity.value.times(price.value) else { continue }
            let step = receipt.step.parts
            return (quantity, price, FixedDecimal(parts: (product.parts + step / 2) / step * step))
        }
        return nil
    }

    /// True for "0,162 kg x 1,15 EUR/kg" below the item whose amount it makes, wherever it stands.
    private func explains(_ row: ReceiptRow, _ item: Item?) -> Bool {
        guard let item, item.quantity == nil, let product = isMultiplication(row),
            product.price.range == row.last?.range
        else { return false }
        return (item.amount.value - product.value).magnitude <= receipt.step
    }

    private func attach(_ row: ReceiptRow, _ index: Int, to items: inout [Item], pending: inout [Int]) {
        guard let product = isMultiplication(row) else { return }
        if let last = items.indices.last, items[last].quantity == nil,
            (items[last].amount.value - product.value).magnitude <= receipt.step, items[last].row >= index - 2
        {
            items[last].quantity = (product.quantity, index)
            items[last].unitPrice = (product.price, index)
            pending = []
        } else {
            pending.append(index)
        }
    }

    // MARK: Confidence

    private func describe(_ items: inout [Item]) {
        for index in items.indices {
            var features = Features()
            let item = items[index]
            features["reading"] = min(item.amount.confidence, 1)
            features["nameReading"] = item.nameConfidence
            features.set("product", item.quantity != nil)
            features.set("corrected", item.amount.isCorrected)
            features.set("shortName", item.name.count < 5)
            features.set("twoDecimals", item.amount.decimals == receipt.decimals)
            items[index].features = features
        }
    }
}
