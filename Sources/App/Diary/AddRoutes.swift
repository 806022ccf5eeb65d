import Core
import Diary
import Foundation
import HTTP
import Household
import Foods
import Hummingbird

// The page Add with its forms, and photos of barcodes and labels.
extension DiaryRoutes {
    var addPages: [Route] {
        [
            page(.get, "today/add", search),
            // The same page for a script, which no worker answers in the daemon's place.
            page(.get, "today/add/found", search),
            addition("today/add") { visit, diary, form in
                let new: NewFood = form.has("gtin") ? .barcode(form["gtin"]) : .food(try Self.food(form))
                let added = try await add(new, portion: form["portion"], visit, diary, form)
                await name(form, visit)
                return added
            },
            addition("today/favourite") { visit, diary, form in
                let food = try Self.food(form)
                if form["favourite"] == "yes" {
                    try await cases.mark(food, portion: form["portion"], of: diary)
                } else {
                    try await cases.unmark(food.id, of: diary)
                }
                return try await showAdd(visit, diary, try AddQuery(form))
            },
            addition("today/quick") { visit, diary, form in
                guard let calories = try form.decimal("calories") else {
                    throw Problem(400, "badRequest", "type the kilocalories")
                }
                let name = form["name"].isEmpty ? form["unnamed"] : form["name"]
                let quick = NewFood.quick(
                    calories: calories, protein: try form.decimal("protein"), carbs: try form.decimal("carbs"),
                    fat: try form.decimal("fat"), name: name.isEmpty ? nil : name)
                return try await add(quick, visit, diary, form)
            },
            addition("today/reuse") { visit, diary, form in
                guard let meal: Meal = form.choice("meal") else { throw Problem(400, "badRequest", "choose a meal") }
                let day = try form.day("day")
                try await cases.reuse(meal, from: try form.day("from"), on: day, of: diary)
                return Visit.next(Self.address(of: day, in: visit.place(of: diary)))
            },
            page(.post, "today/photo") { visit, diary in
                let call = visit.call
                let query = try AddQuery(call.query)
                return try await visit.answer {
                    let found = try await PhotoReceipt(cases: photos).receive(call)
                    guard let photo = found.first else { throw PhotoProblem.noPhoto }
                    try await cases.count(.foodScanned, of: diary)
                    let parts = [query.day.map { "day=\($0)" }, query.meal.map { "meal=\($0.rawValue)" }]
                    return Visit.next(
                        "/today/photo/\(photo.id)?" + parts.compactMap { $0 }.joined(separator: "&")
                            + visit.place(of: diary).suffix)
                } refused: {
                    try await showAdd($0, diary, query)
                }
            },
            page(.get, "today/photo/\(.photo)") { visit, diary in
                let id = try visit.call[.photo]
                guard let outcome = try await photos.result(id) else {
                    return try visit.show(ProgressPage(photoID: id, visit.texts))
                }
                let query = try AddQuery(visit.call.query)
                let day = try await cases.today(of: diary, on: query.day).day
                let name = visit.texts.text("diary.label.name", ["day": DiaryText(visit.texts).brief(day)])
                let photo = try await cases.photo(outcome, name: name, for: diary)
                return try await showAdd(visit, diary, query, photo: photo, of: id)
            },
        ]
    }

    private func search(_ visit: Visit, _ diary: OpenDiary) async throws -> Response {
        let query = visit.call.query
        // While somebody types, the first request is the search.
        if !query["q"].isEmpty, query["typing"].isEmpty { try await cases.count(.foodSearched, of: diary) }
        return try await showAdd(visit, diary, AddQuery(query))
    }

    /// A form that adds something; a refusal shows the page Add with what was typed.
    private func addition(
        _ path: RoutePath, _ handler: @escaping @Sendable (Visit, OpenDiary, FormBody) async throws -> Response
    ) -> Route {
        form(
            path,
            again: { visit, diary in
                guard let form = visit.draft else { return try await showAdd(visit, diary, AddQuery()) }
                // A checked table stays as it was typed, for the figures that were read.
                let table = form["checked"].isEmpty ? nil : (try? Self.read(form)).map(PhotoFood.label)
                return try await showAdd(visit, diary, try AddQuery(form), photo: table, of: form.text("photo"))
            },
            handler)
    }

    /// The name that a person typed for a packet is the name of its photo too.
    private func name(_ form: FormBody, _ visit: Visit) async {
        guard let photo = form.text("photo"), let name = form.text("name"), let read = try? Self.read(form),
            read.barcode == nil, name != read.name
        else { return }
        let body = ReviewBody(id: photo, item: Review.label, action: .rename, value: name)
        // The food is logged in any case; a photo whose readings are gone keeps its name.
        _ = try? await reviews.add([body], visit)
    }

    private static func read(_ form: FormBody) throws -> Food {
        guard let food = try? JSONCoding.decode(Food.self, from: Data(form["food"].utf8)) else {
            throw Problem(400, "badRequest", "choose a food of the list")
        }
        return food
    }

    /// The food of a form; with `checked`, the figures are those that the person looked at and may have changed.
    private static func food(_ form: FormBody) throws -> Food {
        let read = try read(form)
        var food = read
        if !form["name"].isEmpty { food.name = form["name"] }
        guard !form["checked"].isEmpty else { return food }
        guard let calories = try form.decimal("calories") else {
            throw Problem(400, "badRequest", "type the kilocalories")
        }
        food.calories = calories
        food.setMacros(try form.decimal("protein"), try form.decimal("carbs"), try form.decimal("fat"))
        let isChanged =
            (food.calories, food.protein, food.carbs, food.fat) != (read.calories, read.protein, read.carbs, read.fat)
        if isChanged { (food.source, food.confidence) = (.userCreated, nil) }
        return food
    }

    private func add(
        _ new: NewFood, portion: String? = nil, _ visit: Visit, _ diary: OpenDiary, _ form: FormBody
    ) async throws -> Response {
        let day = try form.day("day")
        let entry = try await cases.add(
            new, portion: portion, at: form.choice("meal"), on: day, id: form.text("id"), to: diary, isRepeated: true)
        return Visit.next(Self.address(of: day, added: entry.id, in: visit.place(of: diary)))
    }

    /// Results of a search on the page.
    private static let shownFoods = 8

    private func showAdd(
        _ visit: Visit, _ diary: OpenDiary, _ query: AddQuery, photo: PhotoFood? = nil, of id: String? = nil
    ) async throws -> Response {
        let day = try await cases.today(of: diary, on: query.day)
        let found =
            query.text.isEmpty
            ? try await cases.own(of: diary, limit: Self.shownFoods)
            : try await cases.foods(query.text, of: diary.person, limit: Self.shownFoods)
        let page = try AddPage(
            query, beside: day, found: found, product: try await cases.product(query.text), visit.texts,
            place: visit.place(of: diary), photo: photo, of: id, refused: visit.draft,
            kept: KeptPage(diary, for: visit.viewer, today: day.today, now: await cases.now))
        return try visit.show(page)
    }
}
