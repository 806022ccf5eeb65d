import Core
import Foundation

/// What a phrase on a price tag means. Of two meanings for one phrase the first counts.
enum TagMeaning: String, CaseIterable, Hashable, Sendable {
    case unitPrice, was, promotion, deposit, notProduct, kg, l
    case per100g = "100g"
    case per100ml = "100ml"
    case piece
}

/// The one meaning of `brands.json`.
enum BrandMeaning: String, CaseIterable, Hashable, Sendable { case brand }

/// Interprets a page as one price tag.
struct TagReader: Sendable {
    let phrases: Phrases<TagMeaning>
    let brands: Phrases<BrandMeaning>
    let weights: FittedWeights

    private static let least = 0.5
    /// A name needs more: other print of a shelf looks like one.
    private static let leastProduct = 0.9
    /// The price needs more: its decimals are often raised digits without a point.
    private static let leastPrice = 0.72

    /// - Parameter scripts: those of lines that are not read.
    func tag(from page: PrintedPage, barcodes: [BarcodeReading], scripts: [PrintScript]) -> PriceTag {
        var tag = PriceTag()
        let hits = page.rows.map { phrases.hits(in: $0.squashed) }
        tag.gtin = gtin(page, barcodes)
        tag.currency = TagCurrency(page: page, scripts: scripts).value()
        let weight = weight(page, hits)
        var prices = TagNumbers.prices(page, hits, currency: tag.currency?.value)
        let unit = chooseUnitPrice(&prices, page, weight, isForeign: !scripts.isEmpty)
        choosePrice(&tag, prices, unit, weight, page)
        if let unit {
            let one = prices[unit.index]
            tag.unitPrice = ReadValue(
                value: one.value.text(decimals: one.decimals), confidence: unit.probability,
                box: page.rows[one.row].box(one.range))
            tag.unit =
                one.unit.map {
                    ReadValue(value: $0, confidence: 0.97 * unit.probability, box: page.rows[one.row].box())
                }
                ?? self.unit(page, hits, row: one.row, unit.probability)
                ?? provedUnit(tag, weight, unit.probability)
        }
        setProduct(&tag, page, hits, prices, isForeign: !scripts.isEmpty)
        tag.brand = brand(page)
        return tag
    }

    // MARK: Numbers

    private func gtin(_ page: PrintedPage, _ barcodes: [BarcodeReading]) -> ReadValue? {
        if let code = barcodes.first(where: { $0.gtin != nil }) {
            return ReadValue(value: code.text, confidence: min(0.99, code.confidence), box: Quad(around: code.corners))
        }
        for row in page.rows {
            for (range, digits) in TagNumbers.longNumbers(row.text) {
                guard digits.count == 13 || digits.count == 12 || digits.count == 8, GTIN(digits) != nil else {
                    continue
                }
                let confidence = row.confidence(range)
                return ReadValue(
                    value: digits, confidence: digits.count == 8 ? 0.6 : 0.9 + 0.08 * confidence, box: row.box(range))
            }
        }
        return nil
    }

    /// The unit of the content, where price, unit price and content prove each other.
    private func provedUnit(
        _ tag: PriceTag, _ weight: (amount: FixedDecimal, unit: String)?, _ probability: Double
    ) -> ReadValue? {
        guard let weight, tag.checks.contains(ArithmeticCheck(check: "unitPrice", holds: true)) else { return nil }
        return ReadValue(value: weight.unit, confidence: 0.97 * probability, box: nil)
    }

    /// The first known brand, as printed.
    private func brand(_ page: PrintedPage) -> ReadValue? {
        for row in page.rows {
            guard let hit = brands.hits(in: row.squashed).first else { continue }
            return ReadValue(
                value: row.string(hit.range), confidence: 0.5 + 0.45 * row.confidence(hit.range),
                box: row.box(hit.range))
        }
        return nil
    }

