import Diary
import Foundation
import Foods

/// The goal with what the projection needs, and the projection with its arithmetic.
struct GoalPage: Page {
    static let template = "goal"
    static let styles = ["form", "diary"]

    let person, query: String
    /// False for a diary that its owner only lets read.
    let mayWrite: Bool
    let calories, protein, carbs, fat, weight, target, by, born, height: String
    let sexes, activities: [Choice]
    struct ModelledProjection {
        let projection: ProjectionPart
        let model: String
    }

    let projections: [ModelledProjection]
    let isEmpty: Bool
    /// True without a goal: three questions come before the form.
    let isAsked: Bool
    /// The answers that the questions offer.
    let aims, bodies, levels: [Choice]
    let proposal: Proposal?
    /// Whether the pages say what goes well; the other value is that of the button.
    let isEncouraged: Bool

    /// A goal that the answers to three questions gave, with the figures that it comes from.
    struct Proposal {
        struct Field { let name, value: String }

        let calories, macros, arithmetic, rest: String
        /// Everything of the goal, for the form that saves it.
        let fields: [Field]
    }

    /// - Parameter proposed: a goal that is not saved; its fields are shown in place of the stored ones.
    init(
        _ content: GoalContent, _ texts: PageTexts, place: DiaryPlace, mayWrite: Bool, proposed: ProposedGoal? = nil
    ) {
        let goal = proposed?.goal ?? content.person.goal
        func typed(_ value: Decimal?) -> String { value.map { "\($0)" } ?? "" }
        func options(_ names: [String], _ prefix: String, _ chosen: String?) -> [Choice] {
            Choice.all([""] + names, chosen: chosen ?? "") { texts.text($0.isEmpty ? "goal.unset" : "\(prefix).\($0)") }
        }
        query = place.query
        person = content.person.name
        self.mayWrite = mayWrite
        calories = typed(goal.flatMap { $0.dailyCalories > 0 ? $0.dailyCalories : nil })
        protein = typed(goal?.protein)
        carbs = typed(goal?.carbs)
        fat = typed(goal?.fat)
        weight = typed(proposed?.goal.currentWeight ?? content.weight?.kilograms ?? goal?.currentWeight)
        target = typed(goal?.targetWeight)
        by = goal?.targetDate?.description ?? ""
        born = goal?.birthYear.map(String.init) ?? ""
        height = typed(goal?.height)
        sexes = options(UserGoal.Sex.allCases.map(\.rawValue), "sex", goal?.sex?.rawValue)
        activities = options(UserGoal.Activity.allCases.map(\.rawValue), "activity", goal?.activity?.rawValue)
        isAsked = content.person.goal == nil && proposed?.figures == nil
        let aim = proposed?.aim ?? .keep
        aims = Choice.all(GoalProposal.Aim.allCases, chosen: aim) { texts.text("aim.\($0)") }
        (bodies, levels) = (Array(sexes.dropFirst()), Array(activities.dropFirst()))
        isEncouraged = content.person.isEncouraged
        let diary = DiaryText(texts)
        projections = content.projections.compactMap { projection in
            diary.projection(projection, from: content.today).map {
                ModelledProjection(projection: $0, model: diary.texts.text("model.\(projection.model.rawValue)"))
            }
        }
        let fields = [
            ("calories", calories), ("protein", protein), ("carbs", carbs), ("fat", fat), ("weight", weight),
            ("target", target), ("by", by), ("born", born), ("height", height), ("sex", goal?.sex?.rawValue ?? ""),
            ("activity", goal?.activity?.rawValue ?? ""),
        ]
        proposal = proposed?.figures.map { Proposal($0, fields: fields, diary) }
        isEmpty = projections.isEmpty && proposed == nil
    }
}

extension GoalPage.Proposal {
    fileprivate init(_ proposal: GoalProposal, fields: [(String, String)], _ diary: DiaryText) {
        self.fields = fields.map { Field(name: $0, value: $1) }
        let (texts, figures) = (diary.texts, diary.figures)
        calories = texts.text("goal.proposed", ["n": figures.whole(proposal.calories)])
        macros = texts.text(
            "goal.proposed.macros",
            [
                "protein": figures.whole(proposal.protein), "carbs": figures.whole(proposal.carbs),
                "fat": figures.whole(proposal.fat),
            ])
        arithmetic = texts.text(
            "goal.proposed.arithmetic",
            [
                "resting": figures.whole(proposal.resting),
                "activity": figures.two(proposal.expenditure / proposal.resting),
                "used": figures.whole(proposal.expenditure),
            ])
        rest = texts.text("goal.proposed.\(proposal.aim.rawValue)")
    }
}
