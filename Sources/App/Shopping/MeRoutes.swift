import Core
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
                .patch, "v1/places/\(.number)", for: .adult, "Renames a place, or marks it as favourite or default",
                body: PlaceMark.self, gives: [200: "The place."], refuses: Self.conflicts
            ) { call, mark in try await cases.change(try call[.number], mark, by: call.person) },
            Route(
                .post, "v1/places/\(.number)/merge", for: .adult,
                "Makes two places one: prices, marks and printed names follow", body: PlaceMerge.self,
                gives: [200: "The place that is kept."], refuses: Self.conflicts
            ) { call, merge in try await cases.merge(try call[.number], into: merge.into, by: call.person) },

            shell.page(.get, "me", for: .adult, in: .me) { visit in
                try await showMe(message: visit.texts.message("me.done.\(visit.call.query["done"])"), to: visit)
            },
            form("me/places", in: .me, again: { try await showMe(draft: $1, error: $2, to: $0) }) { visit, form in
                _ = try await cases.addPlace(form.place("newPlace"), by: visit.call.person)
                return Visit.next("/me#places")
            },
            shell.page(.get, "me/places/\(.place)", for: .adult, in: .me) { try await showPlace(to: $0) },
            form(
                "me/places/\(.place)", in: .me,
                again: { visit, form, problem in
                    form["do"].isEmpty
                        ? try await showMe(draft: form, error: problem, to: visit)
                        : try await showPlace(draft: form, error: problem, to: visit)
                }
            ) { visit, form in
                let (id, person) = (try visit.call[.place], try visit.call.person)
                switch form["do"] {
                case "merge":
                    _ = try await cases.merge(id, into: try form.number("into", orSay: "choose a shop"), by: person)
                case "rename":
                    let mark = PlaceMark(
                        name: form["name"], address: form["address"], city: form["city"], postcode: form["postcode"])
                    _ = try await cases.change(id, mark, by: person)
                default:
                    _ = try await cases.mark(
                        id, isFavorite: form.text("favourite").map { $0 == "yes" },
                        isDefault: form.text("usual").map { $0 == "yes" }, by: person)
                }
                return Visit.next("/me#places")
            },
            shell.page(.get, "me/export", for: .adult, in: .me) { visit in
                let data = try JSONCoding.encode(try await cases.export(of: visit.call.person))
                var response = Response(
                    status: .ok, headers: [.contentType: "application/json", .cacheControl: "private, no-store"],
                    body: .init(byteBuffer: .init(data: data)))
                response.headers[.contentDisposition] = "attachment; filename=\"groceries.json\""
                return response
            },
        ]
    }

    private func showPlace(
        draft: FormBody? = nil, error: Problem? = nil, to visit: Visit
    ) async throws -> Response {
        let (id, places) = (try visit.call[.place], try await cases.places(for: visit.call.person))
        guard let place = places.first(where: { $0.id == id }) else { throw GroceryProblem.notFound("place \(id)") }
        // A refused merge has no fields of the place.
        let draft = draft?.has("name") == true ? draft : nil
        return try visit.show(
            PlacePage(place, others: places, visit.texts, draft: draft, error: error), status: error?.status ?? .ok)
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
    var name, address, city, postcode: String?

    /// Nil if nothing but marks changes.
    var change: PlaceChange? {
        let change = PlaceChange(name: name, address: address, city: city, postcode: postcode)
        return change == PlaceChange() ? nil : change
    }

    static let about: String? = "Marks, name and address; an empty part of the address is removed."
}

struct PlaceMerge: Decodable, Sendable, Documented {
    var into: Int64

    static let about: String? = "The place that is kept."
    static let fields = ["into": Field.number()]
}
