import Allergens
import Core
import Kinds
import Testing

/// What staff said of a dish, and lines beside it.
extension CorrectionTests {
    @Test func `what staff said of a dish says nothing of another dish that it is corrected to`() throws {
        func said(_ action: Review.Action, _ value: String, _ number: Int64) -> Review {
            var review = Review(
                content: "sha256:0", item: "Fruit salad", allergen: action == .edit ? .peanuts : nil, action: action,
                value: value, reviewer: "Ada", made: 0)
            review.number = number
            return review
        }
        let no = said(.edit, "ABSENT", 1)
        func verdict(_ reviews: [Review], _ name: String) throws -> AllergenVerdict {
            let dish = try #require(try judge(reviews).menu?.sections.flatMap(\.items).first { $0.name == name })
            return try #require(dish.verdicts["Leo"]?[.peanuts])
        }
        #expect(try verdict([no], "Fruit salad").said == .absent)
        for other in ["Satay skewers", "Gado-Gado", "Salad with peanuts"] {
            let own = try verdict([said(.rename, other, 1)], other)
            let after = try verdict([no, said(.rename, other, 2)], other)
            #expect(after.verdict == own.verdict && after.probability == own.probability, "\(other)")
            // Asked about the dish as it is called now, staff are heard.
            #expect(try verdict([said(.rename, other, 1), said(.edit, "ABSENT", 2)], other).said == .absent)
        }
        #expect(try verdict([no, said(.rename, "Fruit salads", 2)], "Fruit salads").said == .absent, "a letter")
    }

    /// Codes declare what is in a dish; a line of it that was not understood may say more.
    @Test func `a dish beside a line that was not understood is to be asked about, also where codes declare it`() throws
    {
        let lines = [
            "SUPPEN", "Linsensuppe A,I 4.50", "mit Brot", "Kürbissuppe G 5.20", "HAUPTGERICHTE", "Gulasch A,I 9.80",
            "mit Knödeln", "Salat mit Huhn G 8.20", "A = Gluten, C = Ei, G = Milch, I = Sellerie, E = Erdnüsse",
        ]
        func judged(unclear: Int?) throws -> Outcome {
            var answer = page(lines)
            if let unclear { answer.readings.text?.lines[unclear].confidence = 0.1 }
            return interpreter.judge(answer, of: try facts(), as: .menu, for: people)
        }
        func silent(_ outcome: Outcome) -> [String] { outcome.household?["Leo"]?.notMentioned ?? [] }
        let before = silent(try judged(unclear: nil))
        #expect(!before.isEmpty)
        var found = 0
        for line in 1..<8 {
            let outcome = try judged(unclear: line)
            let beside = Set((outcome.menu?.unread ?? []).compactMap(\.dish))
            found += beside.intersection(before).count
            #expect(beside.isDisjoint(with: silent(outcome)), "line \(line): \(beside)")
        }
        #expect(found > 0)
    }
}
