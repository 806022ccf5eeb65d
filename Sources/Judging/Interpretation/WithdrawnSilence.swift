import Core

extension Outcome {
    /// Turns every NOT_FOUND_IN_TEXT into CANNOT_TELL: silence means nothing where part of the photo is missing.
    mutating func withdrawSilence() {
        for section in menu?.sections.indices ?? 0..<0 {
            for item in menu?.sections[section].items.indices ?? 0..<0 {
                menu?.sections[section].items[item].verdicts.withdrawSilence()
            }
        }
        label?.verdicts.withdrawSilence()
    }
}

extension Verdicts {
    fileprivate mutating func withdrawSilence() {
        self = mapValues { verdicts in
            verdicts.mapValues { verdict in
                guard verdict.verdict == .notFoundInText else { return verdict }
                return AllergenVerdict(
                    verdict: .cannotTell, risk: .unknown, probability: verdict.probability, reason: "photoIncomplete")
            }
        }
    }
}
