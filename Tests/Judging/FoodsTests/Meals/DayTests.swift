import Core
import Foundation
import Testing

@testable import Foods

@Suite struct DayTests {
    @Test(arguments: [("1970-01-01", 0), ("2026-11-22", 20_779), ("2024-02-29", 19_782), ("2000-12-31", 11_322)])
    func `days are counted from 1970`(text: String, number: Int) {
        #expect(Day(text)?.number == number)
        #expect(Day(number: number).description == text)
    }

    @Test(arguments: [
        "2026-02-29", "2026-13-01", "26-01-01", "2026-1-1", "abcd-ef-gh", "", "1969-12-31", "2026-11-22x", "+026-01-01",
    ])
    func `other texts are no days`(text: String) { #expect(Day(text) == nil) }

    @Test func `every day of four centuries survives its text`() {
        for number in 0..<146_097 { #expect(Day(Day(number: number).description)?.number == number) }
    }

    @Test func `a day depends on the zone`() throws {
        let instant = try Date("2026-11-22T23:30:00Z", strategy: .iso8601)
        #expect(Day(of: instant, in: try #require(TimeZone(identifier: "Europe/Berlin"))).description == "2026-11-23")
        #expect(
            Day(of: instant, in: try #require(TimeZone(identifier: "America/New_York"))).description == "2026-11-22")
    }

    @Test func `a day begins at its first instant, in every zone and on days with a change of time`() throws {
        for name in [
            "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Africa/Cairo", "America/Santiago", "Pacific/Apia",
        ] {
            let zone = try #require(TimeZone(identifier: name))
            for number in 20_000..<20_800 {
                let day = Day(number: number)
                let start = day.start(in: zone)
                #expect(Day(of: start, in: zone) == day, "\(name) \(day)")
                #expect(Day(of: start - 1, in: zone) < day, "\(name) \(day)")
            }
        }
    }

    @Test(arguments: [
        ("2026-11-22", "2026-W47"), ("2027-01-01", "2026-W53"), ("2024-12-30", "2025-W01"), ("2026-01-01", "2026-W01"),
    ])
    func `weeks follow ISO 8601`(day: String, week: String) throws {
        #expect(Week(of: try #require(Day(day))).description == week)
        #expect(Week(week)?.days.map(\.description).contains(day) == true)
    }

    @Test(arguments: ["2025-W53", "2026-W00", "2026-W54", "2026-47", "W47-2026"])
    func `other texts are no weeks`(text: String) { #expect(Week(text) == nil) }

    @Test func `an entry encodes with the names of the contract and decodes again`() throws {
        let food = Food(
            id: "off:1", name: "Oats", barcode: "1", calories: 370, protein: 13, carbs: 59, fat: 7,
            defaultServing: Serving(sizeLabel: "60 g", grams: 60, multiplier: Decimal(string: "0.6") ?? 0),
            source: .verified)
        let entry = MealEntry(
            id: "e", food: food, serving: food.defaultServing, meal: .breakfast,
            timestamp: Date(timeIntervalSince1970: 1_795_000_000), zone: "Europe/Berlin")
        let json = try JSONCoding.encode(entry)
        let text = String(decoding: json, as: UTF8.self)
        for part in [
            #""calories":370"#, #""multiplier":0.6"#, #""sizeLabel":"60 g""#, #""source":"verified""#,
            #""meal":"breakfast""#,
        ] {
            #expect(text.contains(part), "\(text)")
        }
        #expect(try JSONCoding.decode(MealEntry.self, from: json) == entry)
        #expect(entry.totals.calories == 222)
    }
}
