import Baskets
import Groceries
import HTTP
import Hummingbird

/// The pages of lists, prices and experiences.
struct ShoppingPages {
    let cases: ShoppingUseCases
    let shell: PageShell
    let photos: PhotoUseCases
    /// Knows the people whom the products of a list are judged for.
    let judged: any JudgedPhotos
    let verdicts: ProductVerdicts

    var routes: [Route] {
        listRoutes + entryRoutes + compareRoutes + goodsRoutes + itemRoutes + priceRoutes + feedRoutes + meRoutes
    }

    /// A form of a page.
    ///
    /// - Parameters:
    ///   - again: the page with the reason and with what was typed, where the form is refused.
    ///   - body: does what the form says, and leads to the next page.
    func form(
        _ path: RoutePath, in section: Section,
        again: @escaping @Sendable (Visit, FormBody, Problem) async throws -> Response,
        _ body: @escaping @Sendable (Visit, FormBody) async throws -> Response
    ) -> Route {
        shell.page(.post, path, for: .adult, in: section) { visit in
            let form = try await visit.call.form()
            return try await Visit.answer {
                try await body(visit, form)
            } refused: {
                try await again(visit, form, $0)
            }
        }
    }
}

/// An entry of a field from which one is chosen.
struct ShopChoice {
    let value, text: String
    let isChosen: Bool

    static func units(_ chosen: PriceUnit, _ all: [PriceUnit], _ texts: PageTexts) -> [ShopChoice] {
        all.map { unit in
            ShopChoice(value: unit.rawValue, text: texts.text("shop.unit.\(unit.rawValue)"), isChosen: unit == chosen)
        }
    }
}

/// A list that a product can be added to.
struct ListName {
    let id, name: String

    init(_ list: GroceryList) {
        id = "\(list.id)"
        name = list.name
    }
}

/// A list in the links from one list to the others.
struct ListLink {
    let id, name: String
    let isCurrent: Bool

    static func all(_ lists: [GroceryList], current: GroceryList?) -> [ListLink] {
        lists.map { ListLink(id: "\($0.id)", name: $0.name, isCurrent: $0.id == current?.id) }
    }
}
