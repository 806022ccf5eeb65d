import Core

/// Texts that hold nothing but codes of allergens, and their dishes.
extension DishAssembler {
    /// The largest distance of codes from what is on their left, and of their middle lines, in heights of that.
    private static let (reachOfCodes, riseOfCodes) = (12.0, 0.9)

    /// Assigns texts of codes without a price on their left to the dish directly before them, else to the one above.
    mutating func takeCodes() {
        for index in codeTexts() where priceBeside(index) == nil {
            if let dish = hostOfCodes(index).flatMap({ dishOf[$0] }) { take(index, dish) }
        }
    }

    /// Assigns texts of codes behind a price to the price's dish: in print with a slope their row is not that of the name.
    ///
    /// - Parameters:
    ///   - hosts: the text of each lone price.
    ///   - bound: the dishes of the other lone prices.
    mutating func takeCodes(behind hosts: [Int?], _ bound: [Int: Int]) {
        let areAllBound = bound.count == hosts.count { $0 == nil }
        let isOneEach = areAllBound && dishes.allSatisfy(\.hasPrice)
        for index in codeTexts() {
            guard let price = priceBeside(index), let dish = hosts[price].map({ dishOf[$0] }) ?? bound[price] else {
                continue
            }
            take(index, dish)
            let isOfRow = hosts[price].map { page.isRow($0, price: price) } ?? false
            // A column that lies one row lower fits each row but one.
            if !isOneEach, !areAllBound || !isOfRow { dishes[dish].areCodesSure = false }
        }
    }

    private func codeTexts() -> [Int] {
        page.texts.indices.filter { index in
            let text = page.texts[index]
            return dishOf[index] == nil && [.legend, .other, .note].contains(roles[index]) && text.tokens.count > 1
                && (TextTraits.areCodes(text.tokens) || page.codes.isList(text))
        }
    }

    private mutating func take(_ index: Int, _ dish: Int) {
        dishOf[index] = dish
        if page.codes.led(by: page.texts[index]).isEmpty {
            dishes[dish].description.append(index)
            merged[index] = dish
        } else {
            dishes[dish].codes.append(index)
        }
    }

    /// The nearest lone price on the left of codes; nil for "1.TOM", which may be the next column, cut off.
    private func priceBeside(_ index: Int) -> Int? {
        guard page.codes.isList(page.texts[index]) else { return nil }
        let codes = page.texts[index].segment
        let far = { (price: Int) in abs(page.slope.rise(page.prices[price].segment, codes)) }
        return page.prices.indices.filter { isBeside(page.prices[$0].segment, codes) }.min { far($0) < far($1) }
    }

    /// The nearest text of a dish on the left of codes, which are often raised.
    private func nameBeside(_ index: Int) -> Int? {
        page.texts.indices.filter { other in
            dishOf[other] != nil && roles[other] == .dish
                && isBeside(page.texts[other].segment, page.texts[index].segment)
        }.max { page.texts[$0].segment.right < page.texts[$1].segment.right }
    }

    private func isBeside(_ left: TextSegment, _ codes: TextSegment) -> Bool {
        left.right < codes.left + 0.5 * left.height && codes.left - left.right < Self.reachOfCodes * left.height
            && abs(page.slope.rise(left, codes)) < Self.riseOfCodes * left.height
    }

    private func hostOfCodes(_ index: Int) -> Int? {
        let text = page.texts[index]
        if page.codes.isList(text), let beside = nameBeside(index) { return beside }
        if let left = text.left, text.segment.left - page.texts[left].segment.right < page.texts[left].segment.height {
            return left
        }
        return text.up.flatMap { page.rise($0, index) < 2.5 * page.texts[$0].segment.height ? $0 : nil }
    }
}
