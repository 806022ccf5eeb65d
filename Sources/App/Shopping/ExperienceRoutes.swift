import Groceries
import HTTP
import Hummingbird

// Experiences as JSON, and the pages of all and of one.
extension ShoppingRoutes {
    var experienceRoutes: [Route] {
        [
            Route(
                .get, "v1/experiences", for: .adult, "Experiences, newest first", query: ExperienceQuery.self,
                gives: [200: "The experiences."], refuses: Self.unknown
            ) { _, query in
                try await actions {
                    try $0.experiences(
                        kind: query.kind, product: query.product, place: query.place, before: query.before,
                        limit: query.limit ?? ExperienceQuery.usual)
                }
            },
            Route(
                .post, "v1/experiences", for: .adult, "Posts an experience", body: NewExperience.self,
                gives: [201: "The experience."], refuses: Self.conflicts
            ) { call, new in try await actions { try $0.post(new, by: call.person) } },
            Route(
                .post, "v1/experiences/\(.number)/comments", for: .adult,
                "Comments on an experience or on a comment", body: NewComment.self, gives: [201: "The experience."],
                refuses: Self.conflicts
            ) { call, new in
                try await actions {
                    try $0.comment(new.text, on: try call[.number], answering: new.answering, by: call.person)
                }
            },

            shell.page(.get, "feed", for: .adult, in: .feed, showFeed),
            form("feed", in: .feed, again: showFeed) { visit, form in
                guard let kind = Experience.Kind(rawValue: form["kind"]), kind != .priceUpdate else {
                    throw Problem(400, "badRequest", "choose what the experience is about")
                }
                var new = NewExperience(kind)
                (new.rating, new.comment) = (Int(form["rating"]), form["comment"])
                (new.product, new.place) = (try form.number("product"), try form.number("place"))
                let posted = try await actions { [new] in try $0.post(new, by: visit.call.person) }
                return Visit.next(try form.number("list").map { "/list?list=\($0)" } ?? "/feed#x\(posted.id)")
            },
            shell.page(.get, "feed/\(.experience)", for: .adult, in: .feed, showThread),
            form("feed/\(.experience)", in: .feed, again: showThread) { visit, form in
                let id = try visit.call[.experience]
                _ = try await actions {
                    try $0.comment(form["text"], on: id, answering: try form.number("answering"), by: visit.call.person)
                }
                return Visit.next("/feed/\(id)")
            },
        ]
    }

    @Sendable private func showFeed(to visit: Visit) async throws -> Response {
        let query = visit.call.query
        let kind = Experience.Kind(rawValue: query["kind"])
        let content = try await actions {
            FeedContent(
                experiences: try $0.experiences(
                    kind: kind, before: try query.number("before"), limit: FeedContent.shown + 1),
                kind: kind, places: try $0.places(for: visit.call.person),
                product: try (visit.draft ?? query).number("product").flatMap($0.product))
        }
        return try visit.show(FeedPage(content, words(visit), draft: visit.draft))
    }

    @Sendable private func showThread(to visit: Visit) async throws -> Response {
        let answering = try visit.draft?.number("answering") ?? visit.call.query.number("to")
        let page = ThreadPage(
            try await actions { try $0.experience(try visit.call[.experience]) },
            words: words(visit), answering: answering, draft: visit.draft?["text"] ?? "")
        return try visit.show(page)
    }
}

struct ExperienceQuery: Decodable, Sendable, Documented {
    var kind: Experience.Kind?
    var product, place, before: Int64?
    var limit: Int?

    static let usual = 50
    static let fields = [
        "kind": Field("One kind."), "product": Field.number("The product's number."),
        "place": Field.number("The place's number."),
        "before": Field.number("Only smaller numbers, for the next page."),
        "limit": Field("At most so many.", range: 1...200, usual: "\(usual)"),
    ]
}

struct NewComment: Decodable, Sendable, Documented {
    var text: String
    var answering: Int64?

    static let about: String? = "A comment."
    static let fields = ["text": Field(lengths: 1...2000), "answering": Field.number()]
}

extension Experience: Documented {
    package static let about: String? = "What a person reports, with nested comments."
}

extension NewExperience: Documented {
    package static let about: String? = "An experience before it is stored."
    package static let fields = [
        "rating": Field(range: 1...5), "comment": Field(lengths: 0...2000), "product": Field.number(),
        "place": Field.number(),
    ]
}
