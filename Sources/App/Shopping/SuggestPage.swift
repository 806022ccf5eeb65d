import Groceries

/// Products for a typed word, each with a button that adds it to the list.
struct SuggestPage: Page {
    static let template = "suggest"
    static let styles = ["form", "shop"]

    struct Row {
        /// Name and value of the button.
        let field, value: String
        let name, facts: String
        /// How many were last bought; nil for one.
        let last: String?
    }

    let heading, list, listName, typed: String
    let rows: [Row]
    /// `Add “jog” as it is`
    let asTyped: String

    init(_ found: [GrocerySuggestion], for typed: String, on list: GroceryList, _ words: GroceryText) {
        let texts = words.texts
        heading = texts.text("suggest.head", ["text": typed])
        self.list = "\(list.id)"
        listName = list.name
        self.typed = typed
        asTyped = texts.text("suggest.typed", ["text": typed])
        rows = found.map { found in
            var facts = found.isOnList ? [texts.text("suggest.onlist")] : []
            if let price = found.price, let date = found.date {
                let amount = words.price(price, found.per ?? .piece)
                let place = found.place.map { texts.text("suggest.at", ["price": amount, "place": $0]) }
                facts += [place ?? amount, words.age(date)]
            } else {
                facts += [found.brand, texts.text("suggest.noprice")].compactMap { $0 }
            }
            let last = found.quantity.map { words.quantity($0, found.unit ?? .piece) } ?? ""
            return Row(
                field: found.product == nil ? "gtin" : "product",
                value: found.product.map { "\($0)" } ?? found.gtin ?? found.name, name: found.name,
                facts: facts.joined(separator: ", "),
                last: last.isEmpty ? nil : texts.text("suggest.last", ["quantity": last]))
        }
    }
}
