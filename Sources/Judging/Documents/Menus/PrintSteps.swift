import Core
import Foundation

/// Places inside lines at which the colour or the strokes change, in the same way on several lines of the page: there the
/// description begins behind the name.
struct PrintSteps {
    /// The place of each line: the index of the description's first word, or nil.
    let places: [Int?]

    /// Lines that must change alike.
    private static let leastLines = 3
    /// Letters of a word whose print is compared.
    private static let shortestWord = 3
    /// The least difference of two prints, and its least ratio to the differences inside each.
    private static let leastStep: Float = 0.2, ratio: Float = 2.5
    /// The least cosine of two changes that are alike.
    private static let leastCosine: Float = 0.8

    private struct Step {
        var place: Int
        var change: SIMD4<Float>
    }

    init(_ lines: [[Word]]) {
        let steps = lines.map(Self.step)
        places = steps.map { step in
            guard let step else { return nil }
            let alike = steps.count { other in other.map { Self.areAlike(step.change, $0.change) } ?? false }
            return alike >= Self.leastLines ? step.place : nil
        }
    }

    /// The first place before a list at which the words on each side are much more alike than the sides.
    private static func step(in words: [Word]) -> Step? {
        let prints = words.map { $0.text.count >= shortestWord ? print(of: $0) : nil }
        for place in words.indices.dropFirst() where NameSplitter.isList(words[place...]) {
            let sides = [prints[..<place].compactMap(\.self), prints[place...].compactMap(\.self)]
            guard !sides[0].isEmpty, sides[1].count >= 2 else { continue }
            let means = sides.map { side in side.reduce(SIMD4<Float>.zero, +) / Float(side.count) }
            let change = means[1] - means[0]
            let most = min(length(change) / ratio, length(change) > leastStep ? .infinity : 0)
            if zip(sides, means).allSatisfy({ side, mean in side.allSatisfy { length($0 - mean) < most } }) {
                return Step(place: place, change: change)
            }
        }
        return nil
    }

    /// Contrast and stroke, as logarithms; nil if they were not measured.
    private static func print(of word: Word) -> SIMD4<Float>? {
        word.ink.flatMap { ink in
            ink.stroke > 0 ? SIMD4(PrintTraits.contrast(of: ink), Float(2 * log(ink.stroke))) : nil
        }
    }

    private static func areAlike(_ one: SIMD4<Float>, _ other: SIMD4<Float>) -> Bool {
        (one * other).sum() > leastCosine * length(one) * length(other)
    }

    private static func length(_ vector: SIMD4<Float>) -> Float { (vector * vector).sum().squareRoot() }
}
