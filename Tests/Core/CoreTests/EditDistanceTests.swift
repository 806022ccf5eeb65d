import Core
import TestSupport
import Testing

@Suite("Edit distance")
struct EditDistanceTests {
    /// Reference implementation without a band.
    private func reference(_ a: [UInt8], _ b: ArraySlice<UInt8>, _ costs: EditDistance) -> Int {
        let b = Array(b)
        let isTyped = costs.between("ab", "ba", limit: 9) == 2
        let isPrint = costs.between("rn", "m", limit: 9) == 1
        let (rn, m) = (Array("rn".utf8), UInt8(ascii: "m"))
        var rows = Array(repeating: Array(repeating: 0, count: b.count + 1), count: a.count + 1)
        for i in 0...a.count {
            for j in 0...b.count {
                if i == 0 || j == 0 {
                    rows[i][j] = 2 * (i + j)
                    continue
                }
                let change = costs.between([a[i - 1]], [b[j - 1]], limit: 2)
                var cost = min(rows[i - 1][j] + 2, rows[i][j - 1] + 2, rows[i - 1][j - 1] + change)
                let (first, second) = (Array(a[..<i].suffix(2)), Array(b[..<j].suffix(2)))
                if isPrint, first == rn, b[j - 1] == m { cost = min(cost, rows[i - 2][j - 1] + 1) }
                if isPrint, second == rn, a[i - 1] == m { cost = min(cost, rows[i - 1][j - 2] + 1) }
                if isTyped, first.count == 2, first == second.reversed() { cost = min(cost, rows[i - 2][j - 2] + 2) }
                rows[i][j] = cost
            }
        }
        return rows[a.count][b.count]
    }

    @Test func `the distance equals the reference up to its limit, and its filter keeps near words`() {
        var generator = SeededGenerator(seed: 7)
        func word() -> [UInt8] {
            (0..<Int.random(in: 1...8, using: &generator)).map { _ in
                "rnmcelo0i1pk".utf8.randomElement(using: &generator) ?? 0x61
            }
        }
        for costs in [EditDistance.print, .phrase, .typed, .plain] {
            for _ in 0..<400 {
                let (a, b) = (word(), word())
                let ends = (0...b.count).map { reference(a, b[..<$0], costs) }
                let parts = (0...b.count).flatMap { start in
                    (start...b.count).map { reference(a, b[start..<$0], costs) }
                }
                for (extent, plain) in [
                    (EditDistance.Extent.whole, ends.last), (.beginning, ends.min()), (.inside, parts.min()),
                ] {
                    let plain = plain ?? 0
                    for limit in [2, 4, 6] {
                        let quick = costs.between(a, b[...], limit: limit, extent)
                        #expect(plain <= limit ? quick == plain : quick > limit, "\(a) \(b) \(extent) within \(limit)")
                    }
                }
                let apart = costs.classes(of: a[...]) &- costs.classes(of: b[...])
                let whole = costs.between(a, b[...], limit: 40)
                #expect(whole >= Int(pointwiseMax(apart, 0 &- apart).wrappedSum()))
                #expect(whole >= costs.sought(a).least(b[...]), "\(a) \(b)")
            }
            for a in [[], word()] {
                #expect(costs.between(a, [], limit: 40) == 2 * a.count)
                #expect(costs.between([], a[...], limit: 40) == 2 * a.count)
            }
        }
    }

    @Test func `without confused letters the bound is the distance, for words of up to 64 letters`() {
        var generator = SeededGenerator(seed: 8)
        func word() -> [UInt8] {
            (0..<Int.random(in: 1...64, using: &generator)).map { _ in "pkxw".utf8.randomElement(using: &generator) ?? 0
            }
        }
        for _ in 0..<400 {
            let (a, b) = (word(), word())
            #expect(EditDistance.print.sought(a).least(b[...]) == EditDistance.print.between(a, b[...], limit: 200))
        }
        let long = [UInt8](repeating: 0x70, count: 65)
        #expect(EditDistance.print.sought(long).least([]) == 0)
        #expect(EditDistance.typed.sought(Array("ab".utf8)).least([0x62, 0x61]) <= 2)
    }

    @Test(arguments: [
        ("protoln", "protein", EditDistance.phrase, 2), ("protoln", "protein", .print, 3),
        ("sodiurn", "sodium", .print, 1),
        ("slat", "salt", .typed, 2), ("slat", "salt", .print, 4), ("молако", "молоко", .typed, 2),
        ("müsli", "musli", .typed, 2), ("oat fiber", "oat fibre", .plain, 4), ("oat fiber", "oat fibre", .typed, 2),
    ])
    func `letters that print confuses cost half, and swapped neighbours are one error of typing`(
        one: String, other: String, costs: EditDistance, distance: Int
    ) {
        #expect(costs.between(one, other, limit: 8) == distance)
    }
}
