import Core
import Foundation

/// What a page shows of receipts, price tags and packages, measured whether it is one or not. Each kind of page has its
/// own features; what they mean together is decided elsewhere.
extension DocumentReader {
    /// Totals, payments, dates and addresses.
    package func receiptEvidence(on document: DocumentPage) -> Features {
        var features = Features()
        let page = document.printed
        let rows = receiptPage(document)
        func has(_ meaning: ReceiptMeaning) -> Bool { rows.rows.contains { $0.has(meaning) } }
        func priced(_ meanings: Set<ReceiptMeaning>) -> Bool {
            rows.rows.indices.contains { rows.rows[$0].has(meanings) && rows.amount(of: $0) != nil }
        }
        let amounts = rows.rows.count { !$0.amounts.isEmpty }
        features.set("r.total", priced([.total, .grandTotal]))
        features.set("r.cash", priced([.cash, .card]))
        features.set("r.change", priced([.change]))
        features.set("r.tax", has(.tax))
        features.set("r.subtotal", priced([.subtotal]))
        features.set("r.dated", rows.rows.contains { row in row.dates.contains { $0.isExplicit || row.hasTime } })
        features.set("r.timed", rows.rows.contains(where: \.hasTime))
        features.set("r.document", has(.document))
        features.set("r.contact", has(.contact))
        features["r.amounts"] = min(1, Double(amounts) / 4)
        features["r.amountShare"] = Double(amounts) / Double(max(1, rows.rows.count))
        features.set("r.long", page.bottom - page.top > page.width)
        features.set("r.chain", rows.chain != nil)
        features.set("r.anyDate", rows.rows.contains { $0.dates.contains { !$0.isWeak } })
        let ending = rows.rows.indices.last { rows.rows[$0].has([.total, .grandTotal]) }
        features["r.totalDepth"] = ending.map { Double($0) / Double(max(1, rows.rows.count)) } ?? 0
        let receipt = receipt(from: document)
        features["r.foundTotal"] = receipt.total?.confidence ?? 0
        features["r.foundDate"] = receipt.date?.confidence ?? 0
        features["r.foundMerchant"] = receipt.merchant?.confidence ?? 0
        features["r.items"] = min(1, Double(receipt.items.count) / 4)
        features["r.explained"] = page.share(explainedBy: receipt.values.compactMap(\.value.box))
        features.set("r.proved", receipt.checks.contains(where: \.holds))
        let multiplied = receipt.items.count { item in item.unitPrice.map { $0.value != item.amount.value } ?? false }
        features["r.multiplied"] = min(1, Double(multiplied) / 2)
        features["r.endings"] = min(1, Double(Self.oddEndings(rows)) / 5)
        features["r.coded"] = Double(rows.rows.count(where: Self.endsInCode)) / Double(max(1, amounts))
        return features
    }

    /// The different cents of the amounts that menus hardly print: neither tens nor just below a whole or its quarters.
    private static func oddEndings(_ receipt: ReceiptPage) -> Int {
        let cents = receipt.rows.flatMap(\.amounts).filter { $0.decimals == 2 }.map { $0.value.parts / 100 % 100 }
        return Set(cents.filter { $0 % 10 != 0 && ![25, 75, 95, 99].contains($0) }).count
    }

    /// True for the code of a tax behind an amount: "4.99 F".
    private static func endsInCode(_ row: ReceiptRow) -> Bool {
        guard let last = row.last else { return false }
        return row.printed.text[last.range.upperBound...].count(where: Letters.isLetter) == 1
    }

    /// One large price, few words, a price per unit, a product code.
    /// - Parameter retailCodes: number of retail codes among the accepted barcodes.
    package func tagEvidence(on document: DocumentPage, retailCodes: Int) -> Features {
        var features = Features()
        let page = document.printed
        let words = page.rows.reduce(0) { $0 + $1.words.count }
        let figures = page.rows.flatMap(\.figures)
        let tallest = figures.filter { !$0.isPercent }.map(\.height).max() ?? 0
        let heights = page.rows.flatMap { $0.words.map(\.height) }.sorted()
        let usual = heights.median ?? 1
        let hits = page.rows.flatMap { tags.phrases.hits(in: $0.squashed).map(\.meaning) }
        features.set("t.unitPrice", hits.contains(.unitPrice))
        features["t.words"] = min(1, Double(Set(hits).count) / 3)
        features.set("t.few", words <= 14)
        features.set("t.many", words > 28)
        features.set("t.crowd", words > 60)
        features["t.tall"] = min(3, tallest / max(1, usual)) - 1
        features.set("t.decimals", figures.contains { $0.decimals == 2 })
        features.set(
            "t.raised",
            figures.contains {
                $0.decimals == 0 && (3...4).contains($0.wholeDigits) && $0.unit.isEmpty && $0.height > 1.2 * usual
            })
        features.set("t.code", retailCodes == 1 || figures.contains { $0.wholeDigits >= 8 && $0.decimals == 0 })
        features["t.amounts"] = Double(min(4, figures.count { $0.decimals == 2 })) / 4
        // These units alone, as the weights were trained.
        features.set("t.weight", figures.contains { ["g", "kg", "ml", "l", "cl"].contains($0.unit) })
        features.set("t.marked", figures.contains(where: \.isMarked))
        // "44 90": raised decimals, read as a number of their own.
        let isSplit = page.rows.contains { row in
            row.letters == 0 && row.figures.count == 2 && row.figures[0].isWholePrice && row.figures[1].isCents
                && row.figures[0].height >= usual
        }
        features.set("t.split", isSplit)
        features.set("t.priced", isSplit || ["t.decimals", "t.raised", "t.marked"].contains { features[$0] > 0 })
        // The price of a tag is the largest print of all.
        features["t.largest"] = min(4, tallest / max(1, heights.last ?? 1))
        features["t.height"] = min(3, max(0, log2(tallest / max(1, usual)))) / 3
        features.set("t.printedCode", figures.contains { (12...14).contains($0.wholeDigits) && $0.decimals == 0 })
        let tag = priceTag(from: document, barcodes: [])
        features["t.found"] = tag.price?.confidence ?? 0
        features["t.foundProduct"] = tag.product?.confidence ?? 0
        features["t.explained"] = page.share(explainedBy: tag.values.compactMap(\.value.box))
        features.set("t.currency", tag.currency != nil)
        features.set("t.proved", tag.checks.contains(where: \.holds))
        // Shops print the day next to a large price, or with a time of day.
        let dates = datesOfUse(document).dates
        features.set("t.dated", !dates.isEmpty && tallest > 1.8 * usual)
        features.set("t.timed", receiptPage(document).rows.contains { $0.hasTime && !$0.dates.isEmpty } && words <= 60)
        return features
    }

