import Core

/// Joins cents that are set small and high beside their whole units: 12⁵⁰, which the reader finds as "12" and "50".
struct RaisedCents {
    let slope: PageSlope
    let scanner: AmountScanner

    /// Maximum height of cents, as a share of the height of the whole units.
    private static let height = 0.85
    /// Distance of the cents from the whole units, in heights of these.
    private static let gap = -0.3...0.6
    /// Distance of the cents' middle below the middle of the whole units, in heights of these.
    private static let rise = -0.55...0.1

    private struct Place: Hashable {
        var segment, word: Int
    }

    func joined(_ segments: [TextSegment]) -> [TextSegment] {
        let places = segments.indices.flatMap { segment in
            segments[segment].words.indices.map { Place(segment: segment, word: $0) }
        }
        let cents = places.filter { Self.areCents(segments[$0.segment].words[$0.word].word.text) }
        guard !cents.isEmpty else { return segments }
        var partner: [Place: PageWord] = [:]
        var taken: Set<Place> = []
        for place in places where Self.areUnits(segments[place.segment].words[place.word].word.text) {
            let units = segments[place.segment].words[place.word]
            let found = cents.first { other in
                other != place && !taken.contains(other) && isRaised(segments[other.segment].words[other.word], units)
            }
            guard let found else { continue }
            taken.insert(found)
            partner[place] = Self.joined(units, segments[found.segment].words[found.word])
        }
        guard !taken.isEmpty else { return segments }
        return segments.indices.compactMap { segment in
            let numbers = segments[segment].words.indices
            let changed = numbers.contains { number in
                let place = Place(segment: segment, word: number)
                return taken.contains(place) || partner[place] != nil
            }
            guard changed else { return segments[segment] }
            let words = numbers.filter { !taken.contains(Place(segment: segment, word: $0)) }
                .map { partner[Place(segment: segment, word: $0)] ?? segments[segment].words[$0] }
            return words.isEmpty ? nil : TextSegment(words, scanner)
        }
    }

    private func isRaised(_ cents: PageWord, _ units: PageWord) -> Bool {
        let distance = (cents.left - units.right) / units.height
        let below = slope.rise(from: units.center, units.middle, to: cents.center, cents.middle) / units.height
        return cents.height <= Self.height * units.height && Self.gap.contains(distance) && Self.rise.contains(below)
    }

    /// True for two digits, with or without a sign of a currency.
    private static func areCents(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        guard scalars.count >= 2, scalars[..<2].allSatisfy(Letters.isDigit) else { return false }
        return scalars.count == 2 || scalars.count == 3 && ["€", "$", "£"].contains(scalars[2])
    }

    /// True for a text that ends in one to three digits, with at most a sign of a currency before them and a separator
    /// after them.
    private static func areUnits(_ text: String) -> Bool {
        let scalars = text.unicodeScalars.drop { ["€", "$", "£"].contains($0) }
        let digits = scalars.prefix(while: Letters.isDigit)
        let rest = scalars.dropFirst(digits.count)
        return (1...3).contains(digits.count)
            && (rest.isEmpty || rest.elementsEqual([","]) || rest.elementsEqual(["."]))
    }

    private static func joined(_ units: PageWord, _ cents: PageWord) -> PageWord {
        var word = units
        word.word.text = units.word.text.filter { $0 != "," && $0 != "." } + "." + cents.word.text
        word.word.confidence = min(units.word.confidence, cents.word.confidence)
        word.word.box = Quad(around: [units.word.box, cents.word.box]) ?? units.word.box
        word.right = max(units.right, cents.right)
        return word
    }
}
