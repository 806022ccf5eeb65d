import Core
import Foundation
import HTTP

/// How the lines of a dish can be arranged otherwise: joined to the dish above, or split into two dishes.
struct DishShape {
    /// The dish that is printed above.
    struct Above { let item, place, name, price, description, asName, asText: String }

    /// What stays of the dish, and the dish that begins in one of its lines.
    struct Split {
        /// The number of its button.
        var n = ""
        let text: String
        let keptName, keptPrice, keptDescription: String
        let name, price, description, place: String
    }

    let above: Above?
    let splits: [Split]

    private static let mostSplits = 3

    init(_ item: Menu.Item, _ shown: ShownOutcome) {
        let dishes = (shown.outcome.menu?.sections ?? []).flatMap(\.items)
        let number = dishes.firstIndex { $0.name == item.name && $0.box == item.box }
        above = number.flatMap { $0 > 0 ? Above(dishes[$0 - 1], shown) : nil }
        splits = Array(Self.splits(of: item, shown).prefix(Self.mostSplits))
    }

    private static func splits(of item: Menu.Item, _ shown: ShownOutcome) -> [Split] {
        guard let box = item.box else { return [] }
        let lines = (shown.outcome.readings.text?.lines ?? []).filter { box.covers($0.box) > 0.5 }
            .sorted { $0.box.center.y < $1.box.center.y }
        let text = item.description ?? ""
        let (inName, inText) = (starts(of: lines, in: item.name).filter { $0.at > 0 }, starts(of: lines, in: text))
        func part(_ text: String, _ range: Range<Int>) -> String {
            String(text.dropFirst(range.lowerBound).prefix(range.count)).trimmingCharacters(in: .whitespaces)
        }
        let own = item.prices
        func split(_ line: TextLine, name: String, rest: String, keptName: String, keptText: String) -> Split? {
            guard let place = Quad(around: lines.filter { $0.box.center.y >= line.box.center.y }.map(\.box)) else {
                return nil
            }
            return Split(
                text: shown.texts.text("dish.split", ["x": name]), keptName: keptName,
                keptPrice: shown.prices(own.count == 2 ? Array(own.prefix(1)) : own), keptDescription: keptText,
                name: name, price: shown.prices(own.count == 2 ? Array(own.suffix(1)) : []), description: rest,
                place: place.rectangle)
        }
        let ofName = inName.map { start in
            split(
                start.line, name: part(item.name, start.at..<item.name.count), rest: text,
                keptName: part(item.name, 0..<start.at), keptText: "")
        }
        let ofText = inText.enumerated().map { number, start in
            let end = number + 1 < inText.count ? inText[number + 1].at : text.count
            return split(
                start.line, name: part(text, start.at..<end), rest: part(text, end..<text.count), keptName: item.name,
                keptText: part(text, 0..<start.at))
        }
        return (ofName + ofText).compactMap(\.self).enumerated().map { number, split in
            var numbered = split
            numbered.n = "\(number + 1)"
            return numbered
        }
    }

    /// Where lines begin in a text that was made of them, in characters.
    private static func starts(of lines: [TextLine], in text: String) -> [(line: TextLine, at: Int)] {
        var found: [(line: TextLine, at: Int)] = []
        var from = text.startIndex
        for line in lines {
            let words = line.words.map(\.text)
            let beginnings = stride(from: min(3, words.count), to: 0, by: -1).map {
                words.prefix($0).joined(separator: " ")
            }
            let range = beginnings.lazy.filter { $0.count { $0.isLetter } >= 3 }.compactMap {
                text.range(of: $0, range: from..<text.endIndex)
            }.first
            guard let range else { continue }
            found.append((line, text.distance(from: text.startIndex, to: range.lowerBound)))
            from = range.upperBound
        }
        return found
    }
}

extension DishShape.Above {
    fileprivate init(_ dish: Menu.Item, _ shown: ShownOutcome) {
        item = dish.corrected?.system?.name ?? dish.name
        place = dish.box?.rectangle ?? ""
        name = dish.name
        price = shown.prices(dish.prices)
        description = dish.description ?? ""
        asName = shown.texts.text("dish.join.name", ["x": dish.name])
        asText = shown.texts.text("dish.join.text", ["x": dish.name])
    }
}

/// What the buttons of a ``DishShape`` send, as reviews of the photo.
extension CorrectionForm {
    /// The dish becomes a part of the one above.
    static func joined(_ form: FormBody, _ photo: String, toName: Bool) -> [ReviewBody] {
        func above(_ action: Review.Action, _ value: String) -> ReviewBody {
            ReviewBody(
                id: photo, item: form["above.item"], action: action, value: value,
                place: Quad(rectangle: form["above.place"]))
        }
        func together(_ parts: String...) -> String { parts.filter { !$0.isEmpty }.joined(separator: " ") }
        let (name, text) = (form["name"], form["description"])
        var bodies = [body(form, photo, .notADish)]
        if toName { bodies.append(above(.rename, together(form["above.name"], name))) }
        let description = together(form["above.description"], toName ? "" : name, text)
        if description != form["above.description"] { bodies.append(above(.describe, description)) }
        let prices = [form["above.price"], form["price"]].filter { !$0.isEmpty }
        if !form["price"].isEmpty, prices != [form["above.price"], form["above.price"]] {
            bodies.append(above(.price, prices.joined(separator: " / ")))
        }
        return bodies
    }

    /// One of the dish's lines begins a dish of its own.
    static func split(_ form: FormBody, _ photo: String, at number: Substring) -> [ReviewBody] {
        func field(_ name: String) -> String { form["split.\(number).\(name)"] }
        guard !field("name").isEmpty else { return [] }
        func own(_ action: Review.Action, _ value: String) -> ReviewBody { body(form, photo, action, value) }
        func new(_ action: Review.Action, _ value: String) -> ReviewBody {
            ReviewBody(
                id: photo, item: field("name"), action: action, value: value, place: Quad(rectangle: field("place")))
        }
        let kept = [(Review.Action.rename, "name"), (.price, "price"), (.describe, "description")]
            .filter { field("kept.\($0.1)") != form["was.\($0.1)"] }.map { own($0.0, field("kept.\($0.1)")) }
        return kept + [new(.addDish, field("price"))]
            + (field("description").isEmpty ? [] : [new(.describe, field("description"))])
    }
}
