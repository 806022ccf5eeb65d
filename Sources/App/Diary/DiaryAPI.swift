import Diary
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Meals
import WeightProjection

/// `/v1/people/{name}/days`, `/entries`, `/week`, `/goal`, `/projection`, `/weights`, `/events`, `/export`, `/import`,
/// `/diary`; `/v1/foods`; `/v1/days` and `/v1/projection` of the person who asks.
///
/// A diary is its member's, of adults where the member is a child, and of those whom the member lets read it.
struct DiaryAPI {
    let cases: DiaryUseCases

    var routes: [Route] { (days + figures + settings + files).map { $0.unstored() } }

    private static let refusals = [
        400: "A value is wrong.",
        403: "Wrong host, the request comes from another site, the diary is locked, or it may only be read.",
        404: "The diary is not this person's and not shared, or there is nothing under this address.",
    ]

    /// The diary that the path names.
    private func named(_ call: Call) async throws -> OpenDiary {
        try await cases.access(to: try call[.diaryOwner], for: try call.identity)
    }

    /// The diary of whoever asks.
    private func own(_ call: Call) async throws -> OpenDiary {
        try await cases.access(to: nil, for: try call.identity)
    }

    /// A route of the diary that the path names.
    private func diary<Value: Encodable & Sendable>(
        _ method: HTTPRequest.Method, _ path: RoutePath, _ summary: String, gives: [Int: String],
        refuses: [Int: String] = [:], _ handler: @escaping @Sendable (OpenDiary, Call) async throws -> Value
    ) -> Route {
        Route(
            method, path, for: .adult, summary, gives: gives, refuses: Self.refusals.merging(refuses) { $1 }
        ) { call in try await handler(try await named(call), call) }
    }

    /// A route of the diary that the path names, with a body.
    private func diary<Body: Decodable & Sendable, Value: Encodable & Sendable>(
        _ method: HTTPRequest.Method, _ path: RoutePath, _ summary: String, body: Body.Type, gives: [Int: String],
        refuses: [Int: String] = [:], _ handler: @escaping @Sendable (OpenDiary, Call, Body) async throws -> Value
    ) -> Route {
        Route(
            method, path, for: .adult, summary, body: body, gives: gives,
            refuses: Self.refusals.merging(refuses) { $1 }
        ) { call, body in try await handler(try await named(call), call, body) }
    }

    // MARK: Days and entries

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

