import Foundation
import Groceries
import HTTP
import Household
import Hummingbird
import Store

/// Lists, prices, places, products and experiences, as JSON and as pages. They are the member's who uses the device.
struct ShoppingRoutes {
    let actions: GroceryActions
    /// The picture at an address on another server as a JPEG; nil while it is fetched, and without one.
    let picture: @Sendable (_ address: String) async -> Data?
    let shell: PageShell
    let photos: PhotoActions
    /// Knows the people whom the products of a list are judged for.
    let judged: any JudgedPhotos
    let verdicts: ProductVerdicts

    var routes: [Route] {
        listRoutes + entryRoutes + suggestionRoutes + compareRoutes + goodsRoutes + priceRoutes + receiptRoutes
            + experienceRoutes + meRoutes
    }

    func words(_ visit: Visit) -> GroceryText { GroceryText(visit.texts, today: actions.today) }

    static let unknown = [404: "There is nothing under this address, or the person may not open it."]
    static let conflicts = unknown.merging([409: "Somebody else changed the same, or the name is taken."]) { $1 }

    /// A form of a page.
    ///
    /// - Parameters:
    ///   - again: the page of the form, where the form is refused.
    ///   - body: does what the form says, and leads to the next page.
    func form(
        _ path: RoutePath, in section: Section,
        again: @escaping @Sendable (Visit) async throws -> Response,
        _ body: @escaping @Sendable (Visit, FormBody) async throws -> Response
    ) -> Route {
        shell.page(.post, path, for: .adult, in: section) { visit in
            let form = try await visit.call.form()
            return try await visit.answer(to: form) {
                try await body(visit, form)
            } refused: {
                try await again($0)
            }
        }
    }
}

extension PathParameter where Value == Int64 {
    /// The number of what a path of the API names.
    static var number: Self { PathParameter(number: "id", "The number.") }

    // In the paths of pages.
    static var entry: Self { PathParameter(number: "entry", "The entry's number.") }
    static var product: Self { PathParameter(number: "product", "The product's number.") }
    static var priceReview: Self { PathParameter(number: "review", "The number of the price that waits.") }
    static var experience: Self { PathParameter(number: "experience", "The experience's number.") }
    static var place: Self { PathParameter(number: "place", "The place's number.") }
}
