import Core
import Foundation

extension VerdictRules {
    /// Verdicts with what people said of them. The program's own stay in `system`. The latest review of an allergen
    /// counts. What is printed is never lowered: a denial by staff lies beside it.
    ///
    /// - Parameters:
    ///   - reviews: those about this dish, label or product, oldest first.
    ///   - findings: the evidence of the dish, label or product.
    func answered(
        _ own: Verdicts, by reviews: [Review], findings: [AllergenFinding], profiles: [AllergenProfile]
    ) -> Verdicts {
        guard !reviews.isEmpty else { return own }
        let printed = self.printed(findings, profiles)
        var verdicts = own
        for review in reviews {
            for (person, known) in own {
                for allergen in review.allergen.map({ [$0] }) ?? Array(known.keys) {
                    guard let verdict = known[allergen] else { continue }
                    verdicts[person]?[allergen] = verdict.answered(by: review, printed: printed[person]?[allergen])
                }
            }
        }
        return verdicts
    }

    /// What the print alone says: without what is typical of a dish.
    func printed(_ findings: [AllergenFinding], _ profiles: [AllergenProfile]) -> Verdicts {
        verdicts(
            findings: findings.filter { [.contains, .mayContain].contains($0.polarity) },
            absenceClaim: .unsupported(reason: AllergenVerdict.noDeclaration), profiles: profiles)
    }
}

extension Verdicts {
    /// Replaces each verdict that is less serious than a printed one.
    mutating func raise(to printed: Verdicts) {
        for (person, own) in printed {
            for (allergen, verdict) in own where verdict.verdict.isWarning {
                if let known = self[person]?[allergen], known.verdict.severity >= verdict.verdict.severity { continue }
                self[person]?[allergen] = verdict
            }
        }
    }
}

extension AllergenVerdict {
    fileprivate func answered(by review: Review, printed: AllergenVerdict?) -> AllergenVerdict {
        let floor = [self, printed].compactMap(\.self).filter(\.isPrinted).max {
            $0.verdict.severity < $1.verdict.severity
        }
        // Staff who do not know know more than a statistic of such dishes.
        var answered = Self.verdict(of: review.said) ?? (review.said == .unknown ? doubted : self)
        if let floor, floor.verdict.severity > answered.verdict.severity { answered = floor }
        answered.by = review.reviewer
        answered.at = review.moment
        answered.said = review.said
        answered.system = own
        return answered
    }

    /// Nil if the program's own verdict stays.
    private static func verdict(of said: Review.Said?) -> AllergenVerdict? {
        switch said {
        // A dish that can be made without is served with it.
        case .contains, .canOmit: AllergenVerdict(verdict: .contains, risk: .high, probability: 1, reason: reviewed)
        case .mayContain: AllergenVerdict(verdict: .mayContain, risk: .medium, probability: 0.5, reason: reviewed)
        // A person cannot prove absence either; the verdict states only that the text does not mention the allergen.
        case .absent: AllergenVerdict(verdict: .notFoundInText, risk: .low, probability: 0.03, reason: reviewed)
        case .unknown, nil: nil
        }
    }

    private static let reviewed = "review"
}

extension Review {
    /// When it was made, ISO 8601.
    package var moment: String { Date(timeIntervalSince1970: made).formatted(.iso8601) }
}

extension [Review] {
    /// What people said of each allergen last, oldest first; nil if nobody said anything.
    var statements: [AllergenStatement]? {
        var latest: [Allergen: Int] = [:]
        for (index, review) in enumerated() where review.said != nil {
            if let allergen = review.allergen { latest[allergen] = index }
        }
        let statements = latest.sorted { $0.value < $1.value }.compactMap { allergen, index -> AllergenStatement? in
            let review = self[index]
            return review.said.map {
                AllergenStatement(
                    allergen: allergen, said: $0, by: review.reviewer, at: review.moment, staff: review.staff,
                    review: review.number)
            }
        }
        return statements.isEmpty ? nil : statements
    }
}

extension AllergenInterpreter {
    /// Applies what people said of a label or a product; see ``VerdictRules``.
    ///
    /// - Parameter item: its names in reviews.
    package func answer(
        _ verdicts: inout Verdicts, _ statements: inout [AllergenStatement]?, findings: [AllergenFinding],
        by reviews: [Review], about item: (String) -> Bool, for profiles: [AllergenProfile]
    ) {
        let own = reviews.filter { $0.concernsVerdicts && ($0.item == Review.everything || item($0.item)) }
        verdicts = rules.answered(verdicts, by: own, findings: findings, profiles: profiles)
        statements = own.statements
    }
}
