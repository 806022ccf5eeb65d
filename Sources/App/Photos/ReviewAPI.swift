import HTTP
import Store

/// `/v1/reviews`.
struct ReviewAPI {
    let cases: ReviewUseCases

    private struct Query: Decodable, Documented {
        var id: String?

        static let fields = ["id": Field("The image (default: all).")]
    }

    var routes: [Route] {
        [
            Route(
                .get, "v1/reviews", for: .adult, "What people said about verdicts", query: Query.self,
                gives: [200: "Oldest first."]
            ) { _, query in try await cases.reviews(of: query.id) },
            Route(
                .post, "v1/reviews", for: .adult, "Stores what a person said and applies it", body: ReviewBody.self,
                gives: [201: "Stored."],
                refuses: [
                    404: "There is nothing under this address.",
                    413: "The body is too large; `limitBytes` names the limit.",
                ]
            ) { call, body in try await cases.add(body, by: try call.identity) },
            Route(
                .delete, "v1/reviews/\(.review)", for: .adult,
                "Withdraws a review; its verdicts become the program's own again", gives: [200: "Withdrawn."],
                refuses: [404: "There is nothing under this address."]
            ) { call in try await cases.withdraw(try call[.review]) },
        ]
    }
}

extension PathParameter where Value == Int64 {
    fileprivate static var review: Self { PathParameter(number: "number", "The review's `number`.") }
}
