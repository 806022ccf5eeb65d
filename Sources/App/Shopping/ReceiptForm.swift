import Foods
import Foundation
import Groceries
import HTTP

/// What a person typed on the page of a receipt. Each line has fields that end with its number.
struct ReceiptForm {
    let body: FormBody
    /// The first lines of products whose equal lines are not merged.
    let apart: Set<Int>

    init(_ body: FormBody) {
        self.body = body
        apart = Set(body.all("apart").keys.compactMap { Int($0) })
    }

    /// A product that was chosen by its button, `line:product`.
    private func picked(_ line: ReceiptLine) -> Int64? {
        let parts = body["pick"].split(separator: ":")
        return parts.count == 2 && parts[0] == "\(line.line)" ? Int64(parts[1]) : nil
    }

    /// The corrections of lines, by first line.
    ///
    /// - Throws: `Problem` (400) for a price or a count that is no number above 0.
    func corrections(_ content: ReceiptContent) throws -> [Int: ReceiptCorrection] {
        var found: [Int: ReceiptCorrection] = [:]
        for line in content.reading.lines where line.hasForm && body.has("name\(line.line)") {
            var correction = ReceiptCorrection(line: line.line)
            let (name, product) = (body["name\(line.line)"], Int64(body["product\(line.line)"]))
            if let product = picked(line) {
                correction.product = product
            } else if let product, name == content.names[product] {
                correction.product = product == line.product ? nil : product
            } else if !name.isEmpty, name != line.name {
                correction.name = name
            }
            correction.price = try changed("price", line.line, line.price)
            correction.count = try changed("count", line.line, line.count)
            let per = PriceUnit(rawValue: body["per\(line.line)"])
            correction.per = per == line.per ? nil : per
            let isNot = body["not\(line.line)"] == "yes"
            correction.isProduct = isNot == (line.state == .rejected) ? nil : !isNot
            correction.isChecked = body["seen\(line.line)"] == "yes" || picked(line) != nil ? true : nil
            if correction != ReceiptCorrection(line: line.line) { found[line.line] = correction }
        }
        return found
    }

    private func changed(_ field: String, _ line: Int, _ old: String) throws -> String? {
        let text = body["\(field)\(line)"].replacing(",", with: ".")
        guard !text.isEmpty, text != old else { return nil }
        guard let parts = ReceiptReading.parts(text), parts > 0 else {
            throw Problem(400, "badRequest", "“\(text.prefix(20))” is not a number above 0")
        }
        return parts == ReceiptReading.parts(old) ? nil : text
    }

    /// The address of a receipt's page with what was typed for the whole receipt and for the corrected lines.
    func address(of photo: String, corrected: some Sequence<Int>, undone: Int) -> String {
        let lines = corrected.sorted().flatMap { line in Self.fields.map { "\($0)\(line)" } }
        let typed = (lines + apart.sorted().map { "apart\($0)" }).compactMap { name in
            body.text(name).map { "&\(name)=\($0.escaped)" }
        }
        return "/receipts/\(photo)".with([
            "shop": body.text("shop"), "date": body.text("date"), "total": body.text("total"), "currency": currency,
            "pick": body.text("pick"), "undone": "\(undone)",
        ]) + typed.joined()
    }

    /// Of a line.
    private static let fields = ["name", "product", "price", "count", "per", "not", "seen"]

    /// The currency that was typed, or chosen by its button.
    var currency: String? { (body.text("money") ?? body.text("currency"))?.uppercased() }

    /// The total, if it was corrected.
    func total(_ reading: ReceiptReading) -> String? {
        let text = body["total"].replacing(",", with: ".")
        return text.isEmpty || text == reading.total ? nil : ReceiptReading.parts(text).map { _ in text }
    }

    /// How many accepted prices the form changes; 0 for a form that is not valid yet.
    func changes(_ content: ReceiptContent) -> Int {
        guard let answer = try? answer(content) else { return 0 }
        // A shop that is not known yet is another one.
        let place = answer.place ?? answer.shop.map { _ in -1 }
        return content.reading.changes(answer, at: place).count
    }

    /// The answer to the receipt.
    ///
    /// - Parameter line: the only line that is decided, which a person has looked at; nil for all.
    /// - Throws: `Problem` (400) for what is no date, currency, price or count.
    func answer(_ content: ReceiptContent, only line: Int? = nil) throws -> ReceiptAnswer {
        var corrections = try corrections(content)
        if let line { corrections[line, default: ReceiptCorrection(line: line)].isChecked = true }
        var answer = ReceiptAnswer(Array(corrections.values))
        answer.only = line.map { [$0] }
        (answer.date, answer.currency) = (try body.day("date"), currency)
        (answer.total, answer.apart) = (total(content.reading), Array(apart))
        let shop = body["shop"]
        if let known = content.places.first(typed: shop) {
            answer.place = known.id
        } else if !shop.isEmpty {
            answer.shop = NewPlace(name: shop, address: content.reading.address.map { String($0.prefix(300)) })
        }
        return answer
    }
}

extension ReceiptLine {
    /// False for what has no price.
    var hasForm: Bool { state != .priceless }
}