    /// What does not belong to one kind: how much print there is and how well it was read.
    package func pageEvidence(on document: DocumentPage, reading: TextReading, retailCodes: Int) -> Features {
        var features = Features()
        let page = document.printed
        let words = page.rows.flatMap(\.words)
        features.set("g.nothing", words.isEmpty)
        features["g.words"] = min(1, log2(1 + Double(words.count)) / 8)
        features["g.rows"] = min(1, log2(1 + Double(page.rows.count)) / 6)
        features["g.figures"] = Double(page.rows.reduce(0) { $0 + $1.figures.count }) / Double(max(1, words.count))
        let confidence = reading.lines.reduce(0) { $0 + $1.confidence }
        features["g.confidence"] = reading.lines.isEmpty ? 0 : confidence / Double(reading.lines.count)
        // Menus count their dishes.
        features["g.counted"] = min(1, Double(RisingNumbers.countedTexts(page.segments)) / 10)
        features.set("g.unreadScript", reading.unreadScripts?.isEmpty == false)
        features.set("g.retailCode", retailCodes > 0)
        let heights = words.map(\.height)
        // Print of one size is a page of text.
        if let least = heights.min(), let most = heights.max(), let usual = heights.median, least > 0 {
            features["g.sizes"] = min(1, log2(max(1, most / usual)) / 3)
        }
        return features
    }

    /// A nutrition table, dates of use, and their words where no value was read.
    package func packageEvidence(on document: DocumentPage) -> Features {
        var features = Features()
        let page = document.printed
        let table = table(document)
        let found = datesOfUse(document)
        let words = page.rows.reduce(0) { $0 + $1.words.count }
        features["p.nutrients"] = min(1, Double(table?.nutrients ?? 0) / 4)
        features.set("p.title", table?.hasTitle == true)
        features.set("p.date", !found.dates.isEmpty)
        features.set("p.markedDate", found.dates.contains { $0.confidence >= 0.75 })
        features["p.dateFound"] = found.dates.map(\.confidence).max() ?? 0
        features.set("p.datesNamed", found.haveWords)
        let boxes = (table?.nutrition.values.compactMap(\.value.box) ?? []) + found.dates.compactMap(\.box)
        features["p.explained"] = page.share(explainedBy: boxes)
        // The days of an offer or a menu, a letter's date.
        features.set("p.looseDate", !found.dates.isEmpty && !found.haveWords && words > 25)
        features.set("p.onlyDate", !found.dates.isEmpty && words <= 8)
        // Packages whose values were not read.
        features.set("p.dateWords", found.dates.isEmpty && dateReader.hasWords(page, words: words))
        features.set("p.tableWords", table == nil && nutrition.hasTitle(page))
        return features
    }
}

extension PrintedPage {
    /// Share of the letters and digits in rows that hold one of the boxes, 0…1: what an interpretation explains.
    fileprivate func share(explainedBy boxes: [Quad]) -> Double {
        let places = boxes.map { box in
            let corners = [box.topLeft, box.topRight, box.bottomRight, box.bottomLeft]
            return Point(corners.reduce(0) { $0 + $1.x } / 4, corners.reduce(0) { $0 + $1.y } / 4)
        }
        var (explained, all) = (0, 0)
        for row in rows {
            let size = row.text.count
            all += size
            let isHeld = row.words.contains { word in
                places.contains { word.word.box.holds($0) }
            }
            if isHeld { explained += size }
        }
        return all == 0 ? 0 : Double(explained) / Double(all)
    }
}

extension Quad {
    /// True if the upright rectangle around the corners holds the point.
    fileprivate func holds(_ point: Point) -> Bool {
        let (xs, ys) = (
            [topLeft.x, topRight.x, bottomRight.x, bottomLeft.x], [topLeft.y, topRight.y, bottomRight.y, bottomLeft.y]
        )
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else { return false }
        return (left...right).contains(point.x) && (top...bottom).contains(point.y)
    }
}

extension Figure {
    /// One to three digits without decimals: what a price tag prints before raised decimals.
    fileprivate var isWholePrice: Bool { decimals == 0 && (1...3).contains(wholeDigits) && !isPercent && unit.isEmpty }
    /// Two digits without decimals.
    fileprivate var isCents: Bool { decimals == 0 && range.count == 2 && !isPercent && unit.isEmpty }
}
