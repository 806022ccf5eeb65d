import HTTP
import Testing

@testable import App

/// What people type in the forms of lists and prices.
@Suite struct ShopFormTests {
    @Test(arguments: [("1", 1000), ("1,5", 1500), ("0.25", 250), ("1/2", 500), ("½", 500), ("1/3", 333)])
    func `a quantity has a point, a comma or a fraction`(_ text: String, _ thousandths: Int64) throws {
        #expect(try FormBody.thousandths(text) == thousandths)
        for wrong in ["0", "-1", "1.", "1e3", "1.2345", ""] {
            #expect(throws: Problem.self, "\(wrong)") { try FormBody.thousandths(wrong) }
        }
    }
}
