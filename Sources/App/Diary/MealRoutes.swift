import Core
import Diary
import Foundation
import HTTP
import Hummingbird

// Days, entries and foods as JSON, and the pages Today and Entry.
extension DiaryRoutes {
    // MARK: JSON

    private struct Days: Decodable, Documented {
        var from, to: Day?

        static let fields = [
            "from": Field("First day; today by default."), "to": Field("Last day, at most 366 days later."),
        ]
    }

    private struct Search: Decodable, Documented {
        let q: String
        var limit: Int?

        static let fields = [
            "q": Field("Words, also misspelt or unfinished, or a product number.", lengths: 0...200),
            "limit": Field("Most results.", range: 1...50, usual: "12"),
        ]
    }

    /// Foods that a device keeps for the time without a network.
    private static let keptFoods = 300

    var mealJSON: [Route] {
        let entries: RoutePath = "v1/people/\(.member)/entries"
        let entry: RoutePath = "v1/people/\(.member)/entries/\(.mealEntry)"
        let closed: RoutePath = "v1/people/\(.member)/days/\(.day)/closed"
        let favourite: RoutePath = "v1/people/\(.member)/favourites/\(.food)"
        return [
            diary(
                .get, "v1/people/\(.member)/days/\(.day)", "One day with its entries and totals",
                gives: [200: "The day."]
            ) { diary, call in try await cases.day(try call[.day], of: diary) },
            diary(.put, closed, "Lets a day count although usual meals are missing", gives: [204: "Done."]) {
                diary, call in
                try await cases.setClosed(true, try call[.day], of: diary)
                return Nothing()
            },
            diary(.delete, closed, "Counts a day by its usual meals again", gives: [204: "Done."]) { diary, call in
                try await cases.setClosed(false, try call[.day], of: diary)
                return Nothing()
            },
            Route(
                .get, "v1/days/\(.day)", for: .adult, "One day of the person who asks", gives: [200: "The day."],
                refuses: Self.refusals
            ) { call in
                let diary = try await own(call)
                return try await cases.day(try call[.day], of: diary)
            },
            Route(
                .get, entries, for: .adult, "The entries of some days", query: Days.self, gives: [200: "The entries."],
                refuses: Self.refusals
            ) { call, days in
                MealEntries(entries: try await cases.entries(of: try await named(call), from: days.from, to: days.to))
            },
            diary(
                .post, entries, "Logs a food, a product number, a photo, plain energy, or an earlier meal",
                body: NewMealEntry.self, gives: [201: "What was logged."],
                refuses: [
                    409: "There is an entry with this id.",
                    422: "The portion cannot be calculated, or the photo shows nothing to log.",
                ]
            ) { diary, _, new in try await cases.add(new, to: diary) },
            diary(.get, entry, "One entry", gives: [200: "The entry."]) { diary, call in
                try await cases.entry(try call[.mealEntry], of: diary)
            },
            diary(
                .put, entry, "Stores an entry under its id", body: MealEntryEdit.self,
                gives: [200: "Changed.", 201: "New."]
            ) { diary, call, edit in
                let (entry, isNew) = try await cases.put(
                    edit.food, edit.serving, at: edit.meal, edit.timestamp, zone: edit.zone,
                    as: try call[.mealEntry], in: diary)
                return Answered(isNew ? 201 : 200, entry)
            },
            diary(.delete, entry, "Removes an entry", gives: [204: "Done."]) { diary, call in
                try await cases.removeEntry(try call[.mealEntry], of: diary)
                return Nothing()
            },
            diary(
                .get, "v1/people/\(.member)/foods",
                "What the person eats: favourites first, then what fits this hour best", gives: [200: "The foods."]
            ) { diary, _ in FoundFoods(items: try await cases.own(of: diary, limit: Self.keptFoods)) },
            diary(.put, favourite, "Marks a food", body: FavouriteEdit.self, gives: [204: "Done."]) {
                diary, call, edit in
                guard edit.food.id == (try call[.food]) else {
                    throw Problem(400, "badRequest", "the address must have the id of the food")
                }
                try await cases.mark(edit.food, portion: edit.portion, of: diary)
                return Nothing()
            },
            diary(.delete, favourite, "Unmarks a food", gives: [204: "Done."]) { diary, call in
                try await cases.unmark(try call[.food], of: diary)
                return Nothing()
            },
            Route(
                .get, "v1/foods", for: .adult,
                "Foods by words or number: verified records first, then what the person who asks eats",
                query: Search.self, gives: [200: "The foods."],
                refuses: Self.refusals.filter { $0.key != 404 }
            ) { call, search in
                // Without an open diary only the catalogue is searched: own foods are part of a diary.
                let identity = try call.identity
                let owner = identity.isOpen ? identity.member?.name : nil
                return FoundFoods(items: try await cases.foods(search.q, of: owner, limit: search.limit ?? 12))
            },
        ]
    }

    // MARK: Pages

    var mealPages: [Route] {
        let entry: RoutePath = "today/entries/\(.mealEntry)"
        return [
            page(.get, "today", isOwners: false) { visit, diary in
                let query = visit.call.query
                let content = try await cases.today(of: diary, on: try query.day("day"))
                return try visit.show(
                    try TodayPage(
                        content, visit.texts, place: visit.place(of: diary),
                        mayWrite: diary.level == .own, added: query["added"],
                        kept: KeptPage(diary, for: visit.viewer, today: content.today, now: await cases.now)))
            },
            page(.post, "today/weight") { visit, diary in
                let form = try await visit.call.form()
                guard let kilograms = try form.decimal("weight") else {
                    throw Problem(400, "badRequest", "type a weight in kilograms")
                }
                let day = try form.day("day")
                try await cases.setWeight(kilograms, on: day, of: diary)
                return Visit.next(Self.address(of: day, in: visit.place(of: diary)))
            },
            page(.post, "today/close") { visit, diary in
                guard let day = try await visit.call.form().day("day") else {
                    throw Problem(400, "badRequest", "choose a day")
                }
                try await cases.setClosed(true, day, of: diary)
                return visit.next(
                    Self.address(of: day, in: visit.place(of: diary)), offering: visit.texts.text("diary.closed")
                ) { try await cases.setClosed(false, day, of: diary) }
            },
            page(.get, entry, showEntry),
            form(entry, again: showEntry) { visit, diary, form in
                let entry = try await cases.change(
                    try visit.call[.mealEntry], of: diary, portion: form["portion"],
                    meal: form.choice("meal"), day: try form.day("day"), name: form["name"])
                return Visit.next(Self.address(of: entry.day, in: visit.place(of: diary)))
            },
            page(.post, "today/entries/\(.mealEntry)/delete") { visit, diary in
                let entry = try await cases.removeEntry(try visit.call[.mealEntry], of: diary)
                let diaryText = DiaryText(visit.texts)
                let text = visit.texts.text(
                    "diary.removed",
                    ["name": entry.food.name, "n": diaryText.figures.whole(entry.totals.calories)])
                return visit.next(Self.address(of: entry.day, in: visit.place(of: diary)), offering: text) {
                    _ = try await cases.add(
                        .food(entry.food), portion: entry.serving.sizeLabel, at: entry.meal, on: entry.day,
                        id: entry.id, to: diary, isRepeated: true)
                }
            },
        ]
    }

    @Sendable private func showEntry(_ visit: Visit, _ diary: OpenDiary) async throws -> Response {
        let entry = try await cases.entry(try visit.call[.mealEntry], of: diary)
        return try visit.show(EntryPage(entry, visit.texts, place: visit.place(of: diary)))
    }
}
