import Core
import Diary
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Meals

/// The pages Today, Add, Week, Goal and the settings of a diary.
struct DiaryPages {
    let cases: DiaryUseCases
    let shell: PageShell
    let photos: PhotoUseCases

    var routes: [Route] { days + additions + entries + goal + settings }

    /// A page of a diary, by default for its owner. While the diary is locked, the page that asks for the PIN; while
    /// nobody uses the device, the one that asks who it is.
    ///
    /// - Parameter isOwners: false for a page that readers see too.
    func page(
        _ method: HTTPRequest.Method, _ path: RoutePath, in section: Section = .today, isOwners: Bool = true,
        _ handler: @escaping @Sendable (Visit, OpenDiary) async throws -> Response
    ) -> Route {
        shell.page(method, path, for: .adult, in: section) { visit in
            let (call, identity) = (visit.call, try visit.call.identity)
            guard let own = identity.member?.name else { return Visit.next(WhoPage.address(next: call.request)) }
            let asked = call.query["person"]
            let diary: OpenDiary
            do {
                diary = try await cases.access(to: asked.isEmpty ? nil : asked, for: identity)
            } catch let problem as Problem where problem.code == "locked" {
                return Visit.next(PINPage.address(of: own, next: NextPage(askedBy: call.request)))
            }
            if isOwners { try diary.owned() }
            return try await handler(visit, diary)
        }
    }

    /// A form of a page of a diary's owner.
    ///
    /// - Parameters:
    ///   - again: the page with the reason, when the form is refused.
    ///   - handler: does what the form asks.
    func form(
        _ path: RoutePath,
        again: @escaping @Sendable (Visit, OpenDiary, FormBody, Problem) async throws -> Response,
        _ handler: @escaping @Sendable (Visit, OpenDiary, FormBody) async throws -> Response
    ) -> Route {
        page(.post, path) { visit, diary in
            let form = try await visit.call.form()
            return try await Visit.answer {
                try await handler(visit, diary, form)
            } refused: { problem in
                try await again(visit, diary, form, problem)
            }
        }
    }

    /// The address of a day's page.
    static func address(of day: Day?, added: String? = nil) -> String {
        let parts = [day.map { "day=\($0)" }, added.map { "added=\($0)" }].compactMap { $0 }
        return parts.isEmpty ? "/today" : "/today?" + parts.joined(separator: "&")
    }

    // MARK: Day, week

    private var days: [Route] {
        [
            page(.get, "today", isOwners: false) { visit, diary in
                let query = visit.call.query
                let content = try await cases.today(of: diary, on: try query.day("day"))
                return try visit.show(
                    try TodayPage(
                        content, visit.texts, mayWrite: diary.level == .own, suffix: diary.suffix(for: visit.viewer),
                        added: query["added"]))
            },
            page(.post, "today/weight") { visit, diary in
                let form = try await visit.call.form()
                guard let kilograms = try form.decimal("weight") else {
                    throw Problem(400, "badRequest", "type a weight in kilograms")
                }
                let day = try form.day("day")
                try await cases.setWeight(kilograms, on: day, of: diary)
                return Visit.next(Self.address(of: day))
            },
            page(.get, "week", in: .week, isOwners: false) { visit, diary in
                let content = try await cases.week(try visit.call.query.week("week"), of: diary)
                return try visit.show(WeekPage(content, visit.texts, suffix: diary.suffix(for: visit.viewer)))
            },
        ]
    }

    // MARK: Entries

    private var entries: [Route] {
        let path: RoutePath = "today/entries/\(.mealEntry)"
        return [
            page(.get, path) { visit, diary in try await showEntry(visit, diary) },
            form(path, again: { visit, diary, _, problem in try await showEntry(visit, diary, error: problem) }) {
                visit, diary, form in
                let entry = try await cases.change(
                    try visit.call[.mealEntry], of: diary, portion: form["portion"],
                    meal: form.choice("meal"), day: try form.day("day"))
                return Visit.next(Self.address(of: entry.day))
            },
            page(.post, "today/entries/\(.mealEntry)/delete") { visit, diary in
                let entry = try await cases.entry(try visit.call[.mealEntry], of: diary)
                try await cases.removeEntry(entry.id, of: diary)
                return Visit.next(Self.address(of: entry.day))
            },
        ]
    }

    private func showEntry(_ visit: Visit, _ diary: OpenDiary, error: Problem? = nil) async throws -> Response {
        let entry = try await cases.entry(try visit.call[.mealEntry], of: diary)
        return try visit.show(EntryPage(entry, visit.texts, error: error), status: error?.status ?? .ok)
    }

    // MARK: Goal

    private var goal: [Route] {
        [
            page(.get, "goal", isOwners: false) { visit, diary in try await showGoal(visit, diary) },
            form("goal", again: { visit, diary, _, problem in try await showGoal(visit, diary, error: problem) }) {
                visit, diary, form in
                guard let calories = try form.decimal("calories") else {
                    throw Problem(400, "badRequest", "type the kilocalories of a day")
                }
                let goal = UserGoal(
                    dailyCalories: calories, currentWeight: try form.decimal("weight"),
                    targetWeight: try form.decimal("target"), targetDate: try form.day("by"), sex: form.choice("sex"),
                    birthYear: Int(form["born"]), height: try form.decimal("height"),
                    activity: form.choice("activity"), protein: try form.decimal("protein"),
                    carbs: try form.decimal("carbs"), fat: try form.decimal("fat"))
                try await cases.setGoal(goal, of: diary)
                return try await showGoal(visit, diary, message: visit.texts.text("goal.saved"))
            },
        ]
    }

    private func showGoal(
        _ visit: Visit, _ diary: OpenDiary, error: Problem? = nil, message: String? = nil
    ) async throws -> Response {
        let content = try await cases.projections(of: diary)
        let page = GoalPage(
            content, visit.texts, mayWrite: diary.level == .own, error: error, message: message)
        return try visit.show(page, status: error?.status ?? .ok)
    }
}

extension OpenDiary {
    /// Names the diary in addresses, if it is somebody else's than the viewer's.
    func suffix(for viewer: Identity?) -> String {
        person == viewer?.member?.name ? "" : "&person=" + person.escaped
    }
}
