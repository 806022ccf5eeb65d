import Foods
import Foundation
import TestSupport
import Testing

@Suite struct BasketComparerTests {
    private let comparer = BasketComparer()
    private let euro = Currency("EUR")

    private func offer(
        _ text: String, _ code: String = "EUR", per: PriceUnit = .piece, pack: Int64? = nil, spread: Int = 0
    )
        throws -> Offer
    {
        let currency = try #require(Currency(code))
        return Offer(
            product: 1, price: try #require(Money(price: text, currency: currency)), per: per,
            pack: pack.flatMap { PackSize(thousandths: $0 * 1000, .mass) }, spread: spread)
    }

    private func place(_ id: Int64, _ prices: [String?], _ code: String = "EUR") throws -> BasketComparer.Place {
        BasketComparer.Place(
            id: id,
            offers: try prices.enumerated().compactMap { index, price in
                try price.map { (index, try offer($0, code)) }
            })
    }

    @Test func `the comparison equals an exhaustive one on 10,000 random lists`() throws {
        var generator = SeededGenerator(seed: 22)
        for round in 0..<10_000 {
            let (needs, places) = try random(&generator)
            let expected = ComparisonOracle(needs: needs, places: places).answers()
            let found = comparer.compare(needs, at: places).currencies.map { group in
                ComparisonOracle.Answer(
                    currency: group.currency.code,
                    cheapest: group.cheapest.map { [Decimal($0.place), $0.total.amount] },
                    missing: group.cheapest.map(\.missing), lows: group.cheapest.map(\.low.amount),
                    highs: group.cheapest.map(\.high.amount),
                    common: group.common?.totals.map { [Decimal($0.place), $0.total.amount] } ?? [],
                    commonNeeds: group.common?.needs ?? [],
                    split: group.split.map { split in
                        split.places.map { Decimal($0) } + [split.total.amount, split.saves?.amount ?? -1]
                    } ?? [])
            }
            #expect(found == expected, "round \(round)")
            if found != expected { return }
        }
    }

    private func random(_ generator: inout SeededGenerator) throws -> ([ListNeed], [BasketComparer.Place]) {
        let units: [PriceUnit] = [.piece, .piece, .piece, .kilogram, .litre]
        let needs = (0..<Int.random(in: 1...7, using: &generator)).map { index in
            ListNeed(
                id: Int64(100 + index),
                quantity: Bool.random(using: &generator)
                    ? 1000 : Int64.random(in: 1...4000, using: &generator),
                unit: units.randomElement(using: &generator) ?? .piece)
        }
        let codes = Array(["EUR", "EUR", "EUR", "CHF", "USD"].prefix(Int.random(in: 1...5, using: &generator)))
        // Few different prices make ties, which the order of places decides.
        let isCoarse = Int.random(in: 0..<4, using: &generator) == 0
        let density = Double.random(in: 0.5...1, using: &generator)
        let places = try (0..<Int.random(in: 0...5, using: &generator)).map { place in
            var offers: [(need: Int, offer: Offer)] = []
            for need in needs.indices {
                for product in 0..<(Int.random(in: 0..<5, using: &generator) == 0 ? 3 : 1)
                where Double.random(in: 0..<1, using: &generator) < density {
                    let currency = try #require(Currency(codes.randomElement(using: &generator) ?? "EUR"))
                    let parts =
                        isCoarse
                        ? Int64.random(in: 1...3, using: &generator) * 10_000
                        : Int64.random(in: 1...200_000, using: &generator)
                    let pack =
                        Bool.random(using: &generator)
                        ? PackSize(
                            thousandths: Int64.random(in: 1...2_000_000, using: &generator),
                            Bool.random(using: &generator) ? .mass : .volume) : nil
                    let per: PriceUnit =
                        Bool.random(using: &generator)
                        ? needs[need].unit : PriceUnit.allCases.randomElement(using: &generator) ?? .piece
                    offers.append(
                        (
                            need,
                            Offer(
                                product: Int64(product), price: Money(parts: parts, currency: currency), per: per,
                                pack: pack, spread: Int.random(in: 0...250, using: &generator))
                        ))
                }
            }
            return BasketComparer.Place(id: Int64(place + 1), offers: offers)
        }
        return (needs, places)
    }

