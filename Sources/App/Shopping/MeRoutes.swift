import Core
import Foods
import Groceries
import HTTP
import Hummingbird

// The person who asks and the places, as JSON and as the page Me.
extension ShoppingRoutes {
    var meRoutes: [Route] {
        [
            Route(
                .get, "v1/me", for: .adult, "The person who uses this device", gives: [200: "Name and reputation."]
            ) { call in
                let name = try call.person
                return ShoppingAccount(name: name, reputation: try await actions { try $0.reputation(of: name) })
            },
            Route(
                .get, "v1/me/export", for: .adult, "Everything that lists and prices keep of this person",
                gives: [200: "Everything."]
            ) { call in try await actions { try $0.exported(call.person) } },
            Route(
                .get, "v1/places", for: .adult, "All places, the person's own first", gives: [200: "The places."],
                refuses: Self.unknown
            ) { call in try await actions { try $0.places(for: call.person) } },
            Route(
                .post, "v1/places", for: .adult, "Stores a place, or finds it", body: NewPlace.self,
                gives: [201: "The place."], refuses: Self.conflicts
            ) { call, new in try await actions { try $0.place(of: new, by: call.person) } },
            Route(
                .patch, "v1/places/\(.number)", for: .adult, "Renames a place, or marks it as favourite or default",
                body: PlaceMark.self, gives: [200: "The place."], refuses: Self.conflicts
            ) { call, mark in try await actions { try $0.change(try call[.number], mark, by: call.person) } },
            Route(
                .post, "v1/places/\(.number)/merge", for: .adult,
                "Makes two places one: prices, marks and printed names follow", body: PlaceMerge.self,
                gives: [200: "The place that is kept."], refuses: Self.conflicts
            ) { call, merge in
                try await actions { try $0.merge(try call[.number], into: merge.into, by: call.person) }
            },

            shell.page(.get, "me", for: .adult, in: .me) { visit in
                try await showMe(message: visit.texts.message("me.done.\(visit.call.query["done"])"), to: visit)
            },
            form("me/places", in: .me, again: { try await showMe(to: $0) }) { visit, form in
                _ = try await actions { try $0.place(of: form.place("newPlace"), by: visit.call.person) }
                return Visit.next("/me#places")
            },
            shell.page(.get, "me/places/\(.place)", for: .adult, in: .me) { try await showPlace(to: $0) },
            form(
                "me/places/\(.place)", in: .me,
                again: { visit in
                    let isMark = visit.draft?["do"].isEmpty == true
                    return try await isMark ? showMe(to: visit) : showPlace(to: visit)
                }
            ) { visit, form in
                let (id, person) = (try visit.call[.place], try visit.call.person)
                switch form["do"] {
                case "merge":
                    let other = try form.number("into", orSay: "choose a shop")
                    _ = try await actions { try $0.merge(id, into: other, by: person) }
                default:
                    var mark = PlaceMark.unchanged
                    if form["do"] == "rename" {
                        (mark.name, mark.address) = (form["name"], form["address"])
                        (mark.city, mark.postcode) = (form["city"], form["postcode"])
                    } else {
                        mark.isFavorite = form.text("favourite").map { $0 == "yes" }
                        mark.isDefault = form.text("usual").map { $0 == "yes" }
                    }
                    _ = try await actions { [mark] in try $0.change(id, mark, by: person) }
                }
                return Visit.next("/me#places")
            },
            shell.page(.get, "me/export", for: .adult, in: .me) { visit in
                let data = try JSONCoding.encode(try await actions { try $0.exported(visit.call.person) })
                var response = Response(
                    status: .ok, headers: [.contentType: "application/json", .cacheControl: "private, no-store"],
                    body: .init(byteBuffer: .init(data: data)))
                response.headers[.contentDisposition] = "attachment; filename=\"groceries.json\""
                return response
            },
        ]
    }

    private func showPlace(to visit: Visit) async throws -> Response {
        let (id, places) = (try visit.call[.place], try await actions { try $0.places(for: visit.call.person) })
        guard let place = places.first(where: { $0.id == id }) else { throw GroceryProblem.notFound("place \(id)") }
        // A refused merge has no fields of the place.
        let draft = visit.draft?.has("name") == true ? visit.draft : nil
        return try visit.show(PlacePage(place, others: places, visit.texts, draft: draft))
    }

    private func showMe(message: String? = nil, to visit: Visit) async throws -> Response {
        let person = try visit.call.person
        let content = try await actions { groceries in
            let favourites = try groceries.lists(of: person).flatMap { list in
                try [false, true].flatMap { try groceries.items(of: list.id, for: person, isHistory: $0) }
            }.filter(\.isFavorite)
            return MeContent(
                reputation: try groceries.reputation(of: person), favourites: favourites,
                places: try groceries.places(for: person))
        }
        return try visit.show(
            MePage(content, of: person, words: words(visit), draft: visit.draft), message: message)
    }
}

extension PlaceMark: Documented {
    package static let about: String? = "Marks, name and address; an empty part of the address is removed."
}

struct PlaceMerge: Decodable, Sendable, Documented {
    var into: Int64

    static let about: String? = "The place that is kept."
    static let fields = ["into": Field.number()]
}

struct ShoppingAccount: Sendable, Codable, Documented {
    var name: String
    var reputation: Reputation

    static let about: String? = "A person with an account."
}

extension Reputation: Documented {
    package static let about: String? = "What contributions have earned."
}

extension PersonData: Documented {
    package static let about: String? = "Everything that lists and prices keep of one person."
    package static let fields = ["photos": Field("Photos of receipts and price tags that the person sent.")]
}

extension GroceryPlace: Documented {
    package static let about: String? = "A shop."
}

extension NewPlace: Documented {
    package static let about: String? = "A shop before it is stored."
    package static let fields = [
        "name": Field(lengths: 1...200), "latitude": Field(range: -90...90), "longitude": Field(range: -180...180),
    ]
}
