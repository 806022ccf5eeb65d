import Baskets
import Groceries
import HTTP
import Meals

/// `/v1/me`, `/v1/lists`, `/v1/items`, `/v1/prices`, `/v1/places`, `/v1/compare`, `/v1/goods` and `/v1/experiences`.
///
/// They are the member's who uses the device.
struct ShoppingAPI {
    let cases: ShoppingUseCases

    var routes: [Route] { account + lists + entries + prices + places + products + experiences }

    private static let unknown = [404: "There is nothing under this address, or the person may not open it."]
    private static let conflicts = unknown.merging([409: "Somebody else changed the same, or the name is taken."]) {
        $1
    }

    // MARK: The person

    private var account: [Route] {
        [
            Route(
                .get, "v1/me", for: .adult, "The person who uses this device", gives: [200: "Name and reputation."]
            ) { call in try await cases.account(of: call.person) },
            Route(
                .get, "v1/me/export", for: .adult, "Everything that lists and prices keep of this person",
                gives: [200: "Everything."]
            ) { call in try await cases.export(of: call.person) },
        ]
    }

    // MARK: Lists

    private var lists: [Route] {
        [
            Route(
                .get, "v1/lists", for: .adult, "The person's lists", gives: [200: "The lists."], refuses: Self.unknown
            ) { call in try await cases.lists(of: call.person) },
            Route(
                .post, "v1/lists", for: .adult, "Makes a list", body: NewList.self, gives: [201: "Made."],
                refuses: Self.conflicts
            ) { call, new in try await cases.makeList(new.name, by: call.person) },
            Route(
                .get, "v1/lists/\(.number)", for: .adult, "One list", gives: [200: "The list."], refuses: Self.unknown
            ) { call in try await cases.list(try call[.number], of: call.person) },
            Route(
                .delete, "v1/lists/\(.number)", for: .adult, "Deletes a list with its history",
                gives: [204: "Deleted."], refuses: Self.conflicts
            ) { call in
                try await cases.removeList(try call[.number], by: call.person)
                return Nothing()
            },
            Route(
                .put, "v1/lists/\(.number)/people/\(.sharer)", for: .adult, "Lets another person open the list",
                gives: [200: "The list."], refuses: Self.conflicts
            ) { call in try await cases.share(try call[.number], with: try call[.sharer], by: call.person) },
            Route(
                .delete, "v1/lists/\(.number)/people/\(.sharer)", for: .adult, "Takes a person off the list",
                gives: [200: "The list."], refuses: Self.conflicts
            ) { call in try await cases.unshare(try call[.number], from: try call[.sharer], by: call.person) },
            Route(
                .post, "v1/lists/\(.number)/undo", for: .adult, "Takes the person's last change back",
                gives: [200: "How many entries changed."], refuses: Self.conflicts
            ) { call in ChangedEntries(changed: try await cases.undo(try call[.number], by: call.person)) },
            Route(
                .post, "v1/lists/\(.number)/sweep", for: .adult, "Completes all entries, or removes the completed ones",
                body: ListSweep.self, gives: [200: "How many entries changed."], refuses: Self.conflicts
            ) { call, sweep in
                ChangedEntries(changed: try await cases.sweep(try call[.number], sweep.action, by: call.person))
            },
            Route(
                .get, "v1/compare", for: .adult, "Compares the open entries of a list over all places",
                query: CompareQuery.self, gives: [200: "The comparison."], refuses: Self.unknown
            ) { call, query in try await cases.compare(query.list, currency: query.currency, for: call.person) },
        ]
    }

    // MARK: Entries

    private var entries: [Route] {
        [
            Route(
                .get, "v1/items", for: .adult, "The entries of a list in its order", query: EntryQuery.self,
                gives: [200: "The entries."], refuses: Self.unknown
            ) { call, query in
                try await cases.entries(of: query.list, isHistory: query.history == .yes, for: call.person)
            },
            Route(
                .post, "v1/items", for: .adult, "Adds to a list", body: NewItem.self, gives: [201: "Added."],
                refuses: Self.unknown
            ) { call, new in
                let added = try await cases.add(
                    new.entry, to: new.list, anyway: new.anyway ?? false, by: call.person)
                return Answered(added.status, added)
            }
            .giving(GroceryItem.self, with: 201, "Added.")
            .giving(DuplicateEntry.self, with: 409, "The list has it already; send anyway to add it."),
            Route(
                .patch, "v1/items/\(.number)", for: .adult, "Changes an entry", body: EntryChange.self,
                gives: [200: "The entry."], refuses: Self.conflicts
            ) { call, change in try await cases.change(try call[.number], change, by: call.person) },
            Route(
                .delete, "v1/items/\(.number)", for: .adult, "Takes an entry off the list; it stays in the history",
                gives: [204: "Removed."], refuses: Self.conflicts
            ) { call in
                try await cases.remove(try call[.number], by: call.person)
                return Nothing()
            },
            Route(
                .post, "v1/items/\(.number)/move", for: .adult,
                "Moves an entry behind another one, or to the beginning", body: EntryMove.self, gives: [204: "Moved."],
                refuses: Self.conflicts
            ) { call, move in
                try await cases.move(try call[.number], after: move.after, by: call.person)
                return Nothing()
            },
        ]
    }

