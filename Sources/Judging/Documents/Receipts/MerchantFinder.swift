import Core
import Foundation

/// Finds the merchant's name at the top of a receipt, in one row or in two.
struct MerchantFinder {
    let receipt: ReceiptPage

    struct Candidate {
        var text: String
        var features: Features
        var box: Quad?
        var confidence: Double
        var lastRow: Int
    }

    /// Rows at the top that may hold the name. Later ones are addresses and items.
    private static let depth = 9

    func candidates() -> [Candidate] {
        var result: [Candidate] = []
        let rows = receipt.rows
        for index in rows.indices.prefix(Self.depth) {
            guard rows[index].printed.letters >= 3, !isClosed(index) else { continue }
            result.append(candidate(index...index))
            if index + 1 < min(rows.count, Self.depth), rows[index + 1].printed.letters >= 3, !isClosed(index + 1) {
                let gap = rows[index + 1].printed.middle - rows[index].printed.middle
                if gap < 3 * max(rows[index].printed.height, rows[index + 1].printed.height) {
                    result.append(candidate(index...(index + 1)))
                }
            }
        }
        return result
    }

    /// The first row of which a word is the name of the page's own site or mailbox: "stadium" above "www.stadium.se".
    func namedBySite(_ candidates: [Candidate]) -> Candidate? {
        let sites = Set(receipt.rows.flatMap { Self.siteNames(in: $0.printed.string) })
        guard !sites.isEmpty else { return nil }
        return candidates.first { one in
            one.features["joined"] == 0 && one.features["dated"] == 0 && one.features["address"] == 0
                && Self.siteNames(in: one.text).isEmpty
                && Folding.words(of: one.text).contains { sites.contains($0) }
        }
    }

    /// Letters of a site's name that is hardly another word.
    private static let leastOfSite = 4

    /// The folded words of the names of sites and mailboxes: `www.netto-online.de`, `shop@konzum.ba`.
    private static func siteNames(in text: String) -> [String] {
        text.lowercased().split(whereSeparator: { $0.isWhitespace || $0 == "/" || $0 == ":" }).flatMap { word in
            let labels = word.split(separator: "@").last?.split(separator: ".").map(String.init) ?? []
            let isSite = labels.first == "www" || word.contains("@") || labels.count == 2 && labels[1] == "com"
            guard isSite, labels.count >= 2 else { return [String]() }
            let name = labels[labels[0] == "www" ? 1 : 0]
            return Folding.words(of: name).filter { $0.count >= leastOfSite }
        }
    }

    private func isClosed(_ index: Int) -> Bool { !receipt.rows[index].amounts.isEmpty }

    private func candidate(_ range: ClosedRange<Int>) -> Candidate {
        let rows = receipt.rows
        let first = rows[range.lowerBound]
        let last = rows[range.upperBound]
        let text = range.map { Self.name(rows[$0].printed) }.joined(separator: " ")
        let all = range.map { rows[$0] }
        var features = Features()
        let usable = rows.indices.prefix(range.lowerBound).count { rows[$0].printed.letters >= 3 }
        features["place"] = Double(usable)
        features.set("first", usable == 0)
        features.set("second", usable == 1)
        features.set("joined", range.count > 1)
        features.set("legalEnd", endsInLegal(last))
        features.set("legal", all.contains { $0.has(.legal) })
        features.set("legalInFirst", range.count > 1 && endsInLegal(first))
        features.set("legalOnlyInSecond", range.count > 1 && !first.has(.legal) && endsInLegal(last))
        // "RESTAURANT SDN BHD" in a row of its own continues the row above.
        features.set("lastIsTail", range.count > 1 && isTail(last))
        features.set("isTail", range.count == 1 && isTail(last))
        features.set("shop", all.contains { $0.has(.shop) })
        features.set("shopInSecond", range.count > 1 && last.has(.shop) && !first.has(.shop))
        features.set("address", all.contains { $0.has(.address) })
        features.set("addressInSecond", range.count > 1 && last.has(.address))
        features.set("contact", all.contains { $0.has(.contact) })
        features.set("document", all.contains { $0.has(.document) })
        features.set("dated", all.contains { !$0.dates.isEmpty || $0.hasTime })
        let digits = text.unicodeScalars.count(where: Letters.isDigit)
        let letters = text.unicodeScalars.count(where: Letters.isLetter)
        features["digitShare"] = Double(digits) / Double(max(1, digits + letters))
        features.set("brackets", text.contains("(") && digits >= 4)
        features.set("short", letters < 6)
        features.set("long", letters > 34)
        let tall = max(first.printed.height, last.printed.height) / max(1, receipt.page.height)
        features["tall"] = min(3, tall) - 1
        features["evenness"] =
            range.count == 1
            ? 0 : min(first.printed.height, last.printed.height) / max(first.printed.height, last.printed.height) - 1
        features.set(
            "nextIsAddress",
            nextRow(after: range.upperBound).map { $0.has(.address) || Self.startsWithNumber($0) } ?? false)
        features.set("nextIsLegal", nextRow(after: range.upperBound).map { endsInLegal($0) } ?? false)
        features.set("nextIsNumber", nextRow(after: range.upperBound).map { Self.isRegistration($0) } ?? false)
        let folded = Folding.words(of: text).joined()
        features.set(
            "echoed",
            range.count > 1
                && folded.dropFirst(max(4, folded.count / 2 - 4)).contains(
                    Folding.words(of: Self.name(first.printed)).joined().prefix(8))
        )
        features.set(
            "owner", Self.prefixes.contains { range.count > 1 && last.printed.string.lowercased().hasPrefix($0) })
        features.set("startsWithNumber", Self.startsWithNumber(first))
        features.set("comma", text.hasSuffix(","))
        let confidence = all.map { $0.printed.confidence() }.min() ?? 0
        features["reading"] = confidence
        return Candidate(
            text: text, features: features, box: Quad(around: all.compactMap { $0.printed.box() }),
            confidence: confidence, lastRow: range.upperBound)
    }

