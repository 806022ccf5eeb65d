import Foundation
import Groceries
import HTTP
import HTTPTypes
import Hummingbird
import Meals

/// What people report about prices, shops and products, with comments.
struct FeedPage {
    struct Content: Sendable {
        var experiences: [Experience]
        var kind: Experience.Kind?
        var places: [GroceryPlace]
        /// The product that a new experience is about.
        var product: GroceryProduct?
        var today: Day
    }

    let content: Content
    let texts: PageTexts
    var draft: FormBody?
    var error: Problem?

    /// Experiences on one page.
    static let shown = 15
    private static let shownPlaces = 100

    func values() -> Values {
        let words = GroceryText(texts, today: content.today)
        let shown = content.experiences.prefix(Self.shown)
        var values: Values = [
            "experiences": Self.rows(Array(shown), words: words), "isEmpty": shown.isEmpty,
            "kinds": Experience.Kind.allCases.map { kind -> Values in
                [
                    "value": kind.rawValue, "text": texts.text("feed.kind.\(kind.rawValue)"),
                    "isChosen": kind == content.kind,
                ]
            },
            "newKinds": Experience.Kind.allCases.filter { $0 != .priceUpdate }.map { kind -> Values in
                let chosen = draft?["kind"] ?? (content.product == nil ? "general" : "product_review")
                return [
                    "value": kind.rawValue, "text": texts.text("feed.kind.\(kind.rawValue)"),
                    "isChosen": kind.rawValue == chosen,
                ]
            },
            "ratings": (1...5).map { "\($0)" },
            "places": content.places.prefix(Self.shownPlaces).map { place -> Values in
                ["value": "\(place.id)", "text": place.name, "isChosen": "\(place.id)" == draft?["place"]]
            },
            "comment": draft?["comment"] ?? "",
        ]
        if let product = content.product {
            values["about"] = ["product": "\(product.id)", "name": product.name] as Values
        }
        if let error { values["error"] = AddPage.refusal(error, texts) }
        if content.experiences.count > Self.shown, let last = shown.last {
            values["older"] = "/feed?before=\(last.id)" + (content.kind.map { "&kind=\($0.rawValue)" } ?? "")
        }
        return values
    }

    // MARK: Rows

    /// Comments that a feed shows of one experience; its own page has all.
    private static let shownComments = 12

    static func rows(_ experiences: [Experience], words: GroceryText, isWhole: Bool = false) -> [Values] {
        experiences.map { experience in
            var values = words.contributor(experience.by, experience.level)
            var left = isWhole ? Int.max : shownComments
            let answers = self.answers(experience.comments, of: experience.id, words: words, left: &left)
            values["experience"] = "\(experience.id)"
            values["kind"] = words.texts.text("feed.kind.\(experience.kind.rawValue)")
            values["date"] = words.date(experience.at)
            values["datetime"] = experience.at.formatted(.iso8601)
            values["comment"] = experience.comment.isEmpty ? false : experience.comment
            values["answers"] = answers
            values["hasMore"] = left == 0 && !isWhole
            values["product"] = experience.product.map { "\($0)" } ?? false
            values["productName"] = experience.productName ?? ""
            values["placeName"] = experience.placeName ?? false
            values["stars"] = false
            if let rating = experience.rating {
                values["stars"] =
                    [
                        "text": String(repeating: "★", count: rating) + String(repeating: "☆", count: 5 - rating),
                        "label": words.texts.text("feed.rating.of", ["n": "\(rating)"]),
                    ] as Values
            }
            values["change"] = false
            if let before = experience.priceBefore, let price = experience.price {
                values["change"] = words.texts.text(
                    "feed.change", ["old": words.money(before), "new": words.money(price)])
            }
            return values
        }
    }

    /// - Parameter left: comments that may still be shown.
    private static func answers(
        _ answers: [Experience.Answer], of experience: Int64, words: GroceryText, left: inout Int
    ) -> [Values] {
        var rows: [Values] = []
        for answer in answers where left > 0 {
            left -= 1
            var values = words.contributor(answer.by, answer.level)
            values["text"] = answer.text
            values["date"] = words.date(answer.at)
            values["reply"] = "/feed/\(experience)?to=\(answer.id)#reply"
            values["replyName"] = words.texts.text(
                "feed.reply.name", ["name": answer.by ?? words.texts.text("shop.nobody")])
            // Each row needs the key: a missing one would be looked up in the row around it, without end.
            values["answers"] = self.answers(answer.answers, of: experience, words: words, left: &left)
            rows.append(values)
        }
        return rows
    }
}