    @Test func `a place with less than 85 % of the list is not shown, and missing lines are named`() throws {
        let needs = (1...7).map { ListNeed(id: $0) }
        let result = comparer.compare(
            needs,
            at: [
                try place(1, ["1.00", "1.00", "1.00", "1.00", "1.00", nil, nil]),
                try place(2, ["2.00", "2.00", "2.00", "2.00", "2.00", "2.00", nil]),
                try place(3, ["3.00", "3.00", "3.00", "3.00", "3.00", "3.00", "3.00"]),
            ])
        let group = try #require(result.currencies.first)
        #expect(group.cheapest.map(\.place) == [2, 3], "5 of 7 are 71 %, 6 of 7 are 85.7 %")
        #expect(group.cheapest[0].missing == [7])
        #expect(group.cheapest[0].total.digits == "12.00")
        #expect(group.common?.needs == [1, 2, 3, 4, 5, 6])
        #expect(group.common?.totals.map(\.total.digits) == ["12.00", "18.00"])
        // Place 1 lacks line 6 of the cheapest place, so the split takes it there.
        #expect(group.split?.places == [1, 2])
        #expect(group.split?.saves?.digits == "5.00")
    }

    @Test func `a smaller basket does not look cheaper in the common basket`() throws {
        let needs = (1...7).map { ListNeed(id: $0) }
        let result = comparer.compare(
            needs,
            at: [
                try place(1, ["1.10", "1.10", "1.10", "1.10", "1.10", "1.10", nil]),
                try place(2, ["1.00", "1.00", "1.00", "1.00", "1.00", "1.00", "2.00"]),
            ])
        let group = try #require(result.currencies.first)
        #expect(group.cheapest.map(\.place) == [1, 2])
        #expect(group.common?.totals.map(\.place) == [2, 1])
    }

    @Test func `currencies are never added`() throws {
        let needs = [ListNeed(id: 1), ListNeed(id: 2)]
        let mixed = BasketComparer.Place(id: 1, offers: [(0, try offer("1.00")), (1, try offer("1.00", "CHF"))])
        #expect(comparer.compare(needs, at: [mixed]).currencies.isEmpty)
        let both = try place(2, ["5.00", "5.00"], "CHF")
        let result = comparer.compare(needs, at: [mixed, both])
        #expect(result.currencies.map(\.currency.code) == ["CHF"])
        #expect(result.currencies.first?.cheapest.map(\.place) == [2])
    }

    @Test func `packs are bought whole, and the unit price decides between packs`() throws {
        let need = ListNeed(id: 1, quantity: 1200, unit: .kilogram)
        let small = try offer("1.00", pack: 500)
        let large = try offer("1.80", pack: 1000)
        #expect(small.cost(of: need) == 30_000)
        #expect(large.cost(of: need) == 36_000)
        #expect(large.unitPrice?.price.digits == "1.80")
        func total(_ need: ListNeed) -> String? {
            let place = BasketComparer.Place(id: 1, offers: [(0, small), (0, large)])
            return comparer.compare([need], at: [place]).currencies.first?.cheapest.first?.total.digits
        }
        #expect(total(need) == "3.00", "three small packs")
        #expect(total(ListNeed(id: 1)) == "1.80", "one pack: the large one costs less for a kilogram")
    }

    @Test func `the range widens with the spread of each price`() throws {
        let result = comparer.compare(
            [ListNeed(id: 1), ListNeed(id: 2)],
            at: [
                BasketComparer.Place(
                    id: 1, offers: [(0, try offer("10.00", spread: 100)), (1, try offer("10.00", spread: 0))])
            ])
        let basket = try #require(result.currencies.first?.cheapest.first)
        #expect((basket.low.digits, basket.total.digits, basket.high.digits) == ("19.00", "20.00", "21.00"))
    }

    @Test func `prices that no shop has are no money`() throws {
        let euro = try #require(euro)
        for text in ["0", "0.00", "-1.00", "1e5", ".5", "5.", "1,50", "10000001", "0.00001", "NaN", ""] {
            #expect(Money(price: text, currency: euro) == nil, "\(text)")
        }
        #expect(Money(price: "10000000", currency: euro) != nil)
        #expect(Money(price: "0.0001", currency: euro)?.digits == "0.0001")
        #expect(Money(price: "12.5", currency: euro)?.digits == "12.50")
        #expect(Currency("EU") == nil && Currency("E1R") == nil && Currency("eur")?.code == "EUR")
    }

    @Test func `the largest prices and the smallest packs do not overflow`() throws {
        let offer = Offer(
            product: 1, price: Money(parts: 100_000_000_000, currency: try #require(euro)),
            pack: PackSize(thousandths: 1, .mass), spread: 1000)
        #expect(offer.cost(of: ListNeed(id: 1, quantity: .max, unit: .kilogram)) == nil)
        #expect(offer.unitPrice != nil)
        let all = (0..<500).map { (need: $0, offer: offer) }
        let needs = (0..<500).map { ListNeed(id: Int64($0), quantity: .max) }
        let result = comparer.compare(needs, at: [.init(id: 1, offers: all), .init(id: 2, offers: all)])
        #expect(result.currencies.first?.cheapest.count == 2)
    }
}
