import Foundation
import Testing
@testable import Allergens

struct CaseIDTests {
    private func answers(_ lines: String...) throws -> [String] {
        let judge = try TextJudge(Judge.interpreter(), language: "en", regime: nil, profile: nil)
        let (output, _) = judge.answers(to: lines.map { Data($0.utf8) }, threads: 1)
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test(arguments: ["7", "-3", "2.5", "9007199254740993", "\"7\"", "\"a\\\"b\""])
    func `an answer repeats the id, a text or a number`(id: String) throws {
        let answer = try #require(try answers(#"{"id":\#(id),"text":"butter"}"#).first)
        #expect(answer.hasPrefix(#"{"id":\#(id),"findings":"#), "\(answer)")
    }

    @Test(arguments: ["7", "\"seven\""]) func `a case that cannot be judged keeps its id`(id: String) throws {
        let answers = try answers(#"{"id":\#(id)}"#, #"{"id":\#(id),"text":"butter","regime":"mars"}"#)
        #expect(answers.count == 2)
        for answer in answers { #expect(answer.hasPrefix(#"{"id":\#(id),"error":"#), "\(answer)") }
    }

    @Test(arguments: ["{", "[1]", "7", #"{"id":true,"text":"butter"}"#, #"{"id":null,"text":"butter"}"#])
    func `the reason of a line without an id does not begin with a colon`(line: String) throws {
        let answer = try #require(try answers(line).first)
        #expect(answer.hasPrefix(#"{"id":null,"error":"#), "\(answer)")
        #expect(!answer.contains(#""detail":":"#), "\(answer)")
    }
}
