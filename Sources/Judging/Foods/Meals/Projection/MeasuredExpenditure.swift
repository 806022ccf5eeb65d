/// Expenditure estimated from weights and logged meals.
///
/// What was eaten and not stored was used: expenditure = mean intake − trend of the weight × energy of a kilogram. It is in
/// units of the log: if a person logs 10 % too little, so is this figure, and the difference of both is right.
package struct MeasuredExpenditure: Sendable, Hashable {
    /// kcal a day.
    package var value: Double
    /// Two standard errors, kcal a day.
    package var uncertainty: Double
    package var loggedDays: Int
    package var weights: Int
    /// Kilograms a day.
    package var trend: Double
    /// kcal of one kilogram.
    package var density: Double

    /// Fewer days of weights or meals give no estimate.
    package static let fewestDays = 14
    /// Older days are not used: expenditure changes with weight and season.
    package static let mostDays = 42

    /// - Parameters:
    ///   - intake: kcal of full logged days, by day number.
    ///   - weights: kilograms by day number.
    /// - Returns: nil with fewer than ``fewestDays`` of either, or if they do not overlap by as many days.
    package init?(intake: [(day: Int, value: Double)], weights: [(day: Int, value: Double)], density: Double) {
        guard let last = weights.map(\.day).max() else { return nil }
        let recent = weights.filter { $0.day > last - Self.mostDays }
        guard let first = recent.map(\.day).min(), last - first + 1 >= Self.fewestDays else { return nil }
        let eaten = intake.filter { (first...last).contains($0.day) }
        guard recent.count >= Self.fewestDays, eaten.count >= Self.fewestDays,
            let line = Line(recent.map { (Double($0.day - first), $0.value) })
        else { return nil }
        let mean = Mean(eaten.map(\.value))
        trend = line.slope
        self.density = density
        value = mean.value - line.slope * density
        let slopeError = line.slopeError * density
        uncertainty = 2 * (slopeError * slopeError + mean.error * mean.error).squareRoot()
        loggedDays = eaten.count
        self.weights = recent.count
    }
}

/// A mean and its standard error.
struct Mean {
    var value: Double
    var error: Double

    /// The values must not be empty.
    init(_ values: [Double]) {
        let count = Double(max(1, values.count))
        let mean = values.reduce(0, +) / count
        value = mean
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        error = values.count > 1 ? (squares / (count - 1) / count).squareRoot() : 0
    }
}

/// The least-squares line through points, and the standard error of its slope.
struct Line {
    var slope: Double
    var slopeError: Double

    /// Nil for fewer than three points or for points at one place.
    init?(_ points: [(x: Double, y: Double)]) {
        guard points.count > 2 else { return nil }
        let count = Double(points.count)
        let (meanX, meanY) = (points.reduce(0) { $0 + $1.x } / count, points.reduce(0) { $0 + $1.y } / count)
        let spread = points.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
        guard spread > 0 else { return nil }
        let slope = points.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) } / spread
        let rest = points.reduce(0) { sum, point in
            let off = point.y - meanY - slope * (point.x - meanX)
            return sum + off * off
        }
        self.slope = slope
        slopeError = (rest / (count - 2) / spread).squareRoot()
    }
}
