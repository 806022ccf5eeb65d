import Foundation
import Testing

@testable import Foods

@Suite struct PortionTextTests {
    private func food(_ servings: [Serving], density: Decimal? = nil) -> Food {
        Food(
            id: "off:1", name: "Test", calories: 400, protein: 10, carbs: 50, fat: 20, defaultServing: servings[0],
            altServings: Array(servings.dropFirst()), source: .verified, density: density)
    }
    private let hundred = Serving(sizeLabel: "100 g", grams: 100, multiplier: 1)

    private func grams(_ text: String, _ food: Food) throws -> Decimal? { try PortionText.parse(text, of: food).grams }

    private func refusal(_ text: String, _ food: Food) -> PortionRefusal.Code? {
        do throws(PortionRefusal) {
            _ = try PortionText.parse(text, of: food)
            return nil
        } catch { return error.code }
    }

    @Test func `weights, counts and parts of a package are portions`() throws {
        let bar = food([
            Serving(sizeLabel: "1 bar (40 g)", grams: 40, multiplier: 0.4), hundred,
            Serving(sizeLabel: "1 pack (200 g)", grams: 200, multiplier: 2),
        ])
        #expect(try grams("150 g", bar) == 150)
        #expect(try grams("2 bars", bar) == 80)
        #expect(try grams("½ pack", bar) == 100)
        #expect(try grams("half a pack", bar) == 100)
        #expect(try grams("2", bar) == 80)
        #expect(try grams("1 bar (40 g)", bar) == 40)
        #expect(try grams("3 servings", bar) == 120)
        #expect(try grams("a bar", bar) == 40)
        #expect(try grams("1 oz", bar) == Decimal(string: "28.349523125"))
        #expect(try PortionText.parse("150 g", of: bar).multiplier == Decimal(string: "1.5"))
    }

    @Test func `a volume needs the density of the record`() throws {
        #expect(refusal("1 cup", food([hundred])) == .noDensity)
        #expect(refusal("200 ml", food([hundred])) == .noDensity)
        #expect(try grams("1 cup", food([hundred], density: Decimal(string: "0.5"))) == 120)
        #expect(try grams("50 ml", food([Serving(sizeLabel: "30 g (25 ml)", grams: 30, multiplier: 0.3)])) == 60)
    }

    @Test func `cups are those of the record where it has cups`() throws {
        let cereal = food([Serving(sizeLabel: "3/4 cup (30 g)", grams: 30, multiplier: 0.3), hundred])
        #expect(try grams("1 cup", cereal) == 40)
        #expect(try grams("1 ½ cups", cereal) == 60)
    }

    @Test func `drinks are recorded by volume`() throws {
        let drink = food([Serving(sizeLabel: "1 can (330 ml)", grams: 330, multiplier: 3.3)])
        #expect(try grams("250 ml", drink) == 250)
        #expect(try grams("2 dl", drink) == 200)
        #expect(refusal("100 g", drink) == .noDensity)
    }

    @Test func `what cannot be calculated is refused with the reason`() {
        let quick = Food.quick(id: "1", name: "Lunch", calories: 500)
        #expect(refusal("100 g", quick) == .noWeight)
        #expect(refusal("2 bars", food([hundred])) == .noSuchServing)
        #expect(refusal("", food([hundred])) == .notUnderstood)
        #expect(refusal("30 kg", food([hundred])) == .outOfRange)
        #expect(refusal("0", food([hundred])) == .outOfRange)
        #expect(refusal("2", quick) == nil)
    }

    @Test func `any text is refused or read, without a crash`() {
        let letters = Array("0129 ,.'/½gmlcup barhalfa()")
        let bar = food([Serving(sizeLabel: "1 bar (40 g)", grams: 40, multiplier: 0.4), hundred])
        for _ in 0..<3000 {
            let text = String((0..<Int.random(in: 0...20)).map { _ in letters.randomElement() ?? " " })
            if let serving = try? PortionText.parse(text, of: bar) { #expect(serving.fault == nil, "\(text)") }
        }
    }
}