    /// Words before a name.
    private static let prefixes = [
        "tq for shopping with", "tq for shopping at", "thank you for shopping at", "thank you for shopping with",
        "thanks for shopping at", "welcome to", "owned by", "owner by", "operated by", "managed by", "dimiliki oleh",
        "willkommen bei", "bienvenue chez", "benvenuti da",
    ]

    private func nextRow(after index: Int) -> ReceiptRow? {
        index + 1 < receipt.rows.count ? receipt.rows[index + 1] : nil
    }

    /// Digits of a number that is no part of a name.
    private static let longNumber = 5
    /// Letters of a name before a number in brackets.
    private static let leastName = 6

    /// The printed words without signs at the ends.
    private static func name(_ row: PrintedRow) -> String {
        var text = row.string
        // "Owned by: …", "Dimiliki: …".
        if let colon = text.firstIndex(of: ":"), text.distance(from: text.startIndex, to: colon) <= 12 {
            let rest = text[text.index(after: colon)...]
            if rest.count(where: \.isLetter) >= 5 { text = String(rest) }
        }
        for prefix in prefixes {
            guard let found = text.range(of: prefix, options: [.caseInsensitive, .anchored]) else { continue }
            let rest = text[found.upperBound...].drop { $0 == " " || $0 == ":" }
            if rest.count(where: \.isLetter) >= 4 { text = String(rest) }
        }
        // A registration number behind the name: "1110644-W", "(306295-X) FKA …".
        if let open = text.firstIndex(of: "("), text[open...].prefix(10).count(where: \.isNumber) >= longNumber,
            text[..<open].count(where: \.isLetter) >= leastName
        {
            text = String(text[..<open])
        }
        var parts = text.split(separator: " ")
        // A number of the branch or the document before it.
        while let first = parts.first, parts.count > 1, first.count >= longNumber, first.allSatisfy(\.isNumber) {
            parts.removeFirst()
        }
        while let last = parts.last, parts.count > 1, last.count(where: \.isNumber) >= longNumber { parts.removeLast() }
        if let last = parts.last, parts.count > 1, ["5/B", "5/8", "S/8", "(M)"].contains(last) {
            parts.removeLast()
            if last != "(M)" { parts.append("S/B") }
        }
        text = parts.joined(separator: " ")
        while let last = text.last, ",;:-*.=_~".contains(last) || last == " " { text.removeLast() }
        while let first = text.first, ",;:-*.=_~ ".contains(first) { text.removeFirst() }
        return text
    }

    /// True if a legal form is near the end, before a registration number.
    private func endsInLegal(_ row: ReceiptRow) -> Bool {
        guard let hit = row.hits.last(where: { $0.meaning == .legal }) else { return false }
        let rest = row.printed.text[hit.range.upperBound...]
        return rest.count(where: Letters.isLetter) <= 4
    }

    /// True if a row holds little more than a legal form and a word for a shop.
    private func isTail(_ row: ReceiptRow) -> Bool {
        guard row.has(.legal) else { return false }
        let named = row.hits.filter { $0.meaning == .legal || $0.meaning == .shop }
            .reduce(0) { $0 + row.printed.text[$1.range].count(where: Letters.isLetter) }
        return row.printed.letters - named <= 4
    }

    private static func startsWithNumber(_ row: ReceiptRow) -> Bool {
        row.printed.text.first.map(Letters.isDigit) ?? false
    }

    /// `(1234567-A)`, `Co. No: 123456`: a registration number below the name.
    private static func isRegistration(_ row: ReceiptRow) -> Bool {
        let digits = row.printed.text.count(where: Letters.isDigit)
        return digits >= 5 && row.printed.letters <= 8
            && (row.printed.text.contains("(") || row.printed.text.contains("-"))
    }
}
