import Core
import Foundation
import Foods

package struct WeekContent: Sendable {
    package var person: Diary.Person
    package var today: Day
    package var week: Week
    package var summary: WeekSummary
    /// As logged; nil for past weeks, and with too little data.
    package var projection: Projection?
    /// Nil for past weeks, for readers, and for who does not want it.
    package var encouragement: Encouragement?
}

package struct GoalContent: Sendable {
    package var person: Diary.Person
    /// The person's current day.
    package var today: Day
    /// As the goal says, then as logged; those that the data allow.
    package var projections: [Projection]
    package var weight: (day: Day, kilograms: Decimal)?
}

// Weeks, goals, weights and counts.
extension DiaryActions {
    /// - Parameter week: nil for this week.
    package func week(_ week: Week?, of opened: OpenDiary) throws -> WeekContent {
        let person = try person(of: opened)
        let today = today(for: person)
        let shown = week ?? Week(of: today)
        try diary.count(.weekOpened, of: person.name)
        let isNow = shown == Week(of: today)
        let projector = isNow ? try diary.projector(of: person.name, today: today) : nil
        return WeekContent(
            person: person, today: today, week: shown, summary: try diary.week(shown, of: person.name, today: today),
            projection: projector?.projection(.asLogged),
            encouragement: isNow ? try encouragement(for: opened, person, projector, today: today) : nil)
    }

    // MARK: Goal

    package func goal(of opened: OpenDiary) throws -> UserGoal {
        guard let goal = try person(of: opened).goal else { throw DiaryProblem.noGoal(of: opened.person) }
        return goal
    }

    /// Sets the goal; its weight becomes the weight of today.
    @discardableResult
    package func setGoal(_ goal: UserGoal, of opened: OpenDiary) throws -> UserGoal {
        try set(goal: goal, weight: goal.currentWeight, of: opened)
        return goal
    }

    /// The most weeks ahead of a projection, and the usual ones.
    package static let (mostWeeks, usualWeeks) = (104, 12)

    package func projections(of opened: OpenDiary, weeks: Int = usualWeeks) throws -> GoalContent {
        let person = try person(of: opened)
        let today = today(for: person)
        let projector = try diary.projector(of: person.name, today: today)
        try diary.count(.projectionViewed, of: person.name)
        return GoalContent(
            person: person, today: today,
            projections: [Projection.Scenario.asGoal, .asLogged].compactMap { projector?.projection($0, weeks: weeks) },
            weight: try newestWeight(of: person.name, on: today))
    }

    // MARK: Proposals and encouragement

    /// A goal from the answers to three questions; nothing is saved.
    ///
    /// - Parameter goal: the answers; its energy does not count.
    /// - Returns: the answers with the proposed energy and macros, and the figures.
    /// - Throws: ``DiaryProblem`` with the answer that is missing, or with the reason for no proposal.
    package func propose(
        _ aim: GoalProposal.Aim, _ goal: UserGoal, for opened: OpenDiary
    ) throws -> (goal: UserGoal, figures: GoalProposal) {
        let today = today(for: try person(opened.owned()))
        var goal = goal
        goal.dailyCalories = Decimal(Projector.Parameters.lowestIntake)
        if let fault = goal.fault(on: today) { throw DiaryProblem.badGoal(fault) }
        guard let weight = goal.currentWeight, let body = goal.body(weight: weight.double, year: today.components.year)
        else { throw DiaryProblem.noAnswer }
        let figures: GoalProposal
        do throws(GoalProposal.Refusal) {
            figures = try GoalProposal(aim, body, target: goal.targetWeight?.double)
        } catch { throw DiaryProblem.noProposal(error) }
        goal.dailyCalories = Decimal(figures.calories)
        (goal.protein, goal.carbs, goal.fat) = (
            Decimal(figures.protein), Decimal(figures.carbs), Decimal(figures.fat)
        )
        return (goal, figures)
    }

    /// - Parameter projector: nil without any weight.
    func encouragement(
        for opened: OpenDiary, _ person: Diary.Person, _ projector: Projector?, today: Day
    ) throws -> Encouragement? {
        guard person.isEncouraged, opened.level == .own else { return nil }
        let goal = person.goal?.dailyCalories
        let isLow = goal.map { $0.double < Projector.Parameters.lowestIntake } ?? false
        let totals = try diary.totals(of: person.name, from: today.adding(-Self.praisedDays), to: today)
        return Encouragement(
            totals, today: today, goal: goal,
            isWarned: isLow || projector?.projection(.asGoal)?.warnings.isEmpty == false)
    }

    private static let praisedDays = 90

    // MARK: Weights

    /// Oldest first.
    package func weights(of opened: OpenDiary) throws -> [(day: Day, kilograms: Decimal)] {
        try diary.weights(of: opened.person)
    }

    /// - Parameters:
    ///   - kilograms: nil removes the weight.
    ///   - day: nil for today.
    package func setWeight(_ kilograms: Decimal?, on day: Day?, of opened: OpenDiary) throws {
        let person = try person(opened.owned())
        try diary.setWeight(kilograms, on: day ?? today(for: person), of: person.name)
    }

    /// The newest weight of the last year.
    func newestWeight(of person: String, on today: Day) throws -> (day: Day, kilograms: Decimal)? {
        try diary.weights(of: person, since: today.adding(-365)).last { $0.day <= today }
    }

    // MARK: Counts

    /// How often something was done; no content.
    package func events(of opened: OpenDiary) throws -> [String: Int] { try diary.counts(of: opened.owned()) }
}
