import Core

/// What a phrase near a date means. Of two meanings for one phrase the first counts.
enum DateMeaning: String, CaseIterable, Hashable, Sendable {
    case bestBefore, useBy, sellBy, packed, seeElsewhere, lot, endOf
}

/// Finds the dates on a package and what they mean.
struct DateReader: Sendable {
    let phrases: Phrases<DateMeaning>
    /// The longer phrases, for short pages on which they are misread.
    let near: NearPhrases<DateMeaning>
    /// How countries that use a phrase print days.
    let customs: Phrases<DateOrder.Custom>
    let weights: FittedWeights

    /// Values below this probability are left out.
    private static let least = 0.5

    struct Found {
        var row: Int
        var reading: DateReading
        var day: PrintedDay
        var others: [PrintedDay]
        var kind: PrintedDate.Kind?
        var features: Features
        /// The marker stands directly before or behind the date.
        var isDirect: Bool
        /// The marker is next to the date without a gap, so that it is not one of a column.
        var isAttached: Bool
        /// Its row names the day of packing and the end of use.
        var isMixed: Bool
        /// Another date shows that its kind or one of its digits is misread.
        var isContradicted = false
        /// Words of a batch stand before it. Beside a stamp they may be of another row.
        var isCode = false
        /// True until another date or its words show that the digits are a date.
        var isPending: Bool

        /// True for words that surely belong to the date.
        var isFirm: Bool { isDirect && isAttached }

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

    /// - Parameters:
    ///   - pages: the print of each direction, with the dates of each row.
    ///   - scripts: those of lines that are not read.
    func dates(in pages: [(page: PrintedPage, scans: [[DateReading]])], scripts: [PrintScript]) -> Dates {
        guard pages.contains(where: { $0.scans.contains { !$0.isEmpty } }) else { return Dates() }
        let printed = DateOrder(pages.flatMap(\.page.rows), scripts, customs)
        let markers = pages.map { DateMarkers(page: $0.page, phrases: phrases, dates: $0.scans) }
        var found = markers.map { self.found(with: $0, printed) }
        decideAcross(&found)
        // "Use by: see lid" names the kind of a date that stands elsewhere.
        let ends = Set(markers.flatMap(\.namedEnds))
        let usual = ends.count == 1 ? ends.first ?? .bestBefore : .bestBefore
        return Dates(
            dates: zip(pages, found).flatMap { answers($1, in: $0.page, usual: usual) },
            haveWords: found.joined().contains { $0.features["direct"] == 1 || $0.features["near"] == 1 })
    }

    /// The dates of one direction with their kinds.
    private func found(with markers: DateMarkers, _ order: DateOrder) -> [Found] {
        let (page, all) = (markers.page, markers.dates)
        guard all.contains(where: { !$0.isEmpty }) else { return [] }
        let orders = order.deciding(all)
        var found: [Found] = []
        for (index, row) in page.rows.enumerated() {
            for reading in all[index] {
                let isCode = markers.isCode(reading, index)
                guard !isCode || !reading.isBare else { continue }
                let marker = isCode ? nil : markers.marker(of: reading, index)
                guard var one = self.found(reading, row, index, marker, orders) else { continue }
                one.isPending = one.isPending || isCode
                one.isCode = isCode
                found.append(one)
            }
        }
        for index in found.indices {
            found[index].features.set("unknownWord", found[index].kind == nil && markers.hasUnknownWord(found[index]))
            let isOpen = markers.hasTime(found[index]) || markers.hasUnreadPartner(found[index])
            found[index].features.set("timed", found[index].kind == nil && isOpen)
        }
        found = withoutRepeats(found)
        DatePair(hasPacking: markers.hasPacking, hasEnd: !markers.namedEnds.isEmpty).decide(&found)
        // A time of day alone, or another date that was not read, leaves the kind open.
        return found.filter {
            !$0.isPending && !$0.isContradicted && !$0.isMixed && !($0.kind == nil && $0.features["timed"] == 1)
        }
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

    /// - Parameter usual: the kind of dates without words beside them.
    private func answers(
        _ found: [Found], in page: PrintedPage, usual: PrintedDate.Kind
    ) -> [PrintedDate] {
        let hasMarked = found.contains { $0.kind != nil }
        return found.compactMap { one in
            var features = one.features
            features.set("alone", found.count == 1)
            features.set("otherMarked", one.kind == nil && hasMarked)
            features["number"] = Double(min(found.count, 5))
            let probability = weights.calibrated(
                "date",
                weights.probability("date", features, note: "\((one.kind ?? usual).rawValue)\t\(one.day.iso)"))
            guard probability >= Self.least else { return nil }
            return PrintedDate(
                kind: one.kind ?? usual, value: one.day.iso, confidence: probability,
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

    private func found(
        _ reading: DateReading, _ row: PrintedRow, _ index: Int, _ marker: DateMarkers.Marker?, _ order: DateOrder
    ) -> Found? {
        let others = row.text.count(where: Letters.isLetter) - row.text[reading.range].count(where: Letters.isLetter)
        // "12 Aug" alone below "Use by".
        let isTold =
            marker?.isDirect == true
            || marker?.isAdjacent == true && reading.hasMonthName && others <= Self.fewLetters
        let choices = order.choices(of: reading).filter { choice in
            choice.day.year.map(PrintedDay.packageYears.contains) ?? isTold
        }
        guard !choices.isEmpty else { return nil }
        if reading.needsWords, marker?.isDirect != true, !reading.isShortMonth { return nil }
        // Six digits in a row are a date only below their words or beside another date; a misread month and a month
        // without a day only with words.
        let isAlone = row.text.count(where: Letters.isLetter) <= Self.fewLetters
        let isPending =
            reading.isBare && marker?.isDirect != true && !(marker?.isAdjacent == true && isAlone)
            || reading.isShortMonth && marker?.isDirect != true
            || reading.isMisread && marker == nil || choices[0].day.day == nil && marker == nil && !reading.hasMonthName
        let (day, otherDays, isCertain) = order.resolved(choices, reading)
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
        features.set("misread", reading.isMisread)
        features.set("split", reading.needsWords)
        features["reading"] = row.confidence(reading.range)
        let rest = row.text.count(where: Letters.isLetter)
        features.set("crowded", rest > 24)
        return Found(
            row: index, reading: reading, day: day, others: otherDays, kind: marker?.kind, features: features,
            isDirect: marker?.isDirect == true, isAttached: marker?.isAttached == true,
            isMixed: marker?.isMixed == true, isPending: isPending)
    }

    /// Letters beside six digits that are a date below its words.
    private static let fewLetters = 4

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
}
