import Core
import Diary
import Foundation
import HTTP
import Hummingbird
import Meals

// The page Add with its forms, and photos of barcodes and labels.
extension DiaryRoutes {
    var addPages: [Route] {
        [
            page(.get, "today/add") { visit, diary in try await showAdd(visit, diary, AddQuery(visit.call.query)) },
            addition("today/add") { visit, diary, form in
                guard var food = try? MealJSON.decode(Food.self, from: Data(form["food"].utf8)) else {
                    throw Problem(400, "badRequest", "choose a food of the list")
                }
                if !form["name"].isEmpty { food.name = form["name"] }
                return try await add(food, portion: form["portion"], visit, diary, form)
            },
            addition("today/quick") { visit, diary, form in
                guard let calories = try form.decimal("calories") else {
                    throw Problem(400, "badRequest", "type the kilocalories")
                }
                let name = form["name"].isEmpty ? form["unnamed"] : form["name"]
                let food = Food.quick(
                    id: UUID().uuidString.lowercased(), name: name.isEmpty ? "Quick add" : name, calories: calories,
                    protein: try form.decimal("protein"), carbs: try form.decimal("carbs"),
                    fat: try form.decimal("fat"))
                return try await add(food, visit, diary, form)
            },
            addition("today/reuse") { visit, diary, form in
                guard let meal: Meal = form.choice("meal") else { throw Problem(400, "badRequest", "choose a meal") }
                let day = try form.day("day")
                try await cases.reuse(meal, from: try form.day("from"), on: day, of: diary)
                return Visit.next(Self.address(of: day))
            },
            page(.post, "today/photo") { visit, diary in
                let call = visit.call
                let query = try AddQuery(call.query)
                return try await Visit.answer {
                    let found = try await PhotoReceipt(cases: photos).receive(call)
                    guard let photo = found.first else { throw PhotoUseCases.unknown }
                    let parts = [query.day.map { "day=\($0)" }, query.meal.map { "meal=\($0.rawValue)" }]
                    return Visit.next("/today/photo/\(photo.id)?" + parts.compactMap { $0 }.joined(separator: "&"))
                } refused: {
                    try await showAdd(visit, diary, query, error: $0)
                }
            },
            page(.get, "today/photo/\(.photo)") { visit, diary in
                let id = try visit.call[.photo]
                guard let outcome = try await photos.result(id) else {
                    return try visit.show(ProgressPage(id, visit.texts))
                }
                let photo = try await cases.photo(outcome, name: visit.texts.text("diary.label.name"))
                return try await showAdd(visit, diary, try AddQuery(visit.call.query), photo: photo)
            },
        ]
    }

    /// A form that adds something; a refusal shows the page Add with what was typed.
    private func addition(
        _ path: RoutePath, _ handler: @escaping @Sendable (Visit, OpenDiary, FormBody) async throws -> Response
    ) -> Route {
        form(
            path,
            again: { visit, diary, form, problem in try await showAdd(visit, diary, try AddQuery(form), error: problem)
            },
            handler)
    }

    private func add(
        _ food: Food, portion: String? = nil, _ visit: Visit, _ diary: OpenDiary, _ form: FormBody
    ) async throws -> Response {
        let day = try form.day("day")
        let new = NewEntry(food: food, portion: portion, meal: form.choice("meal"), day: day)
        let entry = try await cases.add(new, to: diary)
        return Visit.next(Self.address(of: day, added: entry.id))
    }

    /// Results of a search on the page.
    private static let shownFoods = 8

    private func showAdd(
        _ visit: Visit, _ diary: OpenDiary, _ query: AddQuery, error: Problem? = nil, photo: PhotoFood? = nil
    ) async throws -> Response {
        let day = try await cases.today(of: diary, on: query.day)
        let found =
            query.text.isEmpty ? [] : try await cases.foods(query.text, of: diary, limit: Self.shownFoods)
        let page = try AddPage(
            query, beside: day, found: found, product: try await cases.product(query.text), visit.texts, error: error,
            photo: photo)
        return try visit.show(page, status: error?.status ?? .ok)
    }
}
