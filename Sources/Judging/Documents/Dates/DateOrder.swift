import Core

/// Decides whether the day, the month or the year comes first, by what the page prints.
struct DateOrder {
    /// The order that words name, such as "dd/mm/yyyy"; nil without such words.
    private var named: DateReading.Order?
    /// True for a script of a country that prints the year first.
    private let isEastern: Bool
    /// True if the words about dates are those of countries that print the day first, and none is English.
    private var isDayFirst = false
    /// The orders of the page's certain dates, by the length of their print, in the order of the page.
    private var orders: [Int: [DateReading.Order]] = [:]
    /// Lengths of print like "MAR 25" that are months with years.
    private var months: Set<Int> = []

    private static let words: [(String, DateReading.Order)] = [
        ("ddmmyy", .dayMonth), ("dmy", .dayMonth), ("ddmmmyy", .dayMonth), ("ttmmjj", .dayMonth), ("jjmmaa", .dayMonth),
        ("ggmmaa", .dayMonth), ("ddmmaa", .dayMonth), ("mmddyy", .monthDay), ("mdy", .monthDay),
        ("yyyymmdd", .yearMonth),
        ("yymmdd", .yearMonth), ("ymd", .yearMonth), ("aaaammjj", .yearMonth),
    ]
    /// Two digits are hardly a year before this one, where another order of the same print gives a later year.
    static let early = 2017

    /// How the countries of a language print days.
    enum Custom: Hashable, Sendable {
        case dayFirst
        /// English, and words of several languages.
        case open
    }

    /// Languages whose countries print the day first. Hungarian prints the year first.
    private static let dayFirst: Set<String> = ["de", "fr", "it", "es", "pt", "nl", "pl", "cs"]
    /// Shorter phrases are words of other languages too: "exp", "prod".
    private static let tellingLetters = 8

    /// The phrases about dates that tell the language of a page.
    static func customs(_ table: WordTable) -> Phrases<Custom> {
        var phrases: [(Custom, String)] = []
        for (language, words) in table.meanings.values.joined().sorted(by: { $0.key < $1.key }) {
            let custom: Custom = dayFirst.contains(language) ? .dayFirst : .open
            guard language != "hu" else { continue }
            phrases += words.filter { $0.count(where: \.isLetter) >= tellingLetters }.map { (custom, $0) }
        }
        // Of two meanings for one phrase the first counts.
        return Phrases(phrases.filter { $0.0 == .open } + phrases.filter { $0.0 == .dayFirst })
    }

    init(_ rows: [PrintedRow], _ scripts: [PrintScript], _ customs: Phrases<Custom>) {
        isEastern = scripts.contains { [.korean, .japanese, .chinese].contains($0) }
        let told = Set(rows.flatMap { customs.hits(in: $0.squashed) }.map(\.meaning))
        isDayFirst = told == [.dayFirst] && !isEastern
        for row in rows where named == nil {
            let bytes = row.squashed.bytes
            named =
                Self.words.first { word, _ in
                    let wanted = Array(word.utf8)
                    return bytes.indices.contains { start in
                        row.squashed.begins[start] && bytes[start...].starts(with: wanted)
                    }
                }?.1
        }
    }

    /// - Parameter all: the dates of each row of one direction.
    func deciding(_ all: [[DateReading]]) -> DateOrder {
        var result = self
        for one in all.joined() where one.choices.count == 1 && !one.hasMonthName {
            let order = one.choices[0].order
            if result.orders[one.range.count]?.contains(order) != true {
                result.orders[one.range.count, default: []].append(order)
            }
        }
        for (length, order) in Self.pairOrders(all) where result.orders[length] == nil {
            result.orders[length] = [order]
        }
        result.months = Self.monthPairs(all)
        return result
    }

    /// The days that a reading may mean on this page.
    func choices(of reading: DateReading) -> [DateReading.Choice] {
        reading.month.flatMap { months.contains(reading.range.count) ? [$0] : nil } ?? reading.choices
    }

