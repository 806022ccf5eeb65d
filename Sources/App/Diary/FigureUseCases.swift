import Core
import Diary
import Foundation
import HTTP
import Foods

/// A week against the goal.
struct WeekContent: Sendable {
    var person: Diary.Person
    var today: Day
    var week: Week
    var summary: WeekSummary
    /// As logged; nil for past weeks, and with too little data.
    var projection: Projection?
    /// Nil for past weeks, for readers, and for who does not want it.
    var encouragement: Encouragement?
}

/// The goal and where it leads.
struct GoalContent: Sendable {
    var person: Diary.Person
    /// The person's current day.
    var today: Day
    /// As the goal says, then as logged; those that the data allow.
    var projections: [Projection]
    var weight: (day: Day, kilograms: Decimal)?
}

// Weeks, goals, weights and counts.
extension DiaryUseCases {
    /// - Parameter week: nil for this week.
    func week(_ week: Week?, of opened: OpenDiary) throws -> WeekContent {
        let person = try person(opened.person)
        let today = Day(of: now, in: person.timeZone)
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

    func goal(of opened: OpenDiary) throws -> UserGoal {
        guard let goal = try person(opened.person).goal else {
            throw Problem(404, "noGoal", "\(opened.person) has set no goal")
        }
        return goal
    }

    /// Sets the goal; its weight becomes the weight of today.
    @discardableResult
    func setGoal(_ goal: UserGoal, of opened: OpenDiary) throws -> UserGoal {
        var person = try person(opened.owned())
        let today = Day(of: now, in: person.timeZone)
        if let fault = goal.fault(on: today) { throw Problem(400, "badRequest", fault) }
        person.goal = goal
        try diary.save(person)
        if let weight = goal.currentWeight { try diary.setWeight(weight, on: today, of: person.name) }
        return goal
    }

    func projections(of opened: OpenDiary, weeks: Int = 12) throws -> GoalContent {
        let person = try person(opened.person)
        let today = Day(of: now, in: person.timeZone)
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
    /// - Throws: ``Problem`` 400 with the answer that is missing, or with the reason for no proposal.
    func propose(_ aim: GoalProposal.Aim, _ goal: UserGoal, for opened: OpenDiary) throws -> ProposedGoal {
        let today = Day(of: now, in: try person(opened.owned()).timeZone)
        var goal = goal
        goal.dailyCalories = Decimal(Projector.Parameters.lowestIntake)
        if let fault = goal.fault(on: today) { throw Problem(400, "badRequest", fault) }
        guard let weight = goal.currentWeight, let body = goal.body(weight: weight.double, year: today.components.year)
        else {
            throw Problem(400, "badRequest", "answer all three questions: weight, height, birth year, sex and activity")
        }
        let figures: GoalProposal
        do throws(GoalProposal.Refusal) {
            figures = try GoalProposal(aim, body, target: goal.targetWeight?.double)
        } catch { throw error.problem }
        goal.dailyCalories = Decimal(figures.calories)
        (goal.protein, goal.carbs, goal.fat) = (
            Decimal(figures.protein), Decimal(figures.carbs), Decimal(figures.fat)
        )
        return ProposedGoal(aim: aim, goal: goal, figures: figures)
    }

    @discardableResult
    func setEncouraged(_ isEncouraged: Bool, of opened: OpenDiary) throws -> DiarySettings {
        var person = try person(opened.owned())
        person.isEncouraged = isEncouraged
        try diary.save(person)
        return try settings(of: opened)
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

    func weights(of opened: OpenDiary) throws -> [DayWeight] {
        try diary.weights(of: opened.person).map { DayWeight(date: $0.day, weight: $0.kilograms) }
    }

    /// - Parameters:
    ///   - kilograms: nil removes the weight.
    ///   - day: nil for today.
    func setWeight(_ kilograms: Decimal?, on day: Day?, of opened: OpenDiary) throws {
        let person = try person(opened.owned())
        try diary.setWeight(kilograms, on: day ?? Day(of: now, in: person.timeZone), of: person.name)
    }

    /// The newest weight of the last year.
    func newestWeight(of person: String, on today: Day) throws -> (day: Day, kilograms: Decimal)? {
        try diary.weights(of: person, since: today.adding(-365)).last { $0.day <= today }
    }

    // MARK: Counts

    /// How often something was done; no content.
    func events(of opened: OpenDiary) throws -> [String: Int] { try diary.counts(of: opened.owned()) }
}

/// A goal that nobody has saved.
struct ProposedGoal: Sendable {
    let aim: GoalProposal.Aim
    /// The answers, with the proposed energy and macros.
    let goal: UserGoal
    /// Nil if the answers gave no proposal.
    let figures: GoalProposal?
}

extension GoalProposal.Refusal: AppError {
    package var problem: Problem {
        switch self {
        case .young:
            Problem(
                400, "noProposal", "no goal is proposed for people under 18: ask a doctor, and type one if they agree")
        case .underweight:
            Problem(
                400, "noProposal",
                "no goal to lose weight is proposed: the weight is, or would be, low for this height "
                    + "(body mass index below 18.5); ask a doctor")
        case .noFigure: Problem(400, "noProposal", "the formula gives no goal for this body: type one")
        }
    }
}

struct DayWeight: Sendable, Codable {
    let date: Day
    /// Kilograms.
    let weight: Decimal
}

extension UserGoal: Documented {
    package static var example: String? { #"{"dailyCalories":1800}"# }

    package static var fields: [String: Field] {
        let (weight, grams) = (Field(range: 20...400), Field(range: 0 ... .infinity))
        return [
            "dailyCalories": Field(range: 300...10_000), "currentWeight": weight, "targetWeight": weight,
            "birthYear": Field(range: 1900...2100), "height": Field(range: 80...250), "protein": grams, "carbs": grams,
            "fat": grams,
        ]
    }
}
