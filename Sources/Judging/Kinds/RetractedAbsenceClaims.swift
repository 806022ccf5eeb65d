import Core

extension Outcome {
    /// Replaces every NOT_FOUND_IN_TEXT by CANNOT_TELL, and what is unlikely by what is unknown, because part of the photo is missing.
    mutating func retractAbsenceClaims() {
        for section in menu?.sections.indices ?? 0..<0 {
            for item in menu?.sections[section].items.indices ?? 0..<0 {
                menu?.sections[section].items[item].verdicts.retractAbsenceClaims()
            }
        }
        label?.verdicts.retractAbsenceClaims()
    }
}

extension Verdicts {
    fileprivate mutating func retractAbsenceClaims() {
        self = mapValues { verdicts in
            verdicts.mapValues { verdict in
                guard verdict.isUnlikely else { return verdict }
                return AllergenVerdict(
                    verdict: .cannotTell, risk: .unknown, probability: verdict.probability, reason: "photoIncomplete")
            }
        }
    }
}
