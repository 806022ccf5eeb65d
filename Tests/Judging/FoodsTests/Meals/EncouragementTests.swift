import Core
import Foundation
import Testing

@testable import Foods

@Suite struct EncouragementTests {
    private let today = Day(number: 20_000)

    private func said(
        _ calories: [Decimal?], goal: Decimal? = 1800, isWarned: Bool = false
    ) -> Encouragement? {
        let days = calories.enumerated().compactMap { ago, value in
            value.map { (today.adding(-ago), MacroTotals(calories: $0)) }
        }
        return Encouragement(
            Dictionary(uniqueKeysWithValues: days), today: today, goal: goal, isWarned: isWarned)
    }

    @Test func `days near the goal are counted, and today is not over`() {
        #expect(said([300, 1750, 1850, 1900, 2400]) == .nearGoal(3, of: 4))
        #expect(said([1800, 1750, 1850, nil, 2400, 2400]) == .days(3), "two of four days")
    }

    @Test func `eating below the goal is never praised`() {
        #expect(said([nil, 900, 900, 900, 900, 900, 900, 900]) == .days(7))
        #expect(said([nil, 900, 900]) == nil)
    }

    @Test func `a row of days ends with the first day without entries`() {
        #expect(said([500, 2500, 2500, nil, 2500], goal: nil) == .days(3))
        #expect(said([nil, nil, 2500, 2500, 2500], goal: nil) == nil, "yesterday is missing")
    }

    @Test func `nothing is praised on the way to a goal with a warning`() {
        #expect(said([300, 1750, 1850, 1900, 2400], isWarned: true) == nil)
    }
}