    /// The content of the pack in kilograms or litres: `400G`, `0,5 L`, `6 x 250 ml`.
    private func weight(_ page: PrintedPage, _ hits: [[Phrases<TagMeaning>.Hit]]) -> (
        amount: FixedDecimal, unit: String
    )? {
        for (index, row) in page.rows.enumerated() where !hits[index].contains(where: { $0.meaning == .unitPrice }) {
            for figure in row.figures.reversed() where figure.value > .zero && !figure.isGlued {
                guard let unit = AmountUnit(printed: figure.unit), unit.isMetric else { continue }
                let scale = FixedDecimal(unit.baseUnits / 1000)
                // "44.90 KG" is a price with its unit.
                if ["kg", "l"].contains(figure.unit), figure.decimals == 2,
                    figure.height > 1.2 * page.height || figure.value > FixedDecimal(20)
                {
                    continue
                }
                guard let amount = figure.value.times(scale), amount.parts >= 10, amount < FixedDecimal(50) else {
                    continue
                }
                return (amount, unit.dimension == .mass ? "kg" : "l")
            }
        }
        return nil
    }

    // MARK: Choices

    /// The price per unit: marked by words, or proved by price and weight.
    private func chooseUnitPrice(
        _ prices: inout [TagPrice], _ page: PrintedPage, _ weight: (amount: FixedDecimal, unit: String)?,
        isForeign: Bool
    ) -> (index: Int, probability: Double)? {
        let tallest = prices.map(\.height).max() ?? 1
        var candidates: [(Int, Features)] = []
        for index in prices.indices
        where !prices[index].isRaised && prices[index].decimals > 0 || prices[index].isUnitPrice
            || isProvedRaised(prices[index], index, prices, weight)
        {
            let one = prices[index]
            // Decimals read apart are those of the price itself.
            if one.isJoined { continue }
            if one.isRaised, one.isUnitPrice,
                prices.contains(where: { $0.row == one.row && $0.isUnitPrice && !$0.isRaised })
            {
                continue
            }
            var features = Features()
            features.set("named", one.isUnitPrice)
            features.set("proved", weight.map { proves(one.value, $0.amount, prices, but: index) } ?? false)
            features.set("twoDecimals", one.decimals == 2)
            features["low"] = 1 - one.height / tallest
            features.set("another", prices.contains { $0.range != one.range && ($0.isRaised || $0.decimals == 2) })
            features["reading"] = one.confidence
            // A price without a card or before an offer is little higher than the price.
            let main = prices.filter { $0.height == tallest && $0.range != one.range }
            features.set(
                "close", main.contains { Self.former.contains(one.value.approximate / max(0.01, $0.value.approximate)) }
            )
            // The only price of a tag is the price, and words that are not read may name anything.
            guard one.isUnitPrice || features["another"] == 1 && (!isForeign || features["proved"] == 1) else {
                continue
            }
            candidates.append((index, features))
        }
        guard
            let best = weights.best(
                "tag.unitPrice", of: candidates.map(\.1), notes: candidates.map { prices[$0.0].value.text() })
        else { return nil }
        let probability = weights.calibrated(
            "tag.unitPrice",
            weights.probability(
                "tag.unitPrice.confidence", candidates[best.index].1,
                note: prices[candidates[best.index].0].value.text()))
        guard probability >= Self.least else { return nil }
        prices[candidates[best.index].0].isUnitPrice = true
        return (candidates[best.index].0, probability)
    }

    /// True for raised decimals of a unit price that price and content prove: "3990" above "15057".
    private func isProvedRaised(
        _ one: TagPrice, _ index: Int, _ prices: [TagPrice], _ weight: (amount: FixedDecimal, unit: String)?
    ) -> Bool {
        guard one.isRaised, let weight, prices.contains(where: { $0.height > one.height }) else { return false }
        return proves(one.value, weight.amount, prices, but: index)
    }

    /// Ratios of a former price to the price.
    private static let former = 0.95...1.7

    /// True if some price divided by the weight is the unit price, within one per cent.
    private func proves(_ unit: FixedDecimal, _ weight: FixedDecimal, _ prices: [TagPrice], but own: Int) -> Bool {
        guard let product = unit.times(weight) else { return false }
        return prices.indices.contains { other in
            other != own && prices[other].range != prices[own].range
                && (prices[other].value - product).magnitude.parts * 100 <= max(100, product.parts)
        }
    }

