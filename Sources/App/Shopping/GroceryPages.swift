import HTTP
import Foundation
import Groceries
import Household

/// Lists and prices for the pages.
extension GroceryService: WebGroceries {
    func people() throws -> [String] { try Household(store).members().filter { $0.role == .adult }.map(\.name) }

    func completed(_ product: NewProduct) -> NewProduct {
        var product = product
        complete(&product)
        return product
    }


    func run<Value: Sendable>(_ work: @Sendable (Groceries) throws -> Value) throws -> Value {
        try Self.explaining { try work(groceries) }
    }
}
