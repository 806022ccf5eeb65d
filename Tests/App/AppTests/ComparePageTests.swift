import Foods
import Foundation
import Testing

@testable import App
@testable import Groceries

extension GroceryPagesTests {
    @Test func `overlapping ranges are not ranked, and missing entries are named`() async throws {
        let id = try groceries.makeList("Week", by: "Ada").id
        for number in 1...7 {
            let item = try add("Thing \(number)", to: id)
            try price(item, "2.00", at: "Greenfield")
            if number > 1 { try price(item, "2.10", at: "Harbour") }
        }
        let page = try await compare(id)
        // Harbour has six of seven and is cheaper in total, so nothing is said about the difference.
        #expect(page.contains("Harbour, most likely") && page.contains("6 of 7 known. Without: Thing 1."))
        #expect(page.contains("no price at Harbour") && page.contains("photograph its tag"))
        #expect(!page.contains("may be"))
        #expect(page.contains("Common items are the 6 that all these shops have"))
        #expect(page.contains("<b>£12.00</b>") && page.contains("<b>£12.60</b>"))
    }

    @Test func `a price of 2019 is shown as a wide range beside one of today`() async throws {
        let id = try groceries.makeList("Week", by: "Ada").id
        let milk = try add("Milk", to: id)
        try price(milk, "1.00", at: "Greenfield", daysAgo: 7 * 365)
        try price(milk, "1.00", at: "Harbour")
        let page = try await compare(id)
        // ± 25 %, and 6 % for each of seven years; typed today by somebody with two prices: ± 25 % × (1 − .7 × .8 × 6/7).
        #expect(page.contains("7 years old: counts £0.33 to £1.67") && page.contains("£0.87 to £1.13"))
        #expect(page.contains("rect class=\"old\"") && page.contains("A price counts half after 90 days."))
    }

    @Test func `a clear difference is said, and old prices are asked for again`() async throws {
        let id = try groceries.makeList("Week", by: "Ada").id
        let milk = try add("Milk", to: id)
        try price(milk, "1.00", at: "Greenfield", daysAgo: 60)
        try price(milk, "2.50", at: "Harbour")
        let page = try await compare(id)
        #expect(page.contains("<h1>Greenfield</h1>"))
        #expect(page.contains("Milk at Greenfield") && page.contains("60 days old"))
        let german = try await compare(id, "de")
        #expect(german.contains("1,00\u{a0}£") && german.contains("60 Tage alt"))
    }

    @Test func `a comparison of 60 entries at three places stays below 60,000 bytes`() async throws {
        let id = try groceries.makeList("Week", by: "Ada").id
        for number in 1...60 {
            let item = try add("Wholegrain oat flakes \(number)", to: id)
            for shop in ["Greenfield Market", "Harbour Foods", "Corner Shop, Ashford"] {
                try price(item, "2.\(10 + number % 7 + shop.count % 3)", at: shop)
            }
        }
        let page = try await compare(id)
        let bytes = try weight(page, ComparePage.self)
        #expect(bytes < 60_000, "\(bytes)")
        #expect(page.contains("60 of 60"))
    }

    @Test func `bars of the comparison stay inside the card and hold their totals`() throws {
        let plot = try #require(
            PricePlots.ranges(
                [
                    (try money("19.30"), try money("19.60"), try money("19.95")),
                    (try money("18.90"), try money("20.20"), try money("21.60")),
                ], words: try words()))
        for bar in plot.bars {
            let numbers = try [bar.from, bar.middle, bar.width].map { try #require(Double($0.dropLast())) }
            let places = [0, numbers[0], numbers[1], numbers[0] + numbers[2], 100]
            #expect(places == places.sorted())
        }
        #expect(plot.axis.map(\.anchor).first == "start" && plot.axis.map(\.anchor).last == "end")
    }

    @Test func `a comparison without enough prices names the shop with most, and other units`() async throws {
        let id = try groceries.makeList("Week", by: "Ada").id
        let milk = try add("Milk", to: id)
        let ginger = try add("Ginger", to: id)
        let place = try price(milk, "1.20", at: "Greenfield")
        _ = try groceries.record(
            NewPrice(
                product: ginger.product, place: place, price: try money("4.39"), per: .kilogram, date: groceries.today))
        let page = try await compare(id)
        #expect(page.contains("Most are known at Greenfield: 1 of 2.") && page.contains("Without: Ginger."))
        #expect(page.contains("Ginger: prices are known per kg only."))
        #expect(!page.contains("No prices of these items are known"))
        #expect(try await compare(id, "de").contains("Ginger: Preise sind nur je kg bekannt."))
    }
}
