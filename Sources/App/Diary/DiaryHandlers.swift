import Core
import Diary
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Meals

// The pages Today, Add, Week and Goal.
extension WebRoutes {
    func addDiary(to routes: RouterGroup<APIContext>) {
        routes.get("today") { request, context in
            try await diaryPage(request, context, section: "today") { try await today(request, $0) }
        }
        routes.get("today/add") { request, context in
            try await diaryPage(request, context, section: "today", writes: true) { visit in
                try await addPage(request, visit, AddQuery(FormBody(queryOf: request)))
            }
        }
        for (path, action) in [("add", addFood), ("quick", addQuick), ("reuse", reuseMeal)] {
            routes.post("today/\(path)") { request, context in
                try await diaryPage(request, context, section: "today", writes: true) { visit in
                    let form = try await FormBody(request)
                    do { return try await action(visit, form) } catch let problem as Problem
                        where problem.status.code < 500
                    {
                        return try await addPage(request, visit, AddQuery(form), error: problem)
                    }
                }
            }
        }
        addPhotos(to: routes)
        addEntries(to: routes)
        routes.get("week") { request, context in
            try await diaryPage(request, context, section: "week") { try await week(request, $0) }
        }
        routes.get("goal") { request, context in
            try await diaryPage(request, context, section: "today") { try await goal(request, $0) }
        }
        routes.post("goal") { request, context in
            try await diaryPage(request, context, section: "today", writes: true) { try await setGoal(request, $0) }
        }
        routes.post("today/weight") { request, context in
            try await diaryPage(request, context, section: "today", writes: true) { visit in
                let form = try await FormBody(request)
                guard let kilograms = try form.decimal("weight") else {
                    throw Problem(400, "badRequest", "type a weight in kilograms")
                }
                try await diary.setWeight(kilograms, on: Day(form["day"]), of: visit.person)
                return Self.seeOther(Self.today(Day(form["day"])))
            }
        }
        addDiarySettings(to: routes)
    }

    private static func today(_ day: Day?, added: String? = nil) -> String {
        let parts = [day.map { "day=\($0)" }, added.map { "added=\($0)" }].compactMap { $0 }
        return parts.isEmpty ? "/today" : "/today?" + parts.joined(separator: "&")
    }

    // MARK: Day, week

    private func today(_ request: Request, _ visit: DiaryVisit) async throws -> Response {
        let query = FormBody(queryOf: request)
        let day = Day(query["day"])
        if day == nil, !query["day"].isEmpty {
            throw Problem(400, "badRequest", "“\(query["day"].prefix(20))” is not a day such as 2026-11-22")
        }
        let content = try await diary.today(of: visit.person, on: day)
        let today = TodayPage(
            content: content, texts: try language(request).texts, mayWrite: visit.mayWrite, suffix: visit.suffix,
            added: query["added"])
        return try page(request, "today", section: "today", heading: today.title, try today.values())
    }

    private func week(_ request: Request, _ visit: DiaryVisit) async throws -> Response {
        let text = FormBody(queryOf: request)["week"]
        let week = Week(text)
        if week == nil, !text.isEmpty {
            throw Problem(400, "badRequest", "“\(text.prefix(20))” is not a week such as 2026-W47")
        }
        let shown = WeekPage(
            content: try await diary.week(week, of: visit.person), texts: try language(request).texts,
            suffix: visit.suffix)
        return try page(request, "week", section: "week", heading: shown.title, shown.values())
    }

    // MARK: Add

    /// Results of a search on the page.
    private static let shownFoods = 8

    private func addPage(
        _ request: Request, _ visit: DiaryVisit, _ query: AddQuery, error: Problem? = nil, photo: PhotoFood? = nil
    ) async throws -> Response {
        let texts = try language(request).texts
        let day = try await diary.today(of: visit.person, on: query.day)
        var query = query
        // A number needs no other word, so it is searched as it is typed.
        query.text = query.text.trimmingCharacters(in: .whitespaces)
        let page = AddPage(
            query: query, today: day.today, usual: Meal.usual(at: day.hour),
            found: query.text.isEmpty
                ? [] : try await diary.foods(query.text, of: visit.person, limit: Self.shownFoods),
            product: try await diary.product(query.text), earlier: day.earlier, texts: texts, error: error,
            photo: photo)
        return try self.page(
            request, "add", section: "today", heading: texts.text("diary.add"), try page.values(),
            status: error?.status ?? .ok)
    }

    @Sendable private func addFood(_ visit: DiaryVisit, _ form: FormBody) async throws -> Response {
        guard let food = try? MealJSON.decode(Food.self, from: Data(form["food"].utf8)) else {
            throw Problem(400, "badRequest", "choose a food of the list")
        }
        var named = food
        if !form["name"].isEmpty { named.name = form["name"] }
        let entry = try await diary.add(
            NewEntry(food: named, portion: form["portion"], meal: Meal(rawValue: form["meal"]), day: Day(form["day"])),
            of: visit.person)
        return Self.seeOther(Self.today(Day(form["day"]), added: entry.id))
    }

    @Sendable private func addQuick(_ visit: DiaryVisit, _ form: FormBody) async throws -> Response {
        guard let calories = try form.decimal("calories") else {
            throw Problem(400, "badRequest", "type the kilocalories")
        }
        let name = form["name"].isEmpty ? form["unnamed"] : form["name"]
        let food = Food.quick(
            id: UUID().uuidString.lowercased(), name: name.isEmpty ? "Quick add" : name, calories: calories,
            protein: try form.decimal("protein"), carbs: try form.decimal("carbs"), fat: try form.decimal("fat"))
        let entry = try await diary.add(
            NewEntry(food: food, meal: Meal(rawValue: form["meal"]), day: Day(form["day"])), of: visit.person)
        return Self.seeOther(Self.today(Day(form["day"]), added: entry.id))
    }

