import Core
import Layout

/// What a phrase near a date means. Of two meanings for one phrase the first counts.
enum DateMeaning: String, CaseIterable, Hashable, Sendable {
    case bestBefore, useBy, sellBy, packed, seeElsewhere, lot, endOf
}

/// Finds the dates on a package and what they mean.
struct DateReader: Sendable {
    let phrases: Phrases<DateMeaning>
    /// The longer phrases, for short pages on which they are misread.
    let near: NearPhrases<DateMeaning>
    let weights: FittedWeights

    /// Values below this probability are left out.
    private static let least = 0.5
    /// Years in which the date of a package may lie; older numbers are other codes.
    private static let years = 2010...2036

    private struct Found {
        var row: Int
        var reading: DateReading
        var day: PrintedDay
        var others: [PrintedDay]
        var kind: PrintedDate.Kind?
        var features: Features

        /// True for a whole date without words that was read well.
        var isOpen: Bool {
            kind == nil && day.day != nil && day.year != nil && features["reading"] >= DateReader.wellRead
        }
    }

    /// The dates of a page.
    struct Dates: Sendable {
        var dates: [PrintedDate] = []
        /// True if one of them has words about a date of use next to it.
        var haveWords = false
    }

    /// - Parameter pages: the print of each direction, with the dates of each row.
    func dates(in pages: [(page: PrintedPage, scans: [[DateReading]])]) -> Dates {
        var found = pages.map { self.found(in: $0.page, $0.scans) }
        decideAcross(&found)
        return Dates(
            dates: zip(pages, found).flatMap { answers($1, in: $0.page) },
            haveWords: found.joined().contains { $0.features["direct"] == 1 || $0.features["near"] == 1 })
    }

    /// The dates of one direction with their kinds.
    private func found(in page: PrintedPage, _ all: [[DateReading]]) -> [Found] {
        let hits = page.rows.map { phrases.hits(in: $0.squashed) }
        let orders = Self.orders(all)
        var found: [Found] = []
        for (index, row) in page.rows.enumerated() where !all[index].isEmpty {
            let own = hits[index].filter { ![.endOf, .lot, .seeElsewhere].contains($0.meaning) }
            let monthEnd = hits[index].filter { $0.meaning == .endOf }.map(\.range.upperBound).min()
            for reading in all[index] {
                let isEnd = monthEnd.map { $0 <= reading.range.lowerBound } ?? false
                let marker = marker(of: reading, index, own, isEnd: isEnd, page, hits, all)
                if let one = self.found(reading, row, index, marker, orders) { found.append(one) }
            }
        }
        found = withoutRepeats(found)
        decideKinds(&found, page)
        return found
    }

    /// Recognition confidence from which a date decides the kind of another, 0…1.
    private static let wellRead = 0.5

    /// Two dates without words in two directions: the earlier one is the day of packing.
    private func decideAcross(_ found: inout [[Found]]) {
        let pages = found.indices.filter { !found[$0].isEmpty }
        guard pages.count == 2, pages.allSatisfy({ found[$0].count == 1 && found[$0][0].isOpen }) else { return }
        let first = found[pages[0]][0].day < found[pages[1]][0].day ? pages[0] : pages[1]
        found[first][0].kind = .packed
    }

    private func answers(_ found: [Found], in page: PrintedPage) -> [PrintedDate] {
        let hasMarked = found.contains { $0.kind != nil }
        return found.compactMap { one in
            var features = one.features
            features.set("alone", found.count == 1)
            features.set("otherMarked", one.kind == nil && hasMarked)
            features["number"] = Double(min(found.count, 5))
            let probability = weights.calibrated(
                "date",
                weights.probability("date", features, note: "\((one.kind ?? .bestBefore).rawValue)\t\(one.day.iso)"))
            guard probability >= Self.least else { return nil }
            return PrintedDate(
                kind: one.kind ?? .bestBefore, value: one.day.iso, confidence: probability,
                box: page.rows[one.row].box(one.reading.range),
                alternatives: one.others.isEmpty ? nil : one.others.map(\.iso))
        }
    }

    /// Shorter phrases are also words of other pages: "best", "per".
    private static let leastLetters = 7
    /// Near phrases are searched in pages with at most this many words: a photo of the date alone.
    private static let shortPage = 14

