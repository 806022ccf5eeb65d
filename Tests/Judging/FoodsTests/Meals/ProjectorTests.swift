import Foundation
import Testing

@testable import Foods

@Suite struct ProjectorTests {
    private let body = Body(isMale: false, age: 35, height: 165, weight: 75, activity: 1.5)

    private func projector(
        intake: [Double] = Array(repeating: 1800, count: 10), goal: Double? = 1600, body: Body? = nil,
        weights: [(day: Int, value: Double)] = [], target: (weight: Double, days: Int?)? = nil
    ) -> Projector {
        Projector(
            weight: 75, body: body ?? self.body, intake: intake.enumerated().map { ($0.offset, $0.element) },
            weights: weights, goal: goal, target: target)
    }

    @Test func `a projection is a range that widens with time and has its middle inside`() throws {
        let projection = try #require(projector().projection(.asLogged))
        #expect(projection.model == .dynamic)
        #expect(projection.points.count == 13)
        var width = 0.0
        for point in projection.points {
            #expect(point.weight.low <= point.weight.mid && point.weight.mid <= point.weight.high)
            #expect(point.weight.high - point.weight.low >= width)
            width = point.weight.high - point.weight.low
        }
        #expect(width > 1)
    }

    @Test func `a body for which the formula has no figure has no projection`() {
        let tiny = Body(isMale: false, age: 126, height: 80, weight: 20, activity: 1.4)
        #expect(projector(goal: 300, body: tiny).projection(.asGoal, weeks: 104) == nil)
    }

    @Test func `a lower goal gives a lower projection`() throws {
        let one = try #require(projector(goal: 1800).projection(.asGoal))
        let other = try #require(projector(goal: 1400).projection(.asGoal))
        #expect(other.points[12].weight.mid < one.points[12].weight.mid - 1)
    }

    @Test func `the arithmetic can be checked by hand`() throws {
        let projection = try #require(projector().projection(.asLogged))
        func step(_ kind: Projection.Step.Kind) throws -> [String: Double] {
            try #require(projection.steps.first { $0.kind == kind }).values
        }
        let resting = try step(.restingFormula)
        #expect(abs((resting["value"] ?? 0) - (9.99 * 75 + 6.25 * 165 - 4.92 * 35 - 161)) < 1e-9)
        let used = try step(.usedFormula)
        #expect(abs((used["value"] ?? 0) - 1.5 * (resting["value"] ?? 0)) < 1e-9)
        let eaten = try step(.eatenLogged)
        #expect(eaten["stated"] == 1800 && eaten["days"] == 10)
        #expect(abs((eaten["high"] ?? 0) - 1800 * 1.15) < 1e-9)
        let rule = try step(.ruleOfThumb)
        #expect(abs((rule["value"] ?? 0) - (75 + (rule["difference"] ?? 0) * 84 / 7700)) < 1e-9)
        #expect(projection.models["ruleOfThumb"] == rule["value"])
    }

    @Test(arguments: [1500.0, 2000, 2900], [-0.05, 0, 0.03])
    func `what was eaten less what a course of weights says was used is what was stored`(
        logged: Double, trend: Double
    ) throws {
        let projector = projector(
            intake: Array(repeating: logged, count: 28), weights: (0..<28).map { ($0, 75 + trend * Double($0)) })
        let density = try #require(projector.measured).density
        let used = try #require(projector.expenditure).mid
        #expect(abs(projector.likelyIntake(logged) - used - trend * density) < 1)
        #expect(self.projector().likelyIntake(logged) > logged, "without weights the log is too low")
    }

    @Test func `the printed arithmetic has one sign a summand, and its lines agree`() throws {
        let steps = try #require(projector().projection(.asLogged)).steps
        let text = steps.map(\.text).joined(separator: "\n")
        #expect(text.contains("years − 161 ="), "\(text)")
        #expect(!text.contains("+ −"))
        let difference = try #require(steps.first { $0.kind == .difference })
        let (eaten, used) = (difference.values["eaten"] ?? 0, difference.values["used"] ?? 0)
        #expect(difference.values["value"] == eaten - used)
        #expect(eaten == eaten.rounded() && used == used.rounded())
        let counted = try #require(steps.first { $0.kind == .eatenLogged })
        #expect(counted.values["mid"]?.rounded() == eaten, "the line before names what the difference counts with")
        #expect(counted.text.contains("counted below: 1,935"), "\(counted.text)")
    }

