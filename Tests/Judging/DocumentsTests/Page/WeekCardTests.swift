import TestSupport
import Testing
import Core

@testable import Documents

/// Generated cards of a week: the same dishes however the days are printed.
@Suite("Cards of a week")
struct WeekCardTests {
    private let amounts: AmountWords

    init() throws { amounts = try AmountWords(from: ModelFolder(Repository.models)) }

    private static let dishes = [
        "Gulaschsuppe mit Brot", "Käsespätzle", "Forelle mit Kartoffeln", "Linsen mit Saiten",
        "Backfisch mit Remoulade",
    ]

    /// The texts of a page, split into days and others.
    private func texts(_ lines: [TextLine]) -> (days: [String], others: [String]) {
        let layout = PageLayout(PrintedPage(lines, amounts: amounts))
        let days = layout.texts.filter(\.isDay).map(\.segment.string)
        return (days, layout.texts.filter { !$0.isDay }.map(\.segment.string))
    }

    static let weeks: [[String]] = [
        ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag"], ["Mo", "Di", "Mi", "Do", "Fr"],
        ["Mo.", "Di.", "Mi.", "Do.", "Fr."], ["MON", "TUE", "WED", "THU", "FRI"],
        ["Lundi", "Mardi", "Mercredi", "Jeudi", "Vendredi"], ["Po:", "Út:", "St:", "Čt:", "Pá:"],
        ["Montag 12.5.", "Dienstag 13.5.", "Mittwoch 14.5.", "Donnerstag 15.5.", "Freitag 16.5."],
    ]

    @Test(arguments: weeks, [0.0, 40])
    func `a day beside or above its dish is a heading`(days: [String], below: Double) {
        var page = MenuLines()
        for (row, (day, dish)) in zip(days, Self.dishes).enumerated() {
            page.line(day, x: 0, y: Double(row) * 100)
            page.line(dish, x: below > 0 ? 0 : 300, y: Double(row) * 100 + below)
        }
        let found = texts(page.lines)
        #expect(found.days.count == 5 && found.others == Self.dishes)
    }

    @Test(arguments: weeks)
    func `a day before its dish is cut off`(days: [String]) {
        var page = MenuLines()
        for (row, (day, dish)) in zip(days, Self.dishes).enumerated() {
            page.line("\(day) \(dish)", x: 0, y: Double(row) * 60)
        }
        let found = texts(page.lines)
        #expect(found.days.count == 5 && found.others == Self.dishes)
    }

    @Test(arguments: [
        ["Sunday Roast", "Monday Blues", "Burger"], ["Mi Pueblo", "Do It Yourself", "Mozzarella"],
        ["Di Mare", "Mo Burger", "So Good", "Soup"], ["Fresh Juice", "Monkfish", "Satay", "Wedges", "Thai Soup"],
    ])
    func `names that begin like a few days stay whole`(names: [String]) {
        var page = MenuLines()
        for (row, name) in names.enumerated() { page.line("\(name) 7.50 €", x: 0, y: Double(row) * 60) }
        #expect(texts(page.lines).others == names)
    }
}
