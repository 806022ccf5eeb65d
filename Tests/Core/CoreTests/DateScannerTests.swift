import Core
import TestSupport
import Testing

@Suite struct `Dates in print` {
    private let scanner: DateScanner
    private let family: PrintedDates

    init() throws {
        let names = try ModelFolder(Repository.models).load(MonthNames.self, from: MonthNames.path)
        (scanner, family) = (names.scanner, PrintedDates(months: names.months))
    }

    private func found(_ text: String) -> [DateReading] { scanner.dates(in: Array(text.unicodeScalars)) }

    /// The prints in which anything but their one date is found.
    private func failures(_ prints: [PrintedDates.Print]) -> [String] {
        prints.filter { print in
            let dates = found(print.text)
            return dates.map(\.range) != [print.range] || !dates[0].choices.contains { $0.day.iso == print.day }
        }
        .map { "\($0.form): \($0.text) for \($0.day)" }
    }

    @Test func `a day in numbers is found in each order, beside times and with an O for a zero`() {
        let prints = family.numbers(seed: 1)
        #expect(prints.count > 1600 && failures(prints) == [])
    }

    @Test func `a month is found by its names in all languages`() {
        let prints = family.names(seed: 2)
        #expect(prints.count > 4700 && failures(prints) == [])
    }

    @Test func `times, prices, amounts, lots, telephone numbers and other codes are no dates`() {
        let texts = family.others(seed: 3)
        #expect(texts.count > 2800 && texts.filter { !found($0.text).isEmpty }.map(\.text) == [])
    }
}
