import Core

/// A line under a word of a finding.
package struct WordUnderline: Sendable, Hashable {
    package var kind: AllergenVerdict.Kind
    package var from, to: Point

    package init(kind: AllergenVerdict.Kind, from: Point, to: Point) {
        self.kind = kind
        self.from = from
        self.to = to
    }

    /// One line for each word: the most serious verdict, so that no weaker line hides it. Serious lines come last, on
    /// top.
    package static func distinct(_ lines: [WordUnderline]) -> [WordUnderline] {
        struct Place: Hashable {
            var from, to: Point
        }
        let places = Dictionary(grouping: lines) { Place(from: $0.from, to: $0.to) }
        let kept = places.values.compactMap { $0.max { $0.kind.severity < $1.kind.severity } }
        return kept.sorted { ($0.kind.severity, $0.from.y, $0.from.x) < ($1.kind.severity, $1.from.y, $1.from.x) }
    }
}

extension AllergenFinding {
    /// The verdict whose line marks the words of this finding; nil for words that warn nobody.
    package var kind: AllergenVerdict.Kind? {
        switch polarity {
        case .contains: strength == .dishKnowledge ? .likely : .contains
        case .likely: .likely
        case .mayContain: .mayContain
        case .option: .cannotTell
        case .freeClaim: nil
        }
    }

    /// Lines under the words of this finding.
    package var underlines: [WordUnderline] {
        guard let kind else { return [] }
        return evidence.compactMap(\.box).map { box in .init(kind: kind, from: box.bottomLeft, to: box.bottomRight) }
    }
}
