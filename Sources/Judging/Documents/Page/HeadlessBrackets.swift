import Core

/// Names in brackets: the second language of a page whose first language is not read.
///
/// "(Fried Squid)" stands below a name in Korean. Without that name the text in brackets is the name.
struct HeadlessBrackets {
    let slope: PageSlope

    /// Fewer bracketed texts without a name may be notes.
    private static let leastTexts = 4
    /// Share of the bracketed texts, and of all texts, that must stand without a name.
    private static let bracketedShare = 0.7
    private static let textShare = 0.5
    /// A name is at most so many text heights above its bracket.
    private static let reach = 2.2
    private static let shortestWord = 3

    /// The segments, without the brackets around texts that have no name if most are like that.
    func opened(_ segments: [TextSegment]) -> [TextSegment] {
        let texts = segments.indices.filter { Letters.longestRun(segments[$0].text[...]) >= Self.shortestWord }
        let bracketed = texts.filter { Self.isBracketed(segments[$0].text) }
        guard bracketed.count >= Self.leastTexts else { return segments }
        let names = Set(texts).subtracting(bracketed).map { segments[$0] }
        let headless = bracketed.filter { index in !names.contains { isHead($0, of: segments[index]) } }
        guard headless.count >= Self.leastTexts,
            Double(headless.count) >= Self.bracketedShare * Double(bracketed.count),
            Double(headless.count) >= Self.textShare * Double(texts.count)
        else { return segments }
        var result = segments
        for index in headless {
            let range = result[index].textRange
            result[index].textRange = (range.lowerBound + 1)..<(range.upperBound - 1)
        }
        return result
    }

    private static func isBracketed(_ text: [Unicode.Scalar]) -> Bool {
        text.first == "(" && text.last == ")" && text.count { "()".unicodeScalars.contains($0) } == 2
    }

    /// True for a text in the row of another one, or directly above it.
    private func isHead(_ name: TextSegment, of text: TextSegment) -> Bool {
        let rise = slope.rise(name, text)
        let height = max(name.height, text.height)
        guard rise > -0.5 * height, rise < Self.reach * height else { return false }
        return abs(rise) < 0.5 * height ? name.right <= text.center : name.left < text.right && name.right > text.left
    }
}
