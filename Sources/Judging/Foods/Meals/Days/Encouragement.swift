import Core
import Foundation

/// One true sentence about the last days, for somebody who wants to read such sentences. It praises logging and days near the
/// goal, never eating below it.
package enum Encouragement: Sendable, Hashable {
    /// This many days in a row were logged, the last one today or yesterday.
    case days(Int)
    /// So many of the logged days of the last week, today not counted, were within ``WeekSummary/tolerance`` of the goal.
    case nearGoal(Int, of: Int)

    private static let fewestDays = 3
    private static let (fewestNear, fewestLogged) = (3, 4)
    private static let week = 7

    /// - Parameters:
    ///   - totals: totals of the logged days; older ones than three months do not matter.
    ///   - goal: kilocalories a day; nil without a goal.
    ///   - isWarned: true for a goal with a warning: about the way to it nothing is praised.
    /// - Returns: nil if there is nothing to say.
    package init?(_ totals: [Day: MacroTotals], today: Day, goal: Decimal?, isWarned: Bool) {
        guard !isWarned else { return nil }
        let last = (1...Self.week).compactMap { totals[today.adding(-$0)] }
        if let goal {
            let near = last.count { abs($0.calories - goal) <= WeekSummary.tolerance }
            if near >= Self.fewestNear, last.count >= Self.fewestLogged, near * 2 >= last.count {
                self = .nearGoal(near, of: last.count)
                return
            }
        }
        var day = totals[today] == nil ? today.adding(-1) : today
        var days = 0
        while totals[day] != nil {
            days += 1
            day = day.adding(-1)
        }
        guard days >= Self.fewestDays else { return nil }
        self = .days(days)
    }
}
