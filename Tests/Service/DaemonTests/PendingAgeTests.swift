import Testing

@testable import Daemon

@Suite struct PendingAgeTests {
    private let start = ContinuousClock.now

    private func age(_ ages: inout PendingAge, _ waiting: ClosedRange<Int64>?, after seconds: Int) -> Int {
        let age = ages.note(
            oldest: waiting?.lowerBound, newest: waiting?.upperBound, at: start.advanced(by: .seconds(seconds)))
        return Int(age.components.seconds)
    }

    @Test func `the age goes on while the photos before it are read`() {
        var ages = PendingAge()
        // A hundred photos come at once, and one is read each second.
        for second in 0..<99 { #expect(age(&ages, Int64(second + 1)...100, after: second) == second) }
        #expect(age(&ages, nil, after: 99) == 0)
        #expect(age(&ages, 101...101, after: 100) == 0, "an empty queue begins again")
    }

    @Test func `a queue that keeps up has the age of its photos`() {
        var ages = PendingAge()
        // One comes each second, and waits for ten.
        for second in 0..<5000 {
            let found = age(&ages, Int64(max(0, second - 10))...Int64(second), after: second)
            #expect(found == min(second, 10))
        }
    }

    @Test func `a long queue keeps few times, and no age is too long`() {
        var ages = PendingAge()
        for second in 0..<20_000 {
            let oldest = second < 19_000 ? 0 : second - 5000
            let found = age(&ages, Int64(oldest)...Int64(second), after: second)
            guard found > second - oldest || found < (second - oldest) / 2 else { continue }
            Issue.record("\(second): \(found)")
            break
        }
    }
}
