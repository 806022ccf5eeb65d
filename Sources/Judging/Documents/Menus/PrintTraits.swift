import Foundation
import Core

/// How a text is printed, without the light of the photo.
struct PrintTraits: Sendable {
    /// Natural logarithm of ink over ground for red, green and blue. Negative: dark on bright.
    var contrast: SIMD3<Float>
    /// Natural logarithm of the ground for red, green and blue.
    var ground: SIMD3<Float>
    /// Natural logarithm of the strokes' mean width, in median text heights of the page.
    var stroke: Float
    /// The largest difference of contrast between two of its words: a name and its description on one line.
    var spread: Float

    /// Nil if no word was measured.
    init?(_ segment: TextSegment, pageHeight: Double) {
        let inks = segment.words.compactMap { one in
            one.word.ink.flatMap {
                $0.stroke > 0 ? (ink: $0, weight: Float(one.word.text.count), height: one.height) : nil
            }
        }
        guard !inks.isEmpty else { return nil }
        var total: Float = 0
        contrast = .zero
        ground = .zero
        stroke = 0
        spread = 0
        var each: [SIMD3<Float>] = []
        for (ink, weight, height) in inks {
            let difference = Self.contrast(of: ink)
            each.append(difference)
            contrast += weight * difference
            ground += weight * Self.channels(ink.ground)
            stroke += weight * Float(log(max(0.01, ink.stroke) * height / pageHeight))
            total += weight
        }
        contrast /= total
        ground /= total
        stroke /= total
        for (index, one) in each.enumerated() {
            for other in each[..<index] { spread = max(spread, Self.length(one - other)) }
        }
    }

    /// Natural logarithm of ink over ground.
    static func contrast(of ink: Ink) -> SIMD3<Float> { channels(ink.color) - channels(ink.ground) }

    /// Logarithms of the channels; a black of 8 keeps dark colours apart no more than a photo can.
    private static func channels(_ color: UInt32) -> SIMD3<Float> {
        let bytes = SIMD3<Float>(Float(color >> 16 & 255), Float(color >> 8 & 255), Float(color & 255))
        return SIMD3(log(bytes.x + 8), log(bytes.y + 8), log(bytes.z + 8))
    }

    static func length(_ vector: SIMD3<Float>) -> Float { (vector * vector).sum().squareRoot() }

    /// The difference of the inks of two texts.
    func inkDistance(to other: PrintTraits) -> Float { Self.length(contrast - other.contrast) }

    /// The difference of what lies behind two texts.
    func groundDistance(to other: PrintTraits) -> Float { Self.length(ground - other.ground) }

    /// True if two texts may be of one style.
    func isLike(_ other: PrintTraits) -> Bool {
        inkDistance(to: other) < 0.5 && abs(stroke - other.stroke) < 0.3
    }
}

/// The print of all texts of a page.
struct PrintStyles: Sendable {
    let texts: [PrintTraits?]
    private let ground: SIMD3<Float>
    private let contrast: SIMD3<Float>
    private let stroke: Float

    init(_ page: PageLayout) {
        texts = page.texts.map { PrintTraits($0.segment, pageHeight: page.height) }
        let known = texts.compactMap(\.self)
        func median(_ value: (PrintTraits) -> Float) -> Float {
            known.map(value).median ?? 0
        }
        ground = SIMD3(median { $0.ground.x }, median { $0.ground.y }, median { $0.ground.z })
        contrast = SIMD3(median { $0.contrast.x }, median { $0.contrast.y }, median { $0.contrast.z })
        stroke = median(\.stroke)
    }

    /// Number of features of a text's own print.
    static let ownCount = 10

    /// Contrast (3), ground (3) and stroke against the page's medians, the ink's distance from the page's usual one, and
    /// the differences inside the text. 0 and a last 1 for a text that was not measured.
    func own(_ index: Int) -> [Float] {
        guard let one = texts[index] else { return [Float](repeating: 0, count: Self.ownCount - 1) + [1] }
        let behind = one.ground - ground
        return [
            one.contrast.sum() / 3, one.contrast.x - one.contrast.y, one.contrast.z - one.contrast.y, behind.sum() / 3,
            PrintTraits.length(behind), one.stroke - stroke, PrintTraits.length(one.contrast - contrast), one.spread,
            contrast.sum() / 3, 0,
        ]
    }

    /// Differences of two texts in ink, ground and stroke; -1, -1, 0 if one was not measured.
    func pair(_ index: Int, _ other: Int?) -> [Float] {
        guard let one = texts[index], let two = other.flatMap({ texts[$0] }) else { return [-1, -1, 0] }
        return [one.inkDistance(to: two), one.groundDistance(to: two), one.stroke - two.stroke]
    }

    /// False if the print of two texts differs.
    func mayShareStyle(_ index: Int, _ other: Int) -> Bool {
        guard let one = texts[index], let two = texts[other] else { return true }
        return one.isLike(two)
    }

    /// Contrast (3), ground against the page's (3) and stroke, for comparisons of all pairs; zeros if not measured.
    func place(_ index: Int) -> [Float] {
        guard let one = texts[index] else { return [Float](repeating: 0, count: 8) }
        let behind = one.ground - ground
        return [
            one.contrast.x, one.contrast.y, one.contrast.z, behind.x, behind.y, behind.z, one.stroke - stroke, 1,
        ]
    }
}