    @Sendable private func reuseMeal(_ visit: DiaryVisit, _ form: FormBody) async throws -> Response {
        guard let meal = Meal(rawValue: form["meal"]) else { throw Problem(400, "badRequest", "choose a meal") }
        _ = try await diary.reuse(meal, from: Day(form["from"]), on: Day(form["day"]), of: visit.person)
        return Self.seeOther(Self.today(Day(form["day"])))
    }

    // MARK: Photos

    private func addPhotos(to routes: RouterGroup<APIContext>) {
        routes.post("today/photo") { request, context in
            try await diaryPage(request, context, section: "today", writes: true) { visit in
                let query = AddQuery(FormBody(queryOf: request))
                do {
                    let found = try await receivePhotos(request, context)
                    guard let photo = found.first else { throw ImageRoutes.unknown }
                    let parts = [query.day.map { "day=\($0)" }, query.meal.map { "meal=\($0.rawValue)" }]
                    return Self.seeOther(
                        "/today/photo/\(photo.id)?" + parts.compactMap { $0 }.joined(separator: "&"))
                } catch let problem as Problem where problem.status.code < 500 {
                    return try await addPage(request, visit, query, error: problem)
                }
            }
        }
        routes.get("today/photo/{id}") { request, context in
            try await diaryPage(request, context, section: "today", writes: true) { visit in
                let id = try context.parameters.imageID()
                let texts = try language(request).texts
                guard let json = try await source.outcome(id) else {
                    guard try await images.image(id) != nil else { throw ImageRoutes.unknown }
                    return try page(
                        request, "progress", section: "today", heading: texts.text("progress.head"),
                        ["id": id, "refresh": true])
                }
                let outcome = try JSONCoding.decode(Outcome.self, from: json)
                let photo = try await diary.photo(outcome, name: texts.text("diary.label.name"))
                return try await addPage(request, visit, AddQuery(FormBody(queryOf: request)), photo: photo)
            }
        }
    }

    // MARK: Entries

    private func addEntries(to routes: RouterGroup<APIContext>) {
        routes.get("today/entries/{entry}") { request, context in
            try await diaryPage(request, context, section: "today", writes: true) { visit in
                try await entryPage(request, visit, try Self.entryID(context))
            }
        }
        routes.post("today/entries/{entry}") { request, context in
            try await diaryPage(request, context, section: "today", writes: true) { visit in
                let (id, form) = (try Self.entryID(context), try await FormBody(request))
                do {
                    let entry = try await diary.change(
                        id, of: visit.person, portion: form["portion"], meal: Meal(rawValue: form["meal"]),
                        day: Day(form["day"]))
                    return Self.seeOther(Self.today(entry.day))
                } catch let problem as Problem where problem.status.code < 500 {
                    return try await entryPage(request, visit, id, error: problem)
                }
            }
        }
        routes.post("today/entries/{entry}/delete") { request, context in
            try await diaryPage(request, context, section: "today", writes: true) { visit in
                let id = try Self.entryID(context)
                guard let entry = try await diary.entry(id, of: visit.person) else { throw Self.noEntry }
                _ = try await diary.removeEntry(id, of: visit.person)
                return Self.seeOther(Self.today(entry.day))
            }
        }
    }

    private static let noEntry = Problem(404, "notFound", "no such entry: it may have been removed")

    private static func entryID(_ context: APIContext) throws -> String {
        try context.parameters.require("entry").removingPercentEncoding ?? ""
    }

    private func entryPage(
        _ request: Request, _ visit: DiaryVisit, _ id: String, error: Problem? = nil
    ) async throws -> Response {
        guard let entry = try await diary.entry(id, of: visit.person) else { throw Self.noEntry }
        let shown = EntryPage(entry: entry, texts: try language(request).texts, error: error)
        return try page(
            request, "entry", section: "today", heading: entry.food.name, shown.values(), status: error?.status ?? .ok)
    }

    // MARK: Goal

    private static let projectedWeeks = 12

    private func goal(
        _ request: Request, _ visit: DiaryVisit, error: Problem? = nil, message: String? = nil
    ) async throws -> Response {
        let texts = try language(request).texts
        let shown = GoalPage(
            content: try await diary.projections(of: visit.person, weeks: Self.projectedWeeks), texts: texts,
            mayWrite: visit.mayWrite, error: error?.detail, message: message)
        return try page(
            request, "goal", section: "today", heading: texts.text("goal.head"), shown.values(),
            status: error?.status ?? .ok)
    }

    private func setGoal(_ request: Request, _ visit: DiaryVisit) async throws -> Response {
        let form = try await FormBody(request)
        do {
            guard let calories = try form.decimal("calories") else {
                throw Problem(400, "badRequest", "type the kilocalories of a day")
            }
            let by = form["by"]
            guard by.isEmpty || Day(by) != nil else {
                throw Problem(400, "badRequest", "“\(by.prefix(20))” is not a day such as 2027-03-01")
            }
            let goal = UserGoal(
                dailyCalories: calories, currentWeight: try form.decimal("weight"),
                targetWeight: try form.decimal("target"), targetDate: Day(by),
                sex: UserGoal.Sex(rawValue: form["sex"]), birthYear: Int(form["born"]),
                height: try form.decimal("height"), activity: UserGoal.Activity(rawValue: form["activity"]),
                protein: try form.decimal("protein"), carbs: try form.decimal("carbs"), fat: try form.decimal("fat"))
            try await diary.setGoal(goal, of: visit.person)
        } catch let problem as Problem where problem.status.code < 500 {
            return try await self.goal(request, visit, error: problem)
        }
        return try await goal(request, visit, message: try language(request).texts.text("goal.saved"))
    }
}
