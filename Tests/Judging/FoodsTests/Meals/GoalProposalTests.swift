import Testing

@testable import Foods

@Suite struct GoalProposalTests {
    private let body = Body(isMale: false, age: 36, height: 168, weight: 73, activity: 1.55)

    @Test func `keeping the weight proposes what the body uses, and macros that make up the energy`() throws {
        let proposal = try GoalProposal(.keep, body)
        #expect(abs(proposal.calories - body.expenditure) <= 5)
        let energy = proposal.protein * 4 + proposal.carbs * 4 + proposal.fat * 9
        #expect(abs(energy - proposal.calories) < 15, "\(energy), \(proposal.calories)")
    }

    @Test func `losing is at most 500 kcal and never below 1,200`() throws {
        let heavy = Body(isMale: true, age: 30, height: 190, weight: 130, activity: 2)
        #expect(try GoalProposal(.lose, heavy).calories >= heavy.expenditure - 505)
        let light = Body(isMale: false, age: 75, height: 150, weight: 50, activity: 1.4)
        #expect(try GoalProposal(.lose, light).calories == 1200)
        #expect(try GoalProposal(.gain, body).calories > body.expenditure + 250)
    }

    @Test func `nobody underweight, no target that is, and nobody under 18 gets a goal to lose`() {
        let thin = Body(isMale: false, age: 36, height: 168, weight: 51, activity: 1.55)
        #expect(throws: GoalProposal.Refusal.underweight) { try GoalProposal(.lose, thin) }
        #expect(throws: GoalProposal.Refusal.underweight) { try GoalProposal(.lose, body, target: 51) }
        #expect(throws: Never.self) { try GoalProposal(.gain, thin) }
        var young = body
        young.age = 17
        for aim in GoalProposal.Aim.allCases {
            #expect(throws: GoalProposal.Refusal.young) { try GoalProposal(aim, young) }
        }
    }
}