    private func choosePrice(
        _ tag: inout PriceTag, _ prices: [TagPrice], _ unit: (index: Int, probability: Double)?,
        _ weight: (amount: FixedDecimal, unit: String)?, _ page: PrintedPage
    ) {
        let tallest = prices.map(\.height).max() ?? 1
        let unitRange = unit.map { (prices[$0.index].row, prices[$0.index].range) }
        var candidates: [(Int, Features)] = []
        for index in prices.indices {
            let one = prices[index]
            if let unitRange, unitRange.0 == one.row, unitRange.1 == one.range { continue }
            var features = Features()
            let product = unit.flatMap { unit in weight.flatMap { prices[unit.index].value.times($0.amount) } }
            let holds = product.map { ($0 - one.value).magnitude.parts * 100 <= max(150, $0.parts * 3 / 2) } ?? false
            features.set("proved", holds)
            features.set("refuted", product != nil && !holds)
            features["tall"] = one.height / tallest - 1
            features.set("raised", one.isRaised)
            features.set("joined", one.isJoined)
            features.set("raisedRound", one.isRaised && one.value.parts % 1000 == 0)
            features.set("raisedMarked", one.isRaised && one.isMarked)
            features.set("twoDecimals", one.decimals == 2 && !one.isRaised)
            features.set("whole", one.decimals == 0)
            features.set("marked", one.isMarked)
            features.set("unit", one.isUnitPrice)
            features.set("was", one.isWas)
            features["low"] = page.rows.count > 1 ? Double(one.row) / Double(page.rows.count - 1) : 0
            // A unit price of goods below a kilogram is higher than the price.
            if let unit {
                let ratio = prices[unit.index].value.approximate / max(0.0001, one.value.approximate)
                features.set("plausible", ratio > 0.15 && ratio < 60)
            }
            features.set("longRow", page.rows[one.row].figures.count > 3)
            features["reading"] = one.confidence
            candidates.append((index, features))
        }
        guard
            let best = weights.best(
                "tag.price", of: candidates.map(\.1), notes: candidates.map { prices[$0.0].value.text() })
        else { return }
        let one = prices[candidates[best.index].0]
        var evidence = Features()
        evidence["logit"] = ReceiptReader.logit(best.probability)
        evidence["reading"] = one.confidence
        evidence["proved"] = candidates[best.index].1["proved"]
        let probability = weights.calibrated(
            "tag.price", weights.probability("tag.price.confidence", evidence, note: one.value.text()))
        guard probability >= Self.leastPrice else { return }
        tag.price = ReadValue(
            value: one.value.text(decimals: one.decimals), confidence: probability,
            box: page.rows[one.row].box(one.range))
        if weight != nil, unit != nil {
            tag.checks.append(ArithmeticCheck(check: "unitPrice", holds: candidates[best.index].1["proved"] == 1))
        }
        if let was = prices.first(where: { $0.isWas && $0.value > one.value }) {
            tag.wasPrice = ReadValue(
                value: was.value.text(decimals: was.decimals), confidence: 0.7 * was.confidence,
                box: page.rows[was.row].box(was.range))
        }
    }

    private func unit(
        _ page: PrintedPage, _ hits: [[Phrases<TagMeaning>.Hit]], row: Int, _ probability: Double
    ) -> ReadValue? {
        let units: [TagMeaning] = [.per100ml, .per100g, .kg, .l, .piece]
        for index in [row, row - 1, row + 1] where page.rows.indices.contains(index) {
            let near = hits[index].first { hit in
                units.contains(hit.meaning) && (hit.meaning != .piece || index == row)
                    && !TagNumbers.followsDigit(hit.range.lowerBound, page.rows[index].text)
            }
            if let hit = near {
                return ReadValue(
                    value: hit.meaning.rawValue, confidence: 0.9 * probability, box: page.rows[index].box(hit.range))
            }
            if let hit = hits[index].first(where: { $0.meaning == .unitPrice }) {
                let words = Folding.words(of: page.rows[index].string(hit.range))
                let joined = words.joined()
                let unit =
                    joined.contains("100ml")
                    ? "100ml"
                    : joined.contains("100g")
                        ? "100g"
                        : joined.hasSuffix("kg") || joined.contains("kilo")
                            ? "kg"
                            : joined.hasSuffix("l") || joined.contains("lit") || joined.contains("ltr")
                                ? "l"
                                : joined.contains("stk") || joined.contains("unit") || joined.contains("szt")
                                    ? "piece" : nil
                if let unit {
                    return ReadValue(value: unit, confidence: 0.95 * probability, box: page.rows[index].box(hit.range))
                }
            }
        }
        return nil
    }

