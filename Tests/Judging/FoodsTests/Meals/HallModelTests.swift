import Foundation
import Testing

@testable import Foods

/// Weights of the NIH Body Weight Planner's equations (Hall 2011), computed apart from this program.
@Suite struct HallModelTests {
    struct Vector: Sendable {
        var body: Body
        var change: Double
        var resting, expenditure, fatPercent: Double
        /// Kilograms after the days of ``days``.
        var weights: [Double]
        var ruleAfterYear: Double
    }

    static let days = [0, 7, 30, 90, 180, 365, 730, 1095]
    static let vectors = [
        Vector(
            body: Body(isMale: true, age: 40, height: 180, weight: 100, activity: 1.6), change: -500, resting: 1932.2,
            expenditure: 3091.52, fatPercent: 29.618,
            weights: [100, 99.044, 97.896, 95.278, 91.928, 86.802, 81.461, 79.435], ruleAfterYear: 76.348),
        Vector(
            body: Body(isMale: false, age: 35, height: 165, weight: 75, activity: 1.5), change: -500, resting: 1447.3,
            expenditure: 2170.95, fatPercent: 35.395,
            weights: [75, 73.794, 72.618, 69.918, 66.421, 60.969, 55.159, 52.945], ruleAfterYear: 51.348),
        Vector(
            body: Body(isMale: true, age: 30, height: 178, weight: 80, activity: 1.7), change: -250, resting: 1769.1,
            expenditure: 3007.47, fatPercent: 20.727,
            weights: [80, 79.491, 78.852, 77.464, 75.838, 73.719, 72.094, 71.687], ruleAfterYear: 68.174),
        Vector(
            body: Body(isMale: false, age: 28, height: 168, weight: 62, activity: 1.6), change: 300, resting: 1370.62,
            expenditure: 2192.99, fatPercent: 25.368,
            weights: [62, 62.735, 63.507, 65.169, 67.126, 69.821, 72.361, 73.316], ruleAfterYear: 76.191),
        Vector(
            body: Body(isMale: true, age: 50, height: 185, weight: 120, activity: 1.4), change: -750, resting: 2114.05,
            expenditure: 2959.67, fatPercent: 35.776,
            weights: [120, 118.553, 116.903, 113.019, 107.755, 98.763, 87.057, 81.095], ruleAfterYear: 84.523),
    ]

    @Test(arguments: vectors)
    func `the dynamic model agrees with the published equations within their rounding`(vector: Vector) {
        #expect(abs(vector.body.restingExpenditure - vector.resting) < 0.0051)
        #expect(abs(vector.body.expenditure - vector.expenditure) < 0.0051)
        #expect(abs(vector.body.fat / vector.body.weight * 100 - vector.fatPercent) < 0.00051)
        let model = HallModel(vector.body, balance: vector.body.expenditure)
        let weights = model.weights(intake: vector.body.expenditure + vector.change, days: 1095)
        for (day, expected) in zip(Self.days, vector.weights) {
            #expect(abs(weights[day] - expected) < 0.00051, "day \(day)")
        }
    }

    @Test func `bodies and intakes at the limits of what a goal may say do not swing without end`() {
        for (height, weight) in [(80.0, 100.0), (250, 20), (250, 300), (250, 400)] {
            for intake in [300.0, 10_000] {
                let body = Body(isMale: true, age: 20, height: height, weight: weight, activity: 2.4)
                let weights = HallModel(body, balance: body.expenditure).weights(intake: intake, days: 728)
                #expect(weights.allSatisfy { abs($0) < 1000 }, "\(height) cm, \(weight) kg, \(intake) kcal")
            }
        }
    }

    @Test func `the rule of thumb of the vectors is 3,500 kcal a pound`() {
        for vector in Self.vectors {
            // 7,716 kcal/kg: 3,500 kcal divided by 0.4536 kg.
            let weight = vector.body.weight + vector.change * 365 / (3500 / 0.45359237)
            #expect(abs(weight - vector.ruleAfterYear) < 0.0051)
        }
    }

    @Test func `an intake of the expenditure keeps the weight`() {
        for vector in Self.vectors {
            let model = HallModel(vector.body, balance: vector.body.expenditure)
            let weights = model.weights(intake: vector.body.expenditure, days: 365)
            #expect(weights.allSatisfy { abs($0 - vector.body.weight) < 1e-6 })
        }
    }
}
