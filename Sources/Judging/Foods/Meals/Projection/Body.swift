/// A person as the weight models see them.
package struct Body: Sendable, Hashable {
    package var isMale: Bool
    /// Years.
    package var age: Double
    /// Centimetres.
    package var height: Double
    /// Kilograms.
    package var weight: Double
    /// Physical activity level: total expenditure divided by resting expenditure.
    package var activity: Double

    package init(isMale: Bool, age: Double, height: Double, weight: Double, activity: Double) {
        self.isMale = isMale
        self.age = age
        self.height = height
        self.weight = weight
        self.activity = activity
    }

    /// Kilocalories a day at rest (Mifflin and St Jeor 1990, unrounded coefficients).
    package var restingExpenditure: Double {
        9.99 * weight + 6.25 * height - 4.92 * age + (isMale ? 5 : -161)
    }

    /// Kilocalories a day.
    package var expenditure: Double { restingExpenditure * activity }

    /// Kilograms of body fat (Jackson and others 2002), within 5 to 60 % of the weight.
    package var fat: Double {
        let metres = height / 100
        let index = logarithm(weight / (metres * metres))
        let share = isMale ? 0.14 * age + 37.31 * index - 103.94 : 0.14 * age + 39.96 * index - 102.01
        return weight * min(max(share, 5), 60) / 100
    }
}
