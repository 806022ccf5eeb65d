import Glibc

/// The dynamic model of body weight of Hall and others (Lancet 2011; 378: 826–837, web appendix).
///
/// States are fat, lean tissue, glycogen, extracellular fluid and adaptive thermogenesis. A change of intake starts on day
/// 0 and lasts; activity stays the same. Half of the energy are carbohydrates, and sodium changes with the intake.
struct HallModel {
    /// Energy densities, kcal/kg.
    static let (fatDensity, leanDensity, glycogenDensity) = (9440.0, 1807.0, 4180.0)
    /// Resting expenditure of tissue, kcal/kg/day.
    private static let (fatRate, leanRate) = (3.2, 22.0)
    /// Cost of building tissue, kcal/kg.
    private static let (fatCost, leanCost) = (180.0, 230.0)
    /// Shares of a change of intake: thermic effect of food, and adaptive thermogenesis with its time in days.
    private static let (thermic, adaptive, adaptationDays) = (0.1, 0.14, 14.0)
    /// Forbes' constant, kg of fat.
    private static let forbes = 10.4
    /// Glycogen at the start, kg, and the water bound to one kilogram of it.
    private static let (glycogen, boundWater) = (0.5, 2.7)
    /// Sodium: mg in a litre of fluid, mg a day in the diet, and its excretion by fluid and by carbohydrate.
    private static let (sodiumPerLitre, dietSodium, sodiumByFluid, sodiumByCarbs) = (3220.0, 4000.0, 3000.0, 4000.0)
    private static let carbShare = 0.5

    private let body: Body
    /// Intake that keeps the weight, kcal a day.
    private let balance: Double

    /// - Parameter balance: the person's expenditure, kcal a day.
    init(_ body: Body, balance: Double) {
        self.body = body
        self.balance = balance
    }

    /// Part of a weight change that is lean tissue has this share of the energy (Forbes).
    static func leanShare(fat: Double) -> Double {
        let constant = forbes * leanDensity / fatDensity
        return constant / (constant + fat)
    }

    /// kcal of one kilogram of tissue lost or gained at this body fat.
    static func tissueDensity(fat: Double) -> Double {
        let share = leanShare(fat: fat)
        return 1 / ((1 - share) / fatDensity + share / leanDensity)
    }

    private struct State {
        var fat, lean, glycogen, fluid, adaptation: Double

        func adding(_ rate: State, _ days: Double) -> State {
            State(
                fat: fat + rate.fat * days, lean: lean + rate.lean * days, glycogen: glycogen + rate.glycogen * days,
                fluid: fluid + rate.fluid * days, adaptation: adaptation + rate.adaptation * days)
        }

        var weight: Double { fat + lean + (1 + boundWater) * (glycogen - HallModel.glycogen) + fluid }
    }

    /// Weights of day 0 to `days`, in kilograms; Runge-Kutta of order 4 with steps of one day.
    func weights(intake: Double, days: Int) -> [Double] {
        var state = State(
            fat: body.fat, lean: body.weight - body.fat, glycogen: Self.glycogen, fluid: 0, adaptation: 0)
        var weights = [state.weight]
        for _ in 0..<max(0, days) {
            let one = rates(state, intake)
            let two = rates(state.adding(one, 0.5), intake)
            let three = rates(state.adding(two, 0.5), intake)
            let four = rates(state.adding(three, 1), intake)
            state = state.adding(one, 1 / 6).adding(two, 1 / 3).adding(three, 1 / 3).adding(four, 1 / 6)
            // The equations have no floor; nobody is without fat.
            state.fat = max(state.fat, 0.1)
            // Large changes of intake swing below nothing, and from there without end.
            state.glycogen = max(state.glycogen, 0)
            weights.append(state.weight)
        }
        return weights
    }

    private func rates(_ state: State, _ intake: Double) -> State {
        let resting = body.restingExpenditure
        let change = intake - balance
        let carbs = (start: Self.carbShare * balance, now: Self.carbShare * intake)
        let glycogenRate =
            (carbs.now - carbs.start / (Self.glycogen * Self.glycogen) * state.glycogen * state.glycogen)
            / Self.glycogenDensity
        let sodium = Self.dietSodium * (intake / balance - 1)
        let fluidRate =
            (sodium - Self.sodiumByFluid * state.fluid - Self.sodiumByCarbs * (1 - carbs.now / carbs.start))
            / Self.sodiumPerLitre
        let activity = ((1 - Self.thermic) * balance / resting - 1) * resting / body.weight
        let constant =
            balance - Self.fatRate * body.fat - Self.leanRate * (body.weight - body.fat) - activity * body.weight
        let share = Self.leanShare(fat: state.fat)
        let building = Self.leanCost * share / Self.leanDensity + Self.fatCost * (1 - share) / Self.fatDensity
        let available = intake - Self.glycogenDensity * glycogenRate
        let expenditure =
            (constant + Self.fatRate * state.fat + Self.leanRate * state.lean + activity * state.weight
                + Self.thermic * change + state.adaptation + available * building) / (1 + building)
        return State(
            fat: (1 - share) * (available - expenditure) / Self.fatDensity,
            lean: share * (available - expenditure) / Self.leanDensity, glycogen: glycogenRate, fluid: fluidRate,
            adaptation: (Self.adaptive * change - state.adaptation) / Self.adaptationDays)
    }
}

/// Natural logarithm of a positive number.
func logarithm(_ value: Double) -> Double { log(value) }
