import Diary
import Foundation
import HTTP
import Foods
import Hummingbird

// Weeks, goals, weights and projections as JSON, and the pages Week and Goal.
extension DiaryRoutes {
    // MARK: JSON

    private struct Weeks: Decodable, Documented {
        var weeks: Int?

        static let fields = [
            "weeks": Field(
                "Weeks ahead.", range: 1...Double(DiaryActions.mostWeeks), usual: "\(DiaryActions.usualWeeks)")
        ]
    }

    var figureJSON: [Route] {
        let weight: RoutePath = "v1/people/\(.member)/weights/\(.day)"
        let goal: RoutePath = "v1/people/\(.member)/goal"
        return [
            diary(
                .get, "v1/people/\(.member)/week/\(.week)", "A week against the goal", gives: [200: "The week."]
            ) { diary, call in try await cases.week(try call[.week], of: diary).summary },
            diary(.get, goal, "The goal", gives: [200: "The goal."]) { diary, _ in try await cases.goal(of: diary) },
            diary(.put, goal, "Sets the goal", body: UserGoal.self, gives: [200: "The goal."]) { diary, _, goal in
                try await cases.setGoal(goal, of: diary)
            },
            Route(
                .get, "v1/people/\(.member)/projection", for: .adult,
                "Where the weight leads, as a range with its arithmetic", query: Weeks.self,
                gives: [200: "The projections that the data allow."], refuses: Self.refusals
            ) { call, query in
                try await cases.projections(of: try await named(call), weeks: query.weeks ?? DiaryActions.usualWeeks)
                    .projections
            },
            Route(
                .get, "v1/projection", for: .adult, "The projection of the person who asks", query: Weeks.self,
                gives: [200: "The projections that the data allow."], refuses: Self.refusals
            ) { call, query in
                try await cases.projections(of: try await own(call), weeks: query.weeks ?? DiaryActions.usualWeeks)
                    .projections
            },
            diary(
                .get, "v1/people/\(.member)/weights", "All weights", gives: [200: "Oldest first."]
            ) { diary, _ in
                try await cases.weights(of: diary).map { DayWeight(date: $0.day, weight: $0.kilograms) }
            },
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
                .get, "v1/people/\(.member)/events", "How often something was done; no content",
                gives: [200: "Counts by event."]
            ) { diary, _ in try await cases.events(of: diary) },
        ]
    }

    // MARK: Pages

    var figurePages: [Route] {
        [
            page(.get, "week", in: .week, isOwners: false) { visit, diary in
                let content = try await cases.week(try visit.call.query.week("week"), of: diary)
                return try visit.show(
                    WeekPage(content, visit.texts, place: visit.place(of: diary)))
            },
            page(.get, "goal", isOwners: false) { visit, diary in try await showGoal(visit, diary) },
            goalForm("goal") { visit, diary, form in
                guard try form.decimal("calories") != nil else {
                    throw Problem(400, "badRequest", "type the kilocalories of a day")
                }
                try await cases.setGoal(try Self.goal(form), of: diary)
                return try await showGoal(visit, diary, message: visit.texts.text("goal.saved"))
            },
            goalForm("goal/propose") { visit, diary, form in
                let answers = try Self.answers(form)
                let (goal, figures) = try await cases.propose(answers.aim, answers.goal, for: diary)
                return try await showGoal(
                    visit, diary, proposed: ProposedGoal(aim: answers.aim, goal: goal, figures: figures))
            },
            page(.post, "goal/encouragement") { visit, diary in
                let form = try await visit.call.form()
                try await cases.set(encouragement: form["encouragement"] == "yes", of: diary)
                return Visit.next("/goal" + visit.place(of: diary).query)
            },
        ]
    }

    private func goalForm(
        _ path: RoutePath, _ handler: @escaping @Sendable (Visit, OpenDiary, FormBody) async throws -> Response
    ) -> Route {
        form(path, again: { try await showGoal($0, $1, proposed: try? $0.draft.map(Self.answers)) }, handler)
    }

    /// What was typed on the page; without an energy it is 0.
    private static func goal(_ form: FormBody) throws -> UserGoal {
        UserGoal(
            dailyCalories: try form.decimal("calories") ?? 0, currentWeight: try form.decimal("weight"),
            targetWeight: try form.decimal("target"), targetDate: try form.day("by"), sex: form.choice("sex"),
            birthYear: Int(form["born"]), height: try form.decimal("height"),
            activity: form.choice("activity"), protein: try form.decimal("protein"),
            carbs: try form.decimal("carbs"), fat: try form.decimal("fat"))
    }

    /// The answers to the three questions.
    private static func answers(_ form: FormBody) throws -> ProposedGoal {
        ProposedGoal(aim: form.choice("aim") ?? .keep, goal: try goal(form), figures: nil)
    }

    private func showGoal(
        _ visit: Visit, _ diary: OpenDiary, proposed: ProposedGoal? = nil, message: String? = nil
    ) async throws -> Response {
        let content = try await cases.projections(of: diary)
        let page = GoalPage(
            content, visit.texts, place: visit.place(of: diary), mayWrite: diary.level == .own,
            proposed: proposed)
        return try visit.show(page, message: message)
    }
}

/// A goal that nobody has saved.
struct ProposedGoal: Sendable {
    let aim: GoalProposal.Aim
    /// The answers; with figures, with the proposed energy and macros.
    let goal: UserGoal
    /// Nil if the answers gave no proposal.
    let figures: GoalProposal?
}
