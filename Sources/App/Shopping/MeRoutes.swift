import Groceries
import HTTP
import Hummingbird

// The person who asks and the places, as JSON and as the page Me.
extension ShoppingRoutes {
    var meRoutes: [Route] {
        [
            Route(
                .get, "v1/me", for: .adult, "The person who uses this device", gives: [200: "Name and reputation."]
            ) { call in try await cases.account(of: call.person) },
            Route(
                .get, "v1/me/export", for: .adult, "Everything that lists and prices keep of this person",
                gives: [200: "Everything."]
            ) { call in try await cases.export(of: call.person) },
            Route(
                .get, "v1/places", for: .adult, "All places, the person's own first", gives: [200: "The places."],
                refuses: Self.unknown
            ) { call in try await cases.places(for: call.person) },
            Route(
                .post, "v1/places", for: .adult, "Stores a place, or finds it", body: NewPlace.self,
                gives: [201: "The place."], refuses: Self.conflicts
            ) { call, new in try await cases.addPlace(new, by: call.person) },
            Route(
                .patch, "v1/places/\(.number)", for: .adult, "Marks a place as favourite or default",
                body: PlaceMark.self, gives: [200: "The place."], refuses: Self.conflicts
            ) { call, mark in
                try await cases.mark(
                    try call[.number], isFavorite: mark.isFavorite, isDefault: mark.isDefault, by: call.person)
            },

            shell.page(.get, "me", for: .adult, in: .me) { visit in
                try await showMe(message: visit.texts.message("me.done.\(visit.call.query["done"])"), to: visit)
            },
            form("me/places", in: .me, again: { try await showMe(draft: $1, error: $2, to: $0) }) { visit, form in
                _ = try await cases.addPlace(form.place("newPlace"), by: visit.call.person)
                return Visit.next("/me#places")
            },
            form("me/places/\(.place)", in: .me, again: { try await showMe(draft: $1, error: $2, to: $0) }) {
                visit, form in
                _ = try await cases.mark(
                    try visit.call[.place], isFavorite: form.text("favourite").map { $0 == "yes" },
                    isDefault: form.text("usual").map { $0 == "yes" }, by: visit.call.person)
                return Visit.next("/me#places")
            },
            shell.page(.get, "me/export", for: .adult, in: .me) { visit in
                let data = try AnswerJSON.encode(try await cases.export(of: visit.call.person))
                var response = Response(
                    status: .ok, headers: [.contentType: "application/json", .cacheControl: "private, no-store"],
                    body: .init(byteBuffer: .init(data: data)))
                response.headers[.contentDisposition] = "attachment; filename=\"groceries.json\""
                return response
            },
        ]
    }

    private func showMe(
        draft: FormBody? = nil, error: Problem? = nil, message: String? = nil, to visit: Visit
    ) async throws -> Response {
        let person = try visit.call.person
        let page = MePage(
            try await cases.meContent(for: person), of: person, words: GroceryText(visit.texts, today: cases.today),
            draft: draft, error: error, message: message)
        return try visit.show(page, status: error?.status ?? .ok)
    }
}

struct PlaceMark: Decodable, Sendable, Documented {
    var isFavorite, isDefault: Bool?

    static let about: String? = "Marks."
}
