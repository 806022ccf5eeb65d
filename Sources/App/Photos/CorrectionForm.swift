import Core
import HTTP

/// What the forms of a result send, as reviews of its photo.
enum CorrectionForm {
    private static let parts: [(field: String, action: Review.Action)] = [
        ("name", .rename), ("price", .price), ("description", .describe), ("section", .section),
    ]

    /// What was changed in the form. Each field comes with what it showed, so that what another person changed
    /// meanwhile stays.
    ///
    /// - Throws: ``Problem`` (400) for a form that says nothing.
    static func reviews(_ form: FormBody, of photo: String) throws -> [ReviewBody] {
        let bodies: [ReviewBody]
        switch form["do"] {
        case "save": bodies = answers(form, photo) + changes(form, photo)
        case "notADish": bodies = [body(form, photo, .notADish)]
        case "dish": bodies = missing(form, photo)
        case "product": bodies = [body(form, photo, .product, form["name"])]
        case "line":
            let description = [form["description"], form["name"]].filter { !$0.isEmpty }.joined(separator: ", ")
            bodies = [body(form, photo, .describe, description)]
        case "joinName": bodies = joined(form, photo, toName: true)
        case "joinText": bodies = joined(form, photo, toName: false)
        case let text where text.hasPrefix("split "): bodies = split(form, photo, at: text.dropFirst(6))
        default:
            throw Problem(400, "badRequest", "do is save, notADish, dish, product, line, joinName, joinText or split")
        }
        guard !bodies.isEmpty else { throw Problem(400, "nothingSaid", "nothing was changed or answered") }
        return bodies
    }

    static func body(
        _ form: FormBody, _ photo: String, _ action: Review.Action, _ value: String? = nil
    ) -> ReviewBody {
        ReviewBody(id: photo, item: form["item"], action: action, value: value, place: Quad(rectangle: form["place"]))
    }

    private static func answers(_ form: FormBody, _ photo: String) -> [ReviewBody] {
        let before = form.all("was.a.")
        return form.all("a.").sorted { $0.key < $1.key }.filter { before[$0.key] != $0.value }.map { key, value in
            var answer = body(form, photo, .edit, value)
            answer.allergen = Allergen(rawValue: key)
            return answer
        }
    }

    private static func changes(_ form: FormBody, _ photo: String) -> [ReviewBody] {
        parts.filter { form.has($0.field) && form[$0.field] != form["was.\($0.field)"] }.map { field, action in
            body(form, photo, action, form[field])
        }
    }

    /// A dish that the program did not find. A price may stand behind its name.
    private static func missing(_ form: FormBody, _ photo: String) -> [ReviewBody] {
        var (name, price) = (form["name"], form["price"])
        if price.isEmpty, let parts = priceBehind(name) { (name, price) = parts }
        var added = body(form, photo, .addDish, price)
        added.item = name
        guard form.has("section"), !form["section"].isEmpty else { return [added] }
        var moved = body(form, photo, .section, form["section"])
        moved.item = name
        return [added, moved]
    }

    /// The name and the price of `Fruit salad ... € 5.10`. Read from the end, in one pass.
    ///
    /// - Returns: nil for a text without a price, or that is too long for a name.
    private static func priceBehind(_ text: String) -> (name: String, price: String)? {
        guard Review.isShort(text) else { return nil }
        var rest = Array(text)[...]
        // A currency such as EUR.
        let mark = rest.reversed().prefix { !isDigit($0) }
        guard mark.count <= 3 || mark.count == 4 && mark.last?.isWhitespace == true else { return nil }
        rest = rest.dropLast(mark.count)
        let cents = rest.suffix(3)
        guard cents.count == 3, cents.dropFirst().allSatisfy(isDigit), let point = cents.first, ".,".contains(point)
        else { return nil }
        let whole = Array(rest.dropLast(3).reversed().prefix(while: isDigit).reversed())
        guard (1...5).contains(whole.count) else { return nil }
        rest = rest.dropLast(3 + whole.count)
        let marked = rest.last?.isWhitespace == true ? rest.dropLast() : rest
        if let sign = marked.last, !sign.isLetter, !sign.isNumber, !sign.isWhitespace, !isGap(sign) {
            rest = marked.dropLast()
        }
        let gap = rest.reversed().prefix(while: isGap).count
        guard gap > 0, gap < rest.count else { return nil }
        return (String(rest.dropLast(gap)), String(whole + cents))
    }

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }

    private static func isGap(_ character: Character) -> Bool { " .…".contains(character) }
}