    /// True if the page has words about a date of use, even if the date was not read.
    ///
    /// - Parameter words: the number of words of the page.
    func hasWords(_ page: PrintedPage, words: Int) -> Bool {
        page.rows.contains { row in
            phrases.hits(in: row.squashed).contains { hit in
                hit.length >= Self.leastLetters && ![.lot, .endOf].contains(hit.meaning)
            }
        } || words <= Self.shortPage && page.rows.contains { near.hit(in: $0.squashed) != nil }
    }

    // MARK: Markers

    private struct Marker {
        var meaning: DateMeaning
        /// True if it stands directly before the date in the row.
        var isDirect: Bool
        var isMonthEnd = false
    }

    /// The phrase that describes a date: before it in its row, else after it, else in a near row above or below.
    ///
    /// - Parameters:
    ///   - own: the phrases of its row about a kind of date.
    ///   - isEnd: true if words about the end of a month precede it.
    private func marker(
        of reading: DateReading, _ index: Int, _ own: [Phrases<DateMeaning>.Hit], isEnd: Bool, _ page: PrintedPage,
        _ hits: [[Phrases<DateMeaning>.Hit]], _ dates: [[DateReading]]
    ) -> Marker? {
        let before = own.last { $0.range.upperBound <= reading.range.lowerBound + 1 }
        let blocked = dates[index].contains { other in
            other.range != reading.range
                && before.map {
                    $0.range.upperBound <= other.range.lowerBound && other.range.upperBound <= reading.range.lowerBound
                } ?? false
        }
        if let before, !blocked { return Marker(meaning: before.meaning, isDirect: true, isMonthEnd: isEnd) }
        if let after = own.first(where: { $0.range.lowerBound >= reading.range.upperBound - 1 }),
            dates[index].count == 1 || after.meaning == .packed
                || ["까지", "부터"].contains(page.rows[index].string(after.range))
        {
            return Marker(meaning: after.meaning, isDirect: true, isMonthEnd: isEnd)
        }
        if let before { return Marker(meaning: before.meaning, isDirect: false, isMonthEnd: isEnd) }
        let row = page.rows[index]
        for distance in 1...3 {
            for other in [index - distance, index + distance] where page.rows.indices.contains(other) {
                // A row that has a date of its own keeps its words; below a date only the nearest row counts.
                guard dates[other].isEmpty, other < index || distance == 1,
                    !hits[other].contains(where: { $0.meaning == .seeElsewhere })
                else { continue }
                let gap = abs(page.rows[other].middle - row.middle)
                guard gap < 3.2 * max(row.height, page.rows[other].height) else { continue }
                if let hit = hits[other].last(where: { ![.endOf, .lot, .seeElsewhere].contains($0.meaning) }) {
                    return Marker(meaning: hit.meaning, isDirect: false, isMonthEnd: isEnd)
                }
            }
        }
        return nil
    }

    private func found(
        _ reading: DateReading, _ row: PrintedRow, _ index: Int, _ marker: Marker?, _ orders: [Int: [DateReading.Order]]
    ) -> Found? {
        let choices = reading.choices.filter { choice in
            choice.day.year.map(Self.years.contains) ?? (marker?.isDirect == true)
        }
        guard !choices.isEmpty else { return nil }
        // Six digits in a row and a bare month are dates only with words beside them.
        if reading.isCompact, !reading.isExplicit, marker?.isDirect != true { return nil }
        if choices[0].day.day == nil, marker == nil, !reading.hasMonthName { return nil }
        if choices[0].day.year == nil, marker?.isDirect != true { return nil }
        let (day, others, isCertain) = resolved(choices, reading, orders)
        var features = Features()
        features.set("direct", marker?.isDirect == true)
        features.set("near", marker != nil && marker?.isDirect == false)
        features.set("explicit", reading.isExplicit)
        features.set("name", reading.hasMonthName)
        features.set("compact", reading.isCompact)
        features.set("weak", reading.isWeak)
        features.set("ambiguous", !isCertain)
        features.set("monthOnly", day.day == nil)
        features.set("noYear", day.year == nil)
        features["reading"] = row.confidence(reading.range)
        let rest = row.text.count(where: Letters.isLetter)
        features.set("crowded", rest > 24)
        let kind: PrintedDate.Kind? =
            switch marker?.meaning {
            case .bestBefore: .bestBefore
            case .useBy: .useBy
            case .sellBy: .sellBy
            case .packed: .packed
            default: nil
            }
        return Found(row: index, reading: reading, day: day, others: others, kind: kind, features: features)
    }