    /// Two of "APR 23" and "MAR 25": as months the first is packed and the second ends some time later, and as days they are
    /// too far apart for fresh food.
    private static func monthPairs(_ all: [[DateReading]]) -> Set<Int> {
        let short = Dictionary(grouping: all.joined().filter { $0.month != nil }, by: \.range.count)
        return Set(
            short.filter { _, readings in
                guard readings.count == 2, let first = readings[0].month?.day, let second = readings[1].month?.day
                else {
                    return false
                }
                let days = readings.map { reading in
                    var day = reading.choices[0].day
                    day.year = first.year
                    return day
                }
                return first.isShelfLife(until: second) && !days[0].isFresh(until: days[1])
            }.keys)
    }

    /// Two dates of one form in one order: the only one in which the first is packed and the second ends some time
    /// later: whole months, or the few days of fresh food.
    private static func pairOrders(_ all: [[DateReading]]) -> [(Int, DateReading.Order)] {
        let open = Dictionary(grouping: all.joined().filter { $0.choices.count > 1 }, by: \.range.count)
        return open.sorted { $0.key < $1.key }.compactMap { length, readings in
            guard readings.count == 2 else { return nil }
            func day(_ reading: DateReading, _ order: DateReading.Order) -> PrintedDay? {
                reading.choices.first { $0.order == order }?.day
            }
            let fitting = [DateReading.Order.dayMonth, .monthDay, .yearMonth].filter { order in
                guard let first = day(readings[0], order), let second = day(readings[1], order) else { return false }
                return first.isShelfLife(until: second) && (second.hasNearDay(first) || first.isFresh(until: second))
            }
            return fitting.count == 1 ? (length, fitting[0]) : nil
        }
    }

    /// The day that a reading most likely means, the other days it may mean, and whether the order is certain.
    func resolved(
        _ choices: [DateReading.Choice], _ reading: DateReading
    ) -> (day: PrintedDay, others: [PrintedDay], isCertain: Bool) {
        guard choices.count > 1 else { return (choices[0].day, [], true) }
        let isShort = !reading.isExplicit
        let known =
            (named.map { [$0] } ?? []) + (orders[reading.range.count] ?? [])
            + (isEastern && isShort ? [.yearMonth] : [])
        for order in known {
            if let match = choices.first(where: { $0.order == order }) { return (match.day, [], true) }
        }
        if isDayFirst, let match = choices.first(where: { $0.order == .dayMonth }), match.day.isRecent {
            return (match.day, [], true)
        }
        // Two digits for the year: in 21.08.10 the last number is hardly the year.
        var order: [DateReading.Order] =
            reading.isExplicit ? [.dayMonth, .monthDay, .yearMonth] : [.dayMonth, .yearMonth, .monthDay]
        let first = choices.first { $0.order == .dayMonth }?.day.year ?? 0
        if isShort, first < Self.early,
            choices.contains(where: { $0.order == .yearMonth && $0.day.year ?? 0 >= Self.early })
        {
            order = [.yearMonth, .dayMonth, .monthDay]
        }
        let sorted = order.compactMap { order in choices.first { $0.order == order } }
        return (sorted[0].day, sorted.dropFirst().map(\.day), false)
    }
}

extension PrintedDay {
    /// False for a year that two digits hardly mean.
    var isRecent: Bool { year.map { $0 >= DateOrder.early } ?? true }

    /// Days since an arbitrary day, with months of 30.4 days; nil without a year.
    private var approximateDays: Double? {
        year.map { Double($0) * 365.25 + Double(month) * 30.44 + Double(day ?? 30) }
    }

    /// True from some days to six years: the time from packing to the end of use.
    func isShelfLife(until other: PrintedDay) -> Bool {
        guard let start = approximateDays, let end = other.approximateDays else { return false }
        return (2...(6 * 366)).contains(end - start)
    }

    /// True if meat, fish or bread of one day is good until the other.
    func isFresh(until other: PrintedDay) -> Bool {
        guard let start = approximateDays, let end = other.approximateDays else { return false }
        return (1...21).contains(end - start)
    }

    /// True for the same day of the month or its neighbours, as after a whole number of months.
    func hasNearDay(_ other: PrintedDay) -> Bool {
        guard let one = day, let two = other.day else { return day == nil && other.day == nil }
        return abs(one - two) <= 1 || min(one, two) == 1 && max(one, two) >= 28
    }
}