    // MARK: Prices

    private var prices: [Route] {
        [
            Route(
                .get, "v1/prices", for: .adult, "Prices of a product, newest first", query: PriceQuery.self,
                gives: [200: "The prices."], refuses: Self.unknown
            ) { _, query in
                try await cases.prices(of: query.product, at: query.place, limit: query.limit ?? PriceQuery.usual)
            },
            Route(
                .post, "v1/prices", for: .adult, "Records a price", body: SeenPrice.self,
                gives: [200: "It was recorded before.", 201: "Accepted.", 202: "It waits in review."],
                refuses: Self.conflicts
            ) { call, seen in
                let recorded = PriceState(try await cases.record(seen, by: call.person))
                return Answered(recorded.isWaiting ? 202 : recorded.id == nil ? 200 : 201, recorded)
            },
            Route(
                .get, "v1/prices/reviews", for: .adult, "Prices that wait", query: ReviewQuery.self,
                gives: [200: "The waiting prices."], refuses: Self.unknown
            ) { _, query in
                try await cases.reviews(
                    of: query.photo, after: query.after ?? 0, limit: query.limit ?? ReviewQuery.usual)
            },
            Route(
                .post, "v1/prices/reviews/\(.number)", for: .adult, "Accepts or rejects a waiting price",
                body: ReviewAnswer.self,
                gives: [
                    200: "Decided.", 202: "The corrected price contradicts others and waits for somebody else.",
                ], refuses: Self.conflicts
            ) { call, answer in
                let decided = PriceState(try await cases.decide(try call[.number], answer, by: call.person))
                return Answered(decided.isWaiting ? 202 : 200, decided)
            },
            Route(
                .post, "v1/prices/photos/\(.photo)", for: .adult,
                "Records the prices of a receipt or price tag that was read", gives: [201: "What the photo gave."],
                refuses: Self.conflicts
            ) { call in
                let given = try await call.optionalBody(PhotoPlace.self)
                return try await cases.recordPrices(
                    ofPhoto: try call[.photo], place: given?.place, date: given?.date, by: call.person)
            }.taking(body: [("application/json", PhotoPlace.schema)], isRequired: false),
        ]
    }

    // MARK: Places

    private var places: [Route] {
        [
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
        ]
    }

    // MARK: Products

    private var products: [Route] {
        [
            Route(
                .get, "v1/goods", for: .adult, "Products by name, number, category or tag", query: ProductQuery.self,
                gives: [200: "The products."], refuses: Self.unknown
            ) { _, query in
                try await cases.products(
                    matching: query.q ?? "", category: query.category, tag: query.tag,
                    limit: query.limit ?? ProductQuery.usual)
            },
            Route(
                .put, "v1/goods/\(.number)/tags", for: .adult, "Sets a product's tags", body: [GroceryTag].self,
                gives: [200: "The product."], refuses: Self.conflicts
            ) { call, tags in try await cases.setTags(tags, of: try call[.number], by: call.person) },
        ]
    }

    // MARK: Experiences

    private var experiences: [Route] {
        [
            Route(
                .get, "v1/experiences", for: .adult, "Experiences, newest first", query: ExperienceQuery.self,
                gives: [200: "The experiences."], refuses: Self.unknown
            ) { _, query in
                try await cases.experiences(
                    kind: query.kind, product: query.product, place: query.place, before: query.before,
                    limit: query.limit ?? ExperienceQuery.usual)
            },
            Route(
                .post, "v1/experiences", for: .adult, "Posts an experience", body: NewExperience.self,
                gives: [201: "The experience."], refuses: Self.conflicts
            ) { call, new in try await cases.post(new, by: call.person) },
            Route(
                .post, "v1/experiences/\(.number)/comments", for: .adult,
                "Comments on an experience or on a comment", body: NewComment.self, gives: [201: "The experience."],
                refuses: Self.conflicts
            ) { call, new in
                try await cases.comment(
                    new.text, on: try call[.number], answering: new.answering, by: call.person)
            },
        ]
    }
}

extension PathParameter where Value == Int64 {
    fileprivate static var number: Self { PathParameter(number: "id", "The number.") }
}

extension PathParameter where Value == String {
    fileprivate static var sharer: Self { PathParameter("name", "The other person's name.") }
}