    /// Words of a name; more are a sentence.
    private static let mostWords = 6

    /// The name: the first rows with words that are neither prices nor notes.
    private func setProduct(
        _ tag: inout PriceTag, _ page: PrintedPage, _ hits: [[Phrases<TagMeaning>.Hit]], _ prices: [TagPrice],
        isForeign: Bool
    ) {
        let tallest = prices.max { $0.height < $1.height }?.row
        var candidates: [(row: Int, range: Range<Int>, features: Features)] = []
        for (index, row) in page.rows.enumerated() {
            for cell in row.cells where cell.count >= 3 {
                // Without prices at its end.
                var range = cell
                if let price = prices.first(where: { $0.row == index && cell.overlaps($0.range) }) {
                    range = cell.lowerBound..<max(cell.lowerBound, price.range.lowerBound)
                }
                let text = row.text[range.clamped(to: 0..<row.text.count)]
                let letters = text.count(where: Letters.isLetter)
                guard letters >= 3, Letters.longestRun(text) >= 3 else { continue }
                var features = Features()
                let words = row.words.enumerated().filter { row.wordIndices(range).contains($0.offset) }.map(\.element)
                let height = words.map(\.height).max() ?? 1
                features["tall"] = height / max(1, page.height) - 1
                features["letters"] = min(24, Double(letters)) / 10
                features["place"] = Double(candidates.count)
                features.set("first", candidates.isEmpty)
                features.set(
                    "note",
                    hits[index].contains { [.notProduct, .unitPrice, .promotion, .deposit].contains($0.meaning) })
                features.set("cut", range != cell)
                features.set("foreign", isForeign)
                features.set("sentence", Folding.tokens(of: row.text, in: range).count > Self.mostWords)
                features["away"] = tallest.map { min(10, Double(abs($0 - index))) / 10 } ?? 0
                features["digits"] = Double(text.count(where: Letters.isDigit)) / Double(max(1, text.count))
                features["reading"] = row.confidence(range)
                features.set(
                    "company",
                    Folding.words(of: row.string(range)).contains { ["as", "ab", "gmbh", "ltd", "sa"].contains($0) })
                features.set(
                    "weight",
                    row.figures.contains {
                        range.overlaps($0.range) && AmountUnit(printed: $0.unit)?.isContent == true
                    })
                candidates.append((index, range, features))
            }
        }
        guard
            let best = weights.best(
                "tag.product", of: candidates.map(\.features),
                notes: candidates.map { page.rows[$0.row].string($0.range) })
        else { return }
        let one = candidates[best.index]
        var evidence = Features()
        evidence["logit"] = ReceiptReader.logit(best.probability)
        evidence["reading"] = one.features["reading"]
        evidence["foreign"] = one.features["foreign"]
        let probability = weights.calibrated(
            "tag.product",
            weights.probability("tag.product.confidence", evidence, note: page.rows[one.row].string(one.range)))
        guard probability >= Self.leastProduct else { return }
        let row = page.rows[one.row]
        tag.product = ReadValue(
            value: row.string(one.range).trimmingCharacters(in: .whitespaces), confidence: probability,
            box: row.box(one.range))
        for (index, row) in page.rows.enumerated() {
            if let hit = hits[index].first(where: { $0.meaning == .promotion }), index != one.row {
                tag.promotion = ReadValue(
                    value: row.string, confidence: 0.8 * row.confidence(hit.range), box: row.box())
                break
            }
        }
    }
}

extension Quad {
    fileprivate init?(around corners: [Point]) {
        self.init(around: corners.map { Quad(x: $0.x, y: $0.y, width: 0, height: 0) })
    }
}
