import Foods
import Catalogue
import Core
import Foundation
import Groceries
import HTTP
import Store

/// What a member can do with lists, prices and experiences. Runs on a thread of its own, because SQLite blocks.
///
/// Each function takes the name of the person who acts.
actor ShoppingUseCases {
    private let executor = ThreadExecutor(label: "shopping")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    nonisolated let groceries: Groceries
    let catalogue: Catalogue
    nonisolated let foods: FoodWords
    /// The names of the products, prepared for suggestions.
    var names: PreparedNames?
    let fetched: @Sendable (_ address: String) async -> Data?

    /// - Parameters:
    ///   - foods: the aisles of goods and their names in other languages.
    ///   - picture: the picture at an address on another server as a JPEG; nil while it is fetched, and without one.
    init(
        _ groceries: Groceries, catalogue: Catalogue, foods: FoodWords,
        picture: @escaping @Sendable (_ address: String) async -> Data?
    ) {
        self.groceries = groceries
        self.catalogue = catalogue
        self.foods = foods
        fetched = picture
    }

    /// The day from which prices age.
    nonisolated var today: Day { groceries.today }

    /// A numbered product with the name that the catalogue knows.
    func completed(_ product: NewProduct) -> NewProduct {
        guard product.name == nil, let gtin = product.gtin.flatMap({ GTIN(typed: $0) }),
            let known = try? catalogue.product(gtin)
        else { return product }
        var product = product
        product.name = known.name
        product.brand = known.brand
        product.quantity = known.quantity
        return product
    }
}

extension GroceryProblem: AppError {
    package var problem: Problem {
        switch self {
        case .notFound: Problem(404, "notFound", message)
        case .bad: Problem(400, "badRequest", message)
        case .changed, .own: Problem(409, "conflict", message)
        }
    }
}