    private var days: [Route] {
        let entries: RoutePath = "v1/people/\(.diaryOwner)/entries"
        let entry: RoutePath = "v1/people/\(.diaryOwner)/entries/\(.mealEntry)"
        return [
            diary(
                .get, "v1/people/\(.diaryOwner)/days/\(.day)", "One day with its entries and totals",
                gives: [200: "The day."]
            ) { diary, call in try await cases.day(try call[.day], of: diary) },
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
            ) { call, days in try await cases.entries(of: try await named(call), from: days.from, to: days.to) },
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
                let (entry, isNew) = try await cases.put(edit, as: try call[.mealEntry], in: diary)
                return Answered(isNew ? 201 : 200, entry)
            },
            diary(.delete, entry, "Removes an entry", gives: [204: "Done."]) { diary, call in
                try await cases.removeEntry(try call[.mealEntry], of: diary)
                return Nothing()
            },
            Route(
                .get, "v1/foods", for: .adult,
                "Foods by words or number: verified records first, then what the person who asks eats",
                query: Search.self, gives: [200: "The foods."],
                refuses: Self.refusals.filter { $0.key != 404 }
            ) { call, search in
                try await cases.foods(search.q, for: try call.identity, limit: search.limit ?? 12)
            },
        ]
    }

    // MARK: Figures

    private struct Weeks: Decodable, Documented {
        var weeks: Int?

        static let fields = ["weeks": Field("Weeks ahead.", range: 1...104, usual: "12")]
    }

    private var figures: [Route] {
        let weight: RoutePath = "v1/people/\(.diaryOwner)/weights/\(.day)"
        let goal: RoutePath = "v1/people/\(.diaryOwner)/goal"
        return [
            diary(
                .get, "v1/people/\(.diaryOwner)/week/\(.week)", "A week against the goal", gives: [200: "The week."]
            ) { diary, call in try await cases.week(try call[.week], of: diary).summary },
            diary(.get, goal, "The goal", gives: [200: "The goal."]) { diary, _ in try await cases.goal(of: diary) },
            diary(.put, goal, "Sets the goal", body: UserGoal.self, gives: [200: "The goal."]) { diary, _, goal in
                try await cases.setGoal(goal, of: diary)
            },
            Route(
                .get, "v1/people/\(.diaryOwner)/projection", for: .adult,
                "Where the weight leads, as a range with its arithmetic", query: Weeks.self,
                gives: [200: "The projections that the data allow."], refuses: Self.refusals
            ) { call, query in
                try await cases.projections(of: try await named(call), weeks: query.weeks ?? 12).projections
            },
            Route(
                .get, "v1/projection", for: .adult, "The projection of the person who asks", query: Weeks.self,
                gives: [200: "The projections that the data allow."], refuses: Self.refusals
            ) { call, query in
                try await cases.projections(of: try await own(call), weeks: query.weeks ?? 12).projections
            },
            diary(
                .get, "v1/people/\(.diaryOwner)/weights", "All weights", gives: [200: "Oldest first."]
            ) { diary, _ in try await cases.weights(of: diary) },
            diary(.put, weight, "Sets the weight of a day", body: WeightEdit.self, gives: [204: "Done."]) {
                diary, call, edit in
                try await cases.setWeight(edit.weight, on: try call[.day], of: diary)
                return Nothing()
            },
            diary(.delete, weight, "Removes the weight of a day", gives: [204: "Done."]) { diary, call in
                try await cases.setWeight(nil, on: try call[.day], of: diary)
                return Nothing()
            },
            diary(
                .get, "v1/people/\(.diaryOwner)/events", "How often something was done; no content",
                gives: [200: "Counts by event."]
            ) { diary, _ in try await cases.events(of: diary) },
        ]
    }

    // MARK: Settings

    private var settings: [Route] {
        let settings: RoutePath = "v1/people/\(.diaryOwner)/diary"
        let reader: RoutePath = "v1/people/\(.diaryOwner)/diary/readers/\(.diaryReader)"
        return [
            diary(.get, settings, "Settings of a diary", gives: [200: "The settings."]) { diary, _ in
                try await cases.settings(of: diary)
            },
            diary(
                .put, settings, "Sets the time zone of new entries", body: ZoneEdit.self, gives: [200: "The settings."]
            ) { diary, _, edit in try await cases.setZone(edit.zone, of: diary) },
            diary(.delete, settings, "Deletes a diary with everything in it", gives: [204: "Done."]) { diary, _ in
                try await cases.remove(diary)
                return Nothing()
            },
            diary(
                .put, reader, "Lets a person read the diary", gives: [204: "Done."],
                refuses: [409: "The reader has opened no diary."]
            ) { diary, call in
                try await cases.setReader(try call[.diaryReader], of: diary, isAllowed: true)
                return Nothing()
            },
            diary(.delete, reader, "Ends that", gives: [204: "Done."]) { diary, call in
                try await cases.setReader(try call[.diaryReader], of: diary, isAllowed: false)
                return Nothing()
            },
        ]
    }

    // MARK: Files

    private struct Export: Decodable, Documented {
        enum Format: String, Decodable, CaseIterable { case json, csv }

        var format: Format?

        static let fields = ["format": Field("json keeps everything.", usual: "json")]
    }

    static let mostImportedBytes = 16 << 20

    private var files: [Route] {
        [
            Route(
                .get, "v1/people/\(.diaryOwner)/export", for: .adult, "Everything of a diary",
                gives: ("application/json", "The file."), refuses: Self.refusals
            ) { call in
                let format = try call.query(as: Export.self).format
                return try await export(try await named(call), asCSV: format == .csv)
            }
            .taking(query: Export.self).giving(DiaryFile.self, with: 200, "The file.")
            .giving(alsoAs: "text/csv", with: 200),
            diary(
                .post, "v1/people/\(.diaryOwner)/import",
                "Adds the entries of a file; the same file again changes nothing", gives: [200: "What was read."]
            ) { diary, call in
                try await cases.restore(try await call.request.bytes(upTo: Self.mostImportedBytes), into: diary)
            }
            .taking(body: [("application/json", Schema(type: "object")), ("text/csv", Schema(type: "string"))]),
        ]
    }

    /// Everything of a diary as a file.
    func export(_ diary: OpenDiary, asCSV: Bool) async throws -> Response {
        let data = asCSV ? try await cases.exportedCSV(diary) : try MealJSON.encode(try await cases.exported(diary))
        return Response(
            status: .ok,
            headers: [
                .contentType: asCSV ? "text/csv; charset=utf-8" : "application/json",
                .cacheControl: "private, no-store",
            ], body: .init(byteBuffer: .init(data: data)))
    }
}

extension PathParameter where Value == String {
    fileprivate static var diaryOwner: Self { name("name", "The person's name.") }
    fileprivate static var diaryReader: Self { name("reader", "The name of another person.") }

    private static func name(_ parameter: String, _ about: String) -> Self {
        PathParameter(parameter, about, schema: Schema(type: "string", minLength: 1, maxLength: 60)) { name in
            guard (1...60).contains(name.count) else {
                throw Problem(400, "badRequest", "a name has 1 to 60 characters")
            }
            return name
        }
    }

    static var mealEntry: Self {
        PathParameter("entry", "Id of an entry.", schema: Schema(type: "string", minLength: 1, maxLength: 60)) { $0 }
    }
}

extension PathParameter where Value == Day {
    fileprivate static var day: Self {
        PathParameter("day", "yyyy-MM-dd.", schema: Schema(type: "string", format: "date")) { text in
            guard let day = Day(text) else {
                throw Problem(400, "badRequest", "“\(text.prefix(20))” is not a day such as 2026-11-22")
            }
            return day
        }
    }
}

extension PathParameter where Value == Week {
    fileprivate static var week: Self {
        PathParameter(
            "week", "ISO 8601, yyyy-Www.", schema: Schema(type: "string", pattern: "^[0-9]{4}-W[0-9]{2}$")
        ) { text in
            guard let week = Week(text) else {
                throw Problem(400, "badRequest", "“\(text.prefix(20))” is not a week such as 2026-W47")
            }
            return week
        }
    }
}
