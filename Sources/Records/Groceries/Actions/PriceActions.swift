import Core
import Foods

extension GroceryActions {
    // MARK: Prices

    /// Records a price that a person saw; an unusual one waits.
    ///
    /// - Parameters:
    ///   - product: nil for the one with this number.
    ///   - date: nil for today.
    package func record(
        _ money: Money, of product: Int64?, gtin: String? = nil, at place: Int64, per: PriceUnit? = nil,
        isDiscounted: Bool? = nil,
        on date: Day? = nil, by person: String
    ) throws -> RecordedPrice {
        try groceries.record(
            NewPrice(
                product: try product ?? self.product(of: NewProduct(gtin: gtin), by: person).id, place: place,
                price: money, per: per ?? .piece, isDiscounted: isDiscounted ?? false,
                date: date ?? today, contributor: person))
    }

    /// Accepts or rejects a waiting price.
    ///
    /// - Parameters:
    ///   - name: of a new product, which the price is of.
    ///   - shop: a shop whose name is typed.
    /// - Returns: nil for a rejected price.
    package func decide(
        _ review: Int64, _ answer: ReviewAnswer, product name: String? = nil, at shop: NewPlace? = nil,
        by person: String
    ) throws -> RecordedPrice? {
        var answer = answer
        if let shop { answer.place = try place(typed: shop, by: person).id }
        if let name, answer.product == nil { answer.product = try product(of: NewProduct(name: name), by: person).id }
        return try groceries.decide(review, answer, by: person)
    }

    // MARK: Photos

    package func outcome(ofPhoto id: String) throws -> Outcome {
        guard let outcome = try groceries.store.outcome(forContent: id) else { throw GroceryProblem.noPhoto(id) }
        return outcome
    }

    /// Records the prices of a receipt or a price tag that was read.
    ///
    /// - Parameters:
    ///   - place: where the photo was taken; nil finds it by the receipt.
    ///   - date: the day of a tag.
    package func recordPrices(
        ofPhoto id: String, place: Int64?, date: Day?, by person: String
    ) throws -> DocumentReport {
        try groceries.record(try outcome(ofPhoto: id), place: place, date: date, by: person)
    }

    /// The receipt of a photo as people check it.
    ///
    /// - Parameter apart: the first lines of products whose equal lines are not merged.
    package func receipt(ofPhoto id: String, apart: Set<Int> = [], for person: String) throws -> ReceiptReading {
        try receipt(try outcome(ofPhoto: id), apart: apart, for: person)
    }

    /// A waiting line whose print names no product offers those that its words mean on a list: in another language, as a
    /// sort, or misspelt.
    package func receipt(_ outcome: Outcome, apart: Set<Int> = [], for person: String) throws -> ReceiptReading {
        var reading = try groceries.receipt(outcome, for: person, apart: apart)
        for index in reading.lines.indices where reading.lines[index].state == .waiting {
            let line = reading.lines[index]
            guard line.product == nil, line.candidates.isEmpty else { continue }
            reading.lines[index].candidates = try preparedNames().products(meantBy: line.printed, limit: 3)
        }
        return reading
    }

    /// Accepts the waiting prices of a receipt, with corrections.
    package func accept(receipt id: String, _ answer: ReceiptAnswer, by person: String) throws -> ReceiptReport {
        try groceries.accept(try outcome(ofPhoto: id), answer, by: person)
    }

    /// Completes the entries of the person's lists whose products are on a receipt.
    ///
    /// - Returns: how many entries were completed.
    package func tickOff(receipt id: String, by person: String) throws -> Int {
        let entries = Set(try receipt(ofPhoto: id, for: person).lines.compactMap(\.entry))
        for entry in entries.sorted() {
            _ = try groceries.change(entry, EntryChange(isCompleted: true), by: person)
        }
        return entries.count
    }

    // MARK: Cards

    /// The product of the only barcode of a photo, of its only price tag, or of its label; nil if the photo shows none.
    ///
    /// - Returns: with the name that the catalogue, the tag or the label gives, and the stored product, nil for a new one.
    package func product(on outcome: Outcome) throws -> (shown: NewProduct, known: GroceryProduct?)? {
        guard let product = Self.product(on: outcome).map(completed) else { return nil }
        if let gtin = product.gtin.flatMap({ GTIN(typed: $0) }) { return (product, try groceries.product(gtin)) }
        let known = try product.name.flatMap { name in
            try groceries.products(matching: name, limit: 20).first { $0.gtin == nil && $0.name == name }
        }
        return (product, known)
    }

    private static func product(on outcome: Outcome) -> NewProduct? {
        let numbers = Set((outcome.products ?? []).compactMap { GTIN($0.gtin) })
        if numbers.count == 1, let number = numbers.first {
            return NewProduct(gtin: number.digits, name: outcome.priceTag?.product?.value)
        }
        guard numbers.isEmpty, (outcome.priceTags?.count ?? 1) == 1 else { return nil }
        guard let tag = outcome.priceTag else { return outcome.label.map { _ in NewProduct(name: outcome.title) } }
        if let gtin = tag.gtin.flatMap({ GTIN($0.value) }) {
            return NewProduct(gtin: gtin.digits, name: tag.product?.value, brand: tag.brand?.value)
        }
        return tag.product.map { NewProduct(name: $0.value, brand: tag.brand?.value) }
    }
}
