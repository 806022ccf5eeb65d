import Foundation
import Foods
import Testing

@Suite struct LabelAmountTests {
    private func grams(_ amount: Amount?) -> Double? { amount.map { ($0.value as NSDecimalNumber).doubleValue } }

    @Test(
        arguments: [
            ("2 biscuits = 31g", 31.0), ("1 tranche (27 g)", 27), ("0,75 l", 750), ("12 fl oz", 360), ("1.2 kg", 1200),
            ("250mg", 0.25), ("3 oz", 85.0486), ("35 someunit (90g)", 90), ("7 dl", 700), ("1 000 g", 1000),
        ] as [(String, Double)])
    func `a serving is the first amount with a unit`(text: String, grams: Double) throws {
        let found = try #require(self.grams(ServingText.serving(text)), "\(text)")
        #expect(abs(found - grams) < 0.001 * grams, "\(text)")
    }

    @Test(
        arguments: [
            ("6 x 33 cl", 1980.0), ("3x20g", 60), ("2 pots de 125 g", 250), ("5 Packungen 90 g", 90), ("750 ml", 750),
        ] as [(String, Double)])
    func `a quantity counts the pieces`(text: String, grams: Double) {
        #expect(self.grams(ServingText.quantity(text)) == grams, "\(text)")
    }

    @Test(arguments: ["", "one portion", "5 garlic", "12 grapes", "serving", "9999999999999999999999 kg"])
    func `a text without a unit has no amount`(text: String) {
        #expect(grams(ServingText.serving(text)) == nil, "\(text)")
    }
}