    /// The orders of the page's certain dates, by the length of their print, in the order of the page.
    private static func orders(_ all: [[DateReading]]) -> [Int: [DateReading.Order]] {
        var orders: [Int: [DateReading.Order]] = [:]
        for one in all.joined() where one.choices.count == 1 && !one.hasMonthName {
            let order = one.choices[0].order
            if orders[one.range.count]?.contains(order) != true { orders[one.range.count, default: []].append(order) }
        }
        return orders
    }

    /// The day that a reading most likely means, the other days it may mean, and whether the order is certain.
    private func resolved(
        _ choices: [DateReading.Choice], _ reading: DateReading, _ orders: [Int: [DateReading.Order]]
    ) -> (PrintedDay, [PrintedDay], Bool) {
        guard choices.count > 1 else { return (choices[0].day, [], true) }
        for order in orders[reading.range.count] ?? [] {
            if let match = choices.first(where: { $0.order == order }) { return (match.day, [], true) }
        }
        // Two digits for the year: 21.08.10 has the year in front if the last number is no year of the range.
        let order: [DateReading.Order] =
            reading.isExplicit ? [.dayMonth, .monthDay, .yearMonth] : [.dayMonth, .yearMonth, .monthDay]
        let sorted = order.compactMap { order in choices.first { $0.order == order } }
        return (sorted[0].day, sorted.dropFirst().map(\.day), false)
    }

    private func withoutRepeats(_ found: [Found]) -> [Found] {
        var kept: [Found] = []
        for one in found {
            if let same = kept.firstIndex(where: {
                $0.day == one.day && ($0.kind == one.kind || $0.kind == nil || one.kind == nil)
            }) {
                if kept[same].kind == nil { kept[same].kind = one.kind }
                continue
            }
            kept.append(one)
        }
        return kept
    }

    /// True for a time of day directly after a date.
    private static func hasTime(after start: Int, _ text: [Unicode.Scalar]) -> Bool {
        var index = start
        while index < text.count, index - start < 2, text[index] == "/" || text[index] == " " { index += 1 }
        guard index + 4 < text.count, text[index + 2] == ":" else { return false }
        return [0, 1, 3, 4].allSatisfy { Letters.isDigit(text[index + $0]) }
    }

    /// Of two dates without words the earlier one is the day of packing; a date without words beside a day of packing
    /// is the end of use.
    private func decideKinds(_ found: inout [Found], _ page: PrintedPage) {
        // "2020.12.15/08:53": only the day of packing has a time of day.
        for index in found.indices where found[index].kind == nil {
            let (reading, text) = (found[index].reading, page.rows[found[index].row].text)
            if Self.hasTime(after: reading.range.upperBound, text) { found[index].kind = .packed }
        }
        let open = found.indices.filter {
            found[$0].kind == nil && found[$0].day.day != nil && found[$0].day.year != nil
        }
        let expiry = found.indices.filter { found[$0].kind.map { $0 != .packed } ?? false }
        if open.count == 2, expiry.isEmpty, found.count == 2, abs(found[open[0]].row - found[open[1]].row) <= 3 {
            let first = found[open[0]].day < found[open[1]].day ? open[0] : open[1]
            found[first].kind = .packed
        } else if open.count == 1, let known = expiry.first, found.count == 2, found[open[0]].day < found[known].day {
            found[open[0]].kind = .packed
        }
        // "Best before" over both dates of a pair names the later one.
        let marked = found.indices.filter { found[$0].kind == .bestBefore || found[$0].kind == .useBy }
        if found.count == 2, marked.count == 2, abs(found[0].row - found[1].row) <= 2 {
            let earlier = found[0].day < found[1].day ? 0 : 1
            if found[earlier].features["direct"] == 0 { found[earlier].kind = .packed }
        }
    }
}
