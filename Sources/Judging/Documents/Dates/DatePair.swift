import Core

/// Decides the kinds of two dates by their order in time: packing comes first.
struct DatePair {
    /// True if the page has words about packing.
    let hasPacking: Bool
    /// True if it has words about an end of use.
    let hasEnd: Bool

    /// Rows between two dates of one print.
    private static let reach = 3

    func decide(_ found: inout [DateReader.Found]) {
        revive(&found)
        let kept = found.indices.filter { !found[$0].isPending }
        guard kept.count == 2, found[kept[0]].day != found[kept[1]].day else { return }
        let (early, late) =
            found[kept[0]].day < found[kept[1]].day ? (kept[0], kept[1]) : (kept[1], kept[0])
        guard found[early].day.isShelfLife(until: found[late].day) else { return }
        decide(&found, early, late)
    }

    /// Digits become a date beside a date of the same form that has words.
    private func revive(_ found: inout [DateReader.Found]) {
        for index in found.indices where found[index].isPending {
            found[index].isPending = !found.indices.contains { other in
                other != index && !found[other].isPending
                    && (found[other].isDirect || found[other].kind != nil && found[index].day.day == nil
                        || found[index].isCode && (found[other].isOpen || found[other].kind != nil))
                    && isPair(found[other], found[index])
                    && (found[index].day.isShelfLife(until: found[other].day)
                        || found[other].day.isShelfLife(until: found[index].day))
            }
            if !found[index].isPending { found[index].features.set("revived", true) }
        }
        // So do two months where the page has words about packing and use.
        let months = found.indices.filter { found[$0].isPending && found[$0].day.day == nil }
        if hasPacking, hasEnd, months.count == 2, let one = months.first, let other = months.last,
            isPair(found[one], found[other]),
            found[one].day.isShelfLife(until: found[other].day) || found[other].day.isShelfLife(until: found[one].day)
        {
            for index in months { found[index].isPending = false }
        }
        // Two misread months prove each other.
        let open = found.indices.filter { found[$0].isPending && found[$0].reading.isMisread }
        for index in open
        where found.indices.contains(where: {
            $0 != index && found[$0].reading.hasMonthName && isPair(found[$0], found[index])
        }) {
            found[index].isPending = false
        }
    }

    /// True for two dates of one form in near rows.
    private func isPair(_ one: DateReader.Found, _ other: DateReader.Found) -> Bool {
        abs(one.row - other.row) <= Self.reach && one.reading.isCompact == other.reading.isCompact
            && one.reading.hasMonthName == other.reading.hasMonthName
            && abs(one.reading.range.count - other.reading.range.count) <= 1
    }

    private func decide(_ found: inout [DateReader.Found], _ early: Int, _ late: Int) {
        let (one, other) = (found[early], found[late])
        let isPair = isPair(one, other)
        let isNear = abs(one.row - other.row) <= Self.reach
        func isEnd(_ kind: PrintedDate.Kind?) -> Bool { kind.map { $0 != .packed } ?? false }
        var isSolved = false
        switch (one.kind, other.kind) {
        case (nil, nil):
            // "2020.12.15/08:53" above "2021.12.14".
            guard isNear else { return }
            (found[early].kind, isSolved) = (.packed, true)
        case (.packed, .packed):
            if !other.isFirm { (found[late].kind, isSolved) = (.bestBefore, true) }
        case (.packed, nil):
            if isNear { (found[late].kind, isSolved) = (.bestBefore, true) }
        case (.packed, _): isSolved = true
        case (nil, .packed):
            // The words belong to the other date.
            if !other.isFirm, isNear {
                (found[early].kind, found[late].kind, isSolved) = (.packed, .bestBefore, true)
            } else {
                found[early].isContradicted = true
            }
        case (nil, _): (found[early].kind, isSolved) = (.packed, true)
        case (let first, .packed):
            if one.isFirm, other.isFirm {
                found[early].isContradicted = true
                found[late].isContradicted = true
            } else {
                (found[early].kind, found[late].kind, isSolved) = (.packed, first, true)
            }
        case (let first, nil):
            // "MFG" and "BBE" above two dates, or in a column beside a stamp whose rows do not meet theirs. An end of use
            // directly before the first date leaves the second without a meaning.
            guard isNear else { return }
            if hasPacking || isPair && !one.isFirm {
                (found[early].kind, found[late].kind, isSolved) = (.packed, first, true)
            } else {
                found[late].isContradicted = true
                found[early].isContradicted = isPair
            }
        case (let first, let second) where first == second:
            // "Best before" over both dates names the later one; "prod. date / exp. date" names both.
            if isNear, !one.isFirm || !other.isFirm { (found[early].kind, isSolved) = (.packed, true) }
        default: break
        }
        if isSolved, isPair {
            found[early].features.set("paired", true)
            found[late].features.set("paired", true)
        }
        guard isSolved else { return }
        for index in [early, late] {
            found[index].isMixed = false
            found[index].features.set("timed", false)
        }
    }
}
