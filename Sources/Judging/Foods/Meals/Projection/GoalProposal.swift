/// A goal that fits a body and an aim, with the figures that it comes from. Kilocalories and grams a day.
package struct GoalProposal: Sendable, Hashable {
    /// What a person wants of their weight.
    package enum Aim: String, Sendable, Hashable, CaseIterable { case keep, lose, gain }

    /// Why no goal is proposed.
    package enum Refusal: String, Error, Sendable, Hashable {
        /// Younger than 18: growth is not for a formula.
        case young
        /// An aim to lose weight with a body mass index below 18.5, which WHO calls underweight, or with a target below it.
        case underweight
        /// The formula gives no sensible figure for this body.
        case noFigure
    }

    /// Constants with their origin.
    private enum Parameters {
        static let adultAge = 18.0
        static let lowestIndex = 18.5
        /// A moderate change: 15 % of the expenditure, at most 500 kcal (NIH clinical guidelines 1998: 500 to 1,000).
        static let share = 0.15
        static let mostChange = 500.0
        /// Shares of the energy within the ranges of EFSA's reference values (2010 and 2012), and kcal a gram.
        static let protein = (share: 0.20, energy: 4.0)
        static let carbs = (share: 0.50, energy: 4.0)
        static let fat = (share: 0.30, energy: 9.0)
    }

    package let aim: Aim
    /// The goal, in steps of 10.
    package let calories: Double
    /// What the body uses, and the part of it at rest.
    package let expenditure, resting: Double
    package let protein, carbs, fat: Double

    /// - Parameter target: the weight to reach, kilograms; nil without one.
    package init(_ aim: Aim, _ body: Body, target: Double? = nil) throws(Refusal) {
        guard body.age >= Parameters.adultAge else { throw .young }
        let metres = body.height / 100
        if aim == .lose,
            [body.weight, target ?? body.weight].contains(where: { $0 / (metres * metres) < Parameters.lowestIndex })
        {
            throw .underweight
        }
        let change = min(body.expenditure * Parameters.share, Parameters.mostChange)
        let wanted =
            switch aim {
            case .keep: body.expenditure
            case .lose: max(body.expenditure - change, Projector.Parameters.lowestIntake)
            case .gain: body.expenditure + change
            }
        guard body.restingExpenditure > 0, wanted >= Projector.Parameters.lowestIntake else { throw .noFigure }
        self.aim = aim
        let calories = (wanted / 10).rounded() * 10
        self.calories = calories
        (expenditure, resting) = (body.expenditure, body.restingExpenditure)
        func grams(_ part: (share: Double, energy: Double)) -> Double {
            (calories * part.share / part.energy).rounded()
        }
        (protein, carbs, fat) = (grams(Parameters.protein), grams(Parameters.carbs), grams(Parameters.fat))
    }
}
