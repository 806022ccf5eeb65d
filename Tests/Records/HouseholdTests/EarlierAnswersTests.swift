import Core
import Store
import TestSupport
import Testing

@testable import Household

/// Answers of staff are offered again where the same card is photographed, and nowhere else.
@Suite struct EarlierAnswersTests {
    private typealias Dish = (name: String, price: String?)

    private func menu(_ dishes: [Dish]) -> Menu {
        let items = dishes.enumerated().map { number, dish in
            Menu.Item(
                name: dish.name, prices: dish.price.map { [Menu.Price(amount: $0)] } ?? [],
                box: Quad(x: 10, y: Double(40 * number), width: 100, height: 20), confidence: 0.9)
        }
        return Menu(
            currency: nil, sections: [.init(title: nil, items: items)], legend: [],
            coverage: Coverage(ocrQuality: 1, sourceKind: "menu"))
    }

    private func said(_ item: String, _ said: Review.Said = .absent, of photo: String = "sha256:old") -> Review {
        var review = Review(
            content: photo, item: item, allergen: .peanuts, action: .edit, value: said.rawValue, reviewer: "Anna",
            made: 1)
        review.staff = "Wayan"
        return review
    }

    private func offered(_ now: Menu, _ answers: [Review], _ before: Menu) throws -> [String: Review.Said?] {
        let outcome = Outcome(
            id: "sha256:old", source: .init(path: try #require(FilePathBytes("a.jpg")), bytes: 1), status: .completed,
            domains: [.menu], menu: before, versions: .init(tablesight: "1"))
        let known = EarlierAnswers(for: now, among: answers) { _ in outcome }
        let items = now.sections.flatMap(\.items)
        return known.ofDish.reduce(into: [:]) { found, entry in
            let name = items.first { SavedItem.key(ofDish: $0.name, at: $0.box) == entry.key }?.name
            found[name ?? entry.key] = entry.value.first?.review.said
        }
    }

    private let card: [Dish] = [
        ("Nasi goreng", "8.00"), ("Gado-Gado", "8.50"), ("Rendang daging", "13.50"), ("Bami goreng", "7.90"),
        ("Sate ayam", "5.90"), ("Soto ayam", "6.20"),
    ]

    @Test func `the same card read with other letters, or in part, offers what was said of each dish`() throws {
        let before = menu(card)
        var misread = card
        misread[2].name = "Rendang dagihg"
        misread.swapAt(0, 5)
        for now in [menu(card), menu(misread), menu(Array(card.dropFirst(2)))] {
            let found = try offered(now, [said("Rendang daging", .canOmit), said("Gado-Gado", .contains)], before)
            let names = now.sections.flatMap(\.items).map(\.name)
            #expect(found.count == (names.contains("Gado-Gado") ? 2 : 1))
            #expect(found.first { $0.key.hasPrefix("Rendang") }?.value == .canOmit)
        }
    }

    @Test func `another restaurant with dishes of the same names is another card`() throws {
        let before = menu(card)
        let dearer = menu(card.map { ($0.name, "1" + ($0.price ?? "")) })
        let other = menu([("Gado-Gado", "8.50"), ("Pizza", "9.00"), ("Soup", "4.00"), ("Steak", "20.00")])
        let short = menu(Array(card.prefix(3)))
        for now in [dearer, other, short] {
            #expect(try offered(now, [said("Gado-Gado")], before).isEmpty)
        }
        // Without prices many names must agree.
        let bare = card.map { Dish(name: $0.name, price: nil) }
        #expect(try offered(menu(bare), [said("Gado-Gado")], menu(bare)).isEmpty)
        let long = bare + ["Lumpia", "Pangsit", "Martabak"].map { Dish(name: $0, price: nil) }
        #expect(try offered(menu(long), [said("Gado-Gado")], menu(long)).count == 1)
    }

    @Test func `the newest answer counts, and a dish that was answered here is left out`() throws {
        let before = menu(card)
        // Newest first.
        let answers = [said("Gado-Gado", .contains), said("Gado-Gado", .absent), said("Sate ayam", .absent)]
        var now = menu(card)
        now.sections[0].items[4].statements = [
            AllergenStatement(allergen: .peanuts, said: .contains, by: "Ben", at: "2026-11-30T10:00:00Z", review: 3)
        ]
        #expect(try offered(now, answers, before) == ["Gado-Gado": .contains])
    }
}