/// One experience with all its comments, and the form for another one.
struct ThreadPage {
    let experience: Experience
    let today: Day
    let texts: PageTexts
    /// The comment that is answered; nil for the experience itself.
    var answering: Int64?
    var draft = ""
    var error: Problem?

    func values() -> Values {
        let words = GroceryText(texts, today: today)
        var values: Values = [
            "experiences": FeedPage.rows([experience], words: words, isWhole: true),
            "thread": "\(experience.id)", "text": draft, "answering": answering.map { "\($0)" } ?? "",
        ]
        if let answered = answering.flatMap({ Self.find($0, experience.comments) }) {
            values["answered"] = texts.text(
                "feed.answered", ["name": answered.by ?? texts.text("shop.nobody"), "text": answered.text])
        }
        if let error { values["error"] = AddPage.refusal(error, texts) }
        return values
    }

    private static func find(_ id: Int64, _ answers: [Experience.Answer]) -> Experience.Answer? {
        for answer in answers {
            if answer.id == id { return answer }
            if let found = find(id, answer.answers) { return found }
        }
        return nil
    }
}

extension WebRoutes {
    func addFeed(to routes: RouterGroup<APIContext>) {
        routes.get("feed") { request, context in
            try await shopPage(request, context, section: "feed") { try await feedPage(request, $0) }
        }
        routes.post("feed") { request, context in
            try await shopForm(
                request, context, section: "feed", again: { try await feedPage(request, $0, draft: $1, error: $2) }
            ) { shopper, form in
                guard let kind = Experience.Kind(rawValue: form["kind"]), kind != .priceUpdate else {
                    throw Problem(400, "badRequest", "choose what the experience is about")
                }
                let new = NewExperience(
                    kind: kind, rating: Int(form["rating"]), comment: form["comment"],
                    product: try Self.number(form["product"]), place: try Self.number(form["place"]))
                let posted = try await groceries.run { try $0.post(new, by: shopper.person) }
                return "/feed#x\(posted.id)"
            }
        }
        routes.get("feed/{experience}") { request, context in
            let id = try Self.id(context, "experience")
            return try await shopPage(request, context, section: "feed") { _ in
                try await threadPage(request, id, answering: try Self.number(FormBody(queryOf: request)["to"]))
            }
        }
        routes.post("feed/{experience}") { request, context in
            let id = try Self.id(context, "experience")
            return try await shopForm(
                request, context, section: "feed",
                again: {
                    try await threadPage(
                        request, id, answering: Self.number($1["answering"]), draft: $1["text"], error: $2)
                }
            ) { shopper, form in
                let answering = try Self.number(form["answering"])
                _ = try await groceries.run {
                    try $0.comment(form["text"], on: id, answering: answering, by: shopper.person)
                }
                return "/feed/\(id)"
            }
        }
    }

    private func feedPage(
        _ request: Request, _ shopper: Shopper, draft: FormBody? = nil, error: Problem? = nil
    ) async throws -> Response {
        let query = FormBody(queryOf: request)
        let kind = Experience.Kind(rawValue: query["kind"])
        let before = try Self.number(query["before"])
        let product = try Self.number(draft?["product"] ?? query["product"])
        let content = try await groceries.run { groceries in
            FeedPage.Content(
                experiences: try groceries.experiences(kind: kind, before: before, limit: FeedPage.shown + 1),
                kind: kind, places: try groceries.places(for: shopper.person),
                product: try product.flatMap { try groceries.product($0) }, today: groceries.today)
        }
        let texts = try language(request).texts
        let shown = FeedPage(content: content, texts: texts, draft: draft, error: error)
        return try page(
            request, "feed", section: "feed", heading: texts.text("feed.head"), shown.values(),
            status: error?.status ?? .ok)
    }

    private func threadPage(
        _ request: Request, _ id: Int64, answering: Int64?, draft: String = "", error: Problem? = nil
    ) async throws -> Response {
        let (experience, today) = try await groceries.run { (try $0.experience(id), $0.today) }
        let texts = try language(request).texts
        let shown = ThreadPage(
            experience: experience, today: today, texts: texts, answering: answering, draft: draft, error: error)
        return try page(
            request, "thread", section: "feed", heading: texts.text("feed.thread"), shown.values(),
            status: error?.status ?? .ok)
    }
}
