extension Projection.Step {
    /// The line in English, with its arithmetic.
    package var text: String {
        func whole(_ name: String) -> String { Self.number(values[name] ?? 0, decimals: 0) }
        func one(_ name: String) -> String { Self.number(values[name] ?? 0, decimals: 1) }
        func added(_ name: String) -> String { ((values[name] ?? 0) < 0 ? "" : "+ ") + signed(whole(name)) }
        func signed(_ text: String) -> String { text.hasPrefix("−") ? "− " + text.dropFirst() : text }
        return switch kind {
        case .eatenLogged:
            "Eaten: \(whole("stated")) kcal a day, mean of \(whole("days")) logged days; likely \(whole("low")) to "
                + "\(whole("high")), because people log too little; counted below: \(whole("mid"))"
        case .leftOut: "Left out: days with entries but without the usual meals: \(whole("days"))"
        case .eatenGoal:
            "Eaten: \(whole("stated")) kcal a day as planned; likely \(whole("low")) to "
                + "\(whole("high")); counted below: \(whole("mid"))"
        case .restingFormula:
            "At rest: 9.99 × \(one("weight")) kg + 6.25 × \(one("height")) cm − 4.92 × \(whole("age")) years "
                + "\(added("offset")) = \(whole("value")) kcal a day (Mifflin–St Jeor)"
        case .usedFormula:
            "Used: \(whole("resting")) × \(Self.number(values["activity"] ?? 0, decimals: 2)) for activity = "
                + "\(whole("value")) kcal a day; likely \(whole("low")) to \(whole("high"))"
        case .usedData:
            "Used: \(whole("value")) kcal a day ± \(whole("uncertainty")), from \(whole("weights")) weights and "
                + "\(whole("days")) logged days (trend \(Self.number(values["trend"] ?? 0, decimals: 2)) kg a week × "
                + "\(whole("density")) kcal/kg)"
        case .difference: "Difference: \(whole("eaten")) − \(whole("used")) = \(whole("value")) kcal a day"
        case .ruleOfThumb:
            "Rule of thumb: \(one("start")) kg \(added("difference")) × \(whole("days")) days ÷ 7,700 kcal/kg = "
                + "\(one("value")) kg; it overestimates, because expenditure falls with weight"
        case .dynamic: "Dynamic model (Hall 2011): \(one("value")) kg"
        case .longRun:
            "Check by hand: in the long run 1 kg for each 24 kcal a day, so \(whole("difference")) ÷ 24 = "
                + "\(one("value")) kg, half of it within a year"
        case .measuredRule: "Measured expenditure with the rule of thumb: \(one("value")) kg"
        case .uncertainty: "Range: \(one("low")) to \(one("high")) kg, from intake, expenditure and model together"
        case .needed:
            "To reach \(one("weight")) kg in \(whole("days")) days: \(whole("value")) kcal a day"
        }
    }

    private static func number(_ value: Double, decimals: Int) -> String {
        let scale = decimals == 0 ? 1.0 : decimals == 1 ? 10 : 100
        let scaled = (value * scale).rounded()
        guard scaled.magnitude < 1e12 else { return "–" }
        let whole = Int(scaled.magnitude)
        var digits = String(whole / Int(scale))
        if digits.count > 3 { digits = digits.dropLast(3) + "," + digits.suffix(3) }
        if decimals > 0 {
            let rest = String(whole % Int(scale))
            digits += "." + String(repeating: "0", count: decimals - rest.count) + rest
        }
        return (scaled < 0 ? "−" : "") + digits
    }
}

extension Projection.Warning {
    /// The warning in English.
    package var text: String {
        switch self {
        case .tooLow: "This needs less than 1,200 kcal a day. Do not do that without a doctor."
        case .tooFast: "This is more than 1 % of body weight a week. Choose a later date or a smaller change."
        }
    }
}
