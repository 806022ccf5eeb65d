import Foundation
import Groceries
import HTTP

/// What people report about prices, shops and products, with comments.
struct FeedPage: Page {
    static let template = "feed"
    static let styles = ["form", "shop"]

    struct About { let product, name: String }

    let experiences: [ExperienceRow]
    let kinds, newKinds: [Choice]
    let ratings: [String]
    let places: [Choice]
    let comment: String
    let about: About?
    /// The address of older experiences.
    let older: String?

    private static let shownPlaces = 100

    /// - Parameter draft: what was typed in a refused form.
    init(_ content: FeedContent, _ words: GroceryText, draft: FormBody? = nil) {
        let texts = words.texts
        func choices(_ kinds: [Experience.Kind], _ chosen: Experience.Kind?) -> [Choice] {
            Choice.all(kinds, chosen: chosen) { texts.text("feed.kind.\($0)") }
        }
        let shown = content.experiences.prefix(FeedContent.shown)
        experiences = shown.map { ExperienceRow($0, words: words) }
        kinds = choices(Experience.Kind.allCases, content.kind)
        let usual: Experience.Kind = content.product == nil ? .general : .productReview
        let typed: Experience.Kind? = draft?.choice("kind")
        newKinds = choices(
            Experience.Kind.allCases.filter { $0 != .priceUpdate }, draft == nil ? usual : typed)
        ratings = (1...5).map { "\($0)" }
        places = content.places.prefix(Self.shownPlaces).map { place in
            Choice(value: "\(place.id)", text: place.name, isChosen: "\(place.id)" == draft?["place"])
        }
        comment = draft?["comment"] ?? ""
        about = content.product.map { About(product: "\($0.id)", name: $0.name) }
        let kind = content.kind.map { "&kind=\($0.rawValue)" } ?? ""
        older = content.experiences.count > shown.count ? shown.last.map { "/feed?before=\($0.id)\(kind)" } : nil
    }
}

/// One experience with all its comments, and the form for another one.
struct ThreadPage: Page {
    static let template = "thread"
    static let styles = ["form", "shop"]

    let heading: String
    let experiences: [ExperienceRow]
    let thread: String
    /// What was typed.
    let text: String
    /// The number of the comment that is answered; empty for the experience itself.
    let answering: String
    let answered: String?

    init(
        _ experience: Experience, words: GroceryText, answering: Int64? = nil, draft: String = ""
    ) {
        let texts = words.texts
        heading = texts.text("feed.thread")
        experiences = [ExperienceRow(experience, words: words, isWhole: true)]
        thread = "\(experience.id)"
        text = draft
        self.answering = answering.map { "\($0)" } ?? ""
        answered = answering.flatMap { Self.find($0, experience.comments) }.map { answered in
            texts.text("feed.answered", ["name": words.contributor(answered.by), "text": answered.text])
        }
    }

    private static func find(_ id: Int64, _ answers: [Experience.Answer]) -> Experience.Answer? {
        for answer in answers {
            if answer.id == id { return answer }
            if let found = find(id, answer.answers) { return found }
        }
        return nil
    }
}

struct ExperienceRow: Sendable {
    struct Stars { let text, label: String }

    struct Answer: Sendable {
        let by, text, date, reply, replyName: String
        let level: String?
        let answers: [Answer]
    }

    let experience, kind, by, date, datetime: String
    let level, comment, product, productName, placeName, change: String?
    let stars: Stars?
    let answers: [Answer]
    /// True if the page of the experience has more comments.
    let hasMore: Bool

    /// Comments that a feed shows of one experience; its own page has all.
    private static let shownComments = 12

    init(_ experience: Experience, words: GroceryText, isWhole: Bool = false) {
        let texts = words.texts
        var left = isWhole ? Int.max : Self.shownComments
        answers = Self.answers(experience.comments, of: experience.id, words: words, left: &left)
        hasMore = left == 0
        self.experience = "\(experience.id)"
        kind = texts.text("feed.kind.\(experience.kind.rawValue)")
        by = words.contributor(experience.by)
        level = experience.level.map { words.level($0) }
        date = words.date(experience.at)
        datetime = experience.at.formatted(.iso8601)
        comment = experience.comment.isEmpty ? nil : experience.comment
        product = experience.product.map { "\($0)" }
        (productName, placeName) = (experience.productName, experience.placeName)
        stars = experience.rating.map { rating in
            Stars(
                text: String(repeating: "★", count: rating) + String(repeating: "☆", count: 5 - rating),
                label: texts.text("feed.rating.of", ["n": "\(rating)"]))
        }
        change = experience.priceBefore.flatMap { before in
            experience.price.map { price in
                texts.text("feed.change", ["old": words.money(before), "new": words.money(price)])
            }
        }
    }

    /// - Parameter left: comments that may still be shown.
    private static func answers(
        _ answers: [Experience.Answer], of experience: Int64, words: GroceryText, left: inout Int
    ) -> [Answer] {
        var rows: [Answer] = []
        for answer in answers where left > 0 {
            left -= 1
            let name = words.contributor(answer.by)
            rows.append(
                Answer(
                    by: name, text: answer.text, date: words.date(answer.at),
                    reply: "/feed/\(experience)?to=\(answer.id)#reply",
                    replyName: words.texts.text("feed.reply.name", ["name": name]),
                    level: answer.level.map { words.level($0) },
                    answers: self.answers(answer.answers, of: experience, words: words, left: &left)))
        }
        return rows
    }
}

struct FeedContent: Sendable {
    /// One more than ``shown`` if there are more.
    var experiences: [Experience]
    var kind: Experience.Kind?
    var places: [GroceryPlace]
    /// The product that a new experience is about.
    var product: GroceryProduct?

    /// Experiences on one page.
    static let shown = 15
}

/// The question after a shopping trip: how it was, answered with one tap.
struct RatingPrompt {
    let places: [Choice]
    /// The list that the answer leads back to; nil where it leads to the experiences.
    let back: String?
    let ratings: [Rating]

    struct Rating { let n, label: String }

    private static let proposed = 30

    /// - Returns: nil for a household without shops.
    init?(of places: [GroceryPlace], list: Int64? = nil, _ texts: PageTexts) {
        guard !places.isEmpty else { return nil }
        self.places = places.prefix(Self.proposed).enumerated().map { index, place in
            Choice(value: "\(place.id)", text: place.label, isChosen: index == 0)
        }
        back = list.map { "\($0)" }
        ratings = (1...5).map { Rating(n: "\($0)", label: texts.text("feed.rating.of", ["n": "\($0)"])) }
    }
}
