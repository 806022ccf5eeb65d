import Foundation
import Testing

@testable import Kinds

@Suite struct PlayerSkillTests {
    /// A generator of the same numbers on each run: splitmix64.
    private struct Random: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var bits = state
            bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
            return bits ^ (bits >> 31)
        }

        mutating func share() -> Double { Double.random(in: 0..<1, using: &self) }

        mutating func normal() -> Double { sqrt(-2 * log(1 - share())) * cos(2 * .pi * share()) }
    }

    /// A child whose time and need of help follow the skill by other figures than those of the estimate.
    private struct Child {
        var skill: Double
        /// How strongly time follows, and its spread; of the logarithm.
        var slope, spread: Double
        var pace: Double

        func chance(of difficulty: Double) -> Double { 1 / (1 + exp(difficulty - skill)) }

        func plays(_ difficulty: Double, _ random: inout Random) -> PlayerSkill.Result {
            let isSolved = random.share() < chance(of: difficulty)
            var hints = 0
            let rate = exp(-0.9 - 0.8 * (skill - difficulty))
            var left = exp(-min(rate, 20))
            while hints < 3, random.share() > left {
                hints += 1
                left = min(1, left * 1.5)
            }
            let seconds = exp(log(130) + pace - slope * (skill - difficulty) + spread * random.normal())
            return .init(difficulty: difficulty, isSolved: isSolved, seconds: seconds, hints: hints)
        }
    }

    /// The share of 1,000 children whose eleventh task they solve in .60 to .85 of the tries.
    private func fitting(slope: Double, spread: Double, paceSpread: Double, seed: UInt64) -> Double {
        var random = Random(state: seed)
        let tasks = stride(from: -4.0, through: 4, by: 0.35).map { $0 }
        let children = (0..<1000).map { _ in
            Child(skill: 1.5 * random.normal(), slope: slope, spread: spread, pace: paceSpread * random.normal())
        }
        let fits = children.count { child in
            var skill = PlayerSkill()
            for _ in 0..<10 {
                guard let next = skill.next(among: tasks) else { return false }
                skill.count(child.plays(tasks[next], &random))
            }
            guard let next = skill.next(among: tasks) else { return false }
            return (0.6...0.85).contains(child.chance(of: tasks[next]))
        }
        return Double(fits) / 1000
    }

    @Test(arguments: [(0.45, 0.6, 0.0), (0.35, 0.6, 0.2), (0.5, 0.7, 0.1)])
    func `after ten tasks, children of all skills get tasks that they mostly solve`(
        _ slope: Double, _ spread: Double, _ paceSpread: Double
    ) {
        let share = fitting(slope: slope, spread: spread, paceSpread: paceSpread, seed: 7)
        print("after ten tasks \(share) of the children get a task that they solve in .60 to .85 of the tries")
        #expect(share >= 0.8)
    }

    @Test func `no time alone, however short or long, makes the next task jump`() {
        for seconds in [1.0, 1e6] {
            var skill = PlayerSkill()
            skill.count(.init(difficulty: 0, isSolved: true, seconds: seconds, hints: 0))
            #expect(abs(skill.estimate) < 2, "\(seconds) s: \(skill.estimate)")
        }
    }

    @Test func `solving quickly without help raises the estimate, leaving and help lower it`() {
        func after(_ isSolved: Bool, _ seconds: Double?, _ hints: Int) -> Double {
            var skill = PlayerSkill()
            skill.count(.init(difficulty: 0, isSolved: isSolved, seconds: seconds, hints: hints))
            return skill.estimate
        }
        let (quick, slow, helped, left) = (
            after(true, 40, 0), after(true, 600, 0), after(true, 40, 3), after(false, nil, 0)
        )
        #expect(quick > slow && quick > helped && helped > left && left < 0 && quick > 0)
        #expect(after(true, .infinity, 0).isFinite && after(true, -1, -5).isFinite)
    }

    @Test func `no task is chosen among none, and the chosen one has the wanted chance`() {
        let skill = PlayerSkill(estimate: 1)
        #expect(skill.next(among: []) == nil)
        let tasks = stride(from: -5.0, through: 5, by: 0.05).map { $0 }
        let chosen = skill.next(among: tasks).map { skill.chance(of: tasks[$0]) } ?? 0
        #expect(abs(chosen - PlayerSkill.wanted) < 0.02)
    }
}