    @Test func `the rule of thumb overestimates a loss`() throws {
        let projection = try #require(projector(goal: 1400).projection(.asGoal, weeks: 52))
        let (rule, dynamic) = (
            try #require(projection.models["ruleOfThumb"]), try #require(projection.models["dynamic"])
        )
        #expect(rule < dynamic - 2)
    }

    /// Days of meals and weights of a person with a known expenditure.
    private func simulated(_ expenditure: Double, logged share: Double, days: Int = 28) -> Projector {
        var generator = SplitMix(state: 7)
        var weight = 75.0
        var (intake, weights): ([Double], [(day: Int, value: Double)]) = ([], [])
        let density = HallModel.tissueDensity(fat: body.fat)
        for day in 0..<days {
            let eaten = 1700 + 200 * generator.next()
            intake.append(eaten * share)
            weights.append((day, weight + 0.3 * generator.next()))
            weight += (eaten - expenditure) / density
        }
        return projector(intake: intake, weights: weights)
    }

    @Test func `fourteen days of weights and meals replace the formula, with their uncertainty`() throws {
        let projector = simulated(2000, logged: 1)
        let measured = try #require(projector.measured)
        #expect(abs(measured.value - 2000) < measured.uncertainty)
        #expect(measured.uncertainty < 250)
        #expect(try #require(projector.projection(.asLogged)).model == .fromData)
        #expect(simulated(2000, logged: 1, days: 13).measured == nil)
    }

    @Test func `logging too little does not move the projection from data`() throws {
        let honest = try #require(simulated(2000, logged: 1).projection(.asLogged))
        let short = try #require(simulated(2000, logged: 0.85).projection(.asLogged))
        #expect(abs(honest.points[12].weight.mid - short.points[12].weight.mid) < 0.6)
    }

    @Test func `steep goals get a plain warning`() throws {
        #expect(try #require(projector(goal: 1100).projection(.asGoal)).warnings.contains(.tooLow))
        #expect(try #require(projector(goal: 1900).projection(.asGoal)).warnings == [])
        let steep = projector(target: (weight: 65, days: 56))
        let warnings = try #require(steep.projection(.asGoal)).warnings
        #expect(warnings == [.tooLow, .tooFast])
    }

    @Test func `a target is reached between the days on which both edges of the range are there`() throws {
        let losing = try #require(projector(target: (weight: 73, days: nil)).projection(.asGoal, weeks: 104))
        let target = try #require(losing.target)
        let (earliest, likely) = (try #require(target.earliest), try #require(target.likely))
        #expect(earliest < likely && likely < (target.latest ?? .max))
        // The middle passes the weight in that week and not before.
        let (before, after) = (losing.points[(likely - 1) / 7].weight, losing.points[(likely + 6) / 7].weight)
        #expect(before.mid > 73 && after.mid <= 73, "\(likely): \(before.mid), \(after.mid)")
        #expect(target.wanted == nil)
        let gaining = try #require(
            projector(goal: 2600, target: (weight: 77, days: 84)).projection(.asGoal)?.target)
        #expect(try #require(gaining.earliest) < #require(gaining.likely))
        let wanted = try #require(gaining.wanted)
        #expect(wanted == projector(goal: 2600).projection(.asGoal)?.points[12].weight)
    }

    @Test func `a target in the other direction is never reached, and one that is there is reached now`() throws {
        let away = try #require(projector(goal: 2600, target: (weight: 65, days: nil)).projection(.asGoal)?.target)
        #expect(away.likely == nil && away.latest == nil)
        let there = try #require(projector(target: (weight: 75, days: nil)).projection(.asGoal)?.target)
        #expect(there.earliest == 0 && there.likely == 0)
    }

    @Test func `without body data and without data there is no projection`() {
        let empty = Projector(weight: 75, body: nil, intake: [], weights: [], goal: 1800, target: nil)
        #expect(empty.projection(.asGoal) == nil)
        #expect(projector(intake: [1800, 1800]).projection(.asLogged) == nil)
    }

    @Test func `a target of another age costs nothing and says nothing`() throws {
        var projector = Projector(
            weight: 73, body: Body(isMale: false, age: 36, height: 168, weight: 73, activity: 1.55), intake: [],
            weights: [], goal: 1800, target: (weight: 69, days: 2_912_000))
        #expect(projector.neededIntake == nil)
        #expect(projector.projection(.asGoal)?.steps.contains { $0.kind == .needed } == false)
        projector.target = (weight: 69, days: 365)
        #expect(projector.neededIntake != nil)
    }
}

/// Values from -1 to 1, the same in every run.
private struct SplitMix {
    var state: UInt64

    mutating func next() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) / Double(UInt64(1) << 52) - 1
    }
}
