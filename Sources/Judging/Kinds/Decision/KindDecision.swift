import Core

/// What a page is: every kind's probability, compared.
package struct KindDecision: Sendable, Hashable {
    /// A kind of page, or none of them, with its calibrated probability 0…1.
    package struct Choice: Sendable, Hashable {
        /// Nil for a page of no known kind.
        package var kind: Outcome.Domain?
        package var probability: Double
    }

    /// All choices, the most likely first. Never empty.
    package let choices: [Choice]

    /// - Parameter choices: one for each kind of page and one for none, in any order.
    init(_ choices: [Choice]) {
        self.choices = choices.enumerated().sorted {
            ($1.element.probability, $0.offset) < ($0.element.probability, $1.offset)
        }
        .map(\.element)
    }

    package var best: Outcome.Domain? { choices.first?.kind }
    /// Probability that `best` is right.
    package var probability: Double { choices.first?.probability ?? 0 }

    /// The best choice and the one after it, for the outcome.
    var reading: PageKindReading? {
        guard let first = choices.first else { return nil }
        return PageKindReading(
            value: first.kind?.rawValue ?? PageKindReading.none, confidence: first.probability,
            runnerUp: choices.dropFirst().first.map {
                .init(value: $0.kind?.rawValue ?? PageKindReading.none, confidence: $0.probability)
            })
    }
}
