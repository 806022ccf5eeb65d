import Core
import Foundation
import Foods

enum WeightUnit {
    case kilogram, gram, pound, stone

    /// Nil for a text that is no unit of weight.
    init?(_ text: String) {
        switch text.lowercased() {
        case "kg", "kgs": self = .kilogram
        case "g": self = .gram
        case "lb", "lbs": self = .pound
        case "st": self = .stone
        default: return nil
        }
    }

    func kilograms(_ amount: Decimal) -> Decimal {
        let kilograms: Decimal =
            switch self {
            case .kilogram: amount
            case .gram: amount / 1000
            // The international pound, exactly; a stone has 14.
            case .pound: amount * Decimal(45_359_237) / 100_000_000
            case .stone: amount * Decimal(635_029_318) / 100_000_000
            }
        return kilograms.rounded(places: 3)
    }
}

/// The measurements of a file, one a day: the earliest.
struct DailyWeights {
    private(set) var days: [Day: (instant: Int, kilograms: Decimal)] = [:]
    /// Measurements of a day that has an earlier one.
    private(set) var repeats = 0
    private(set) var rejected = 0
    private(set) var reasons: [String] = []

    private static let mostReasons = 10

    /// - Parameters:
    ///   - instant: seconds; only the order counts. The first of two equal ones is kept.
    ///   - place: where the measurement stands, such as `row 5`.
    mutating func add(_ kilograms: Decimal, on day: Day, at instant: Int, place: @autoclosure () -> String) {
        if let fault = Weight.fault(kilograms, on: day) { return reject(fault, place: place()) }
        guard let known = days[day] else { return days[day] = (instant, kilograms) }
        repeats += 1
        if instant < known.instant { days[day] = (instant, kilograms) }
    }

    mutating func reject(_ reason: String, place: @autoclosure () -> String) {
        rejected += 1
        if reasons.count < Self.mostReasons { reasons.append("\(place()): \(reason)") }
    }
}
