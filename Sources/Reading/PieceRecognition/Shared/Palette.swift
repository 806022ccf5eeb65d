internal import COpenCV
import Core
import Foundation
import Synchronization

/// The colours that distinguish a set's pieces, as a table over all colours.
struct Palette: Sendable {
    struct Parameters: Sendable {
        /// Hue difference that counts 1, degrees. Hue dominates; chroma and lightness only exclude hands, wood and
        /// shadows.
        var hue = 14.0
        /// Weight of a relative difference of chroma or lightness.
        var weight = 4.0
        /// Range of the relative lightness by which the expected chroma is scaled: dull light dulls paint.
        var dulling = 0.35...1.0
        /// Largest distance of a colour from its paint.
        var reach = 2.2
        /// Minimum chroma and lightness (CIELAB): darker or duller colours have no certain hue.
        var minChroma = 16.0
        var minLightness = 8.0
        /// Distances are compared in steps of 1 / `steps`, and at most `maxSteps` of them.
        var steps = 20.0
        var maxSteps = 128
        /// Each of two colours in a region covers at least this share of it.
        var minShare = 0.1
        /// Minimum distance between two colours in a region.
        var apart = 0.8
    }

    /// Red, green, blue.
    let colours: [[UInt8]]
    /// Number + 1 of the colour for each cell of a 32³ cube; 0 for greys and for colours far from all.
    let table: [UInt8]
    private let parameters: Parameters

    private static let known = Mutex<[[[UInt8]]: Palette]>([:])

    /// The table of these colours, built once: that takes longer than to read a frame.
    static func of(_ colours: [[UInt8]]) -> Palette {
        known.withLock { known in
            if let one = known[colours] { return one }
            let made = Palette(colours, parameters: Parameters())
            known[colours] = made
            return made
        }
    }

    private init(_ colours: [[UInt8]], parameters: Parameters) {
        (self.colours, self.parameters) = (colours, parameters)
        let wanted = colours.map { LightChromaHue($0.map(Double.init)) }
        table = (0..<Self.cells).map { cell in
            let colour = Self.colour(of: cell)
            guard colour.chroma >= parameters.minChroma, colour.light >= parameters.minLightness else { return 0 }
            var (nearest, number) = (parameters.reach * parameters.reach, UInt8(0))
            for (index, one) in wanted.enumerated() {
                let away = Self.distance(of: colour, from: one, parameters)
                if away < nearest { (nearest, number) = (away, UInt8(index + 1)) }
            }
            return number
        }
    }

    private static let cells = 32 * 32 * 32

    private static func colour(of cell: Int) -> LightChromaHue {
        LightChromaHue([cell / 1024, cell / 32 % 32, cell % 32].map { Double($0 * 8 + 4) })
    }

    /// Squared distance of a colour from a palette colour.
    private static func distance(of lab: LightChromaHue, from wanted: LightChromaHue, _ p: Parameters) -> Double {
        let turn = abs(lab.hue - wanted.hue)
        let hue = min(turn, 2 * .pi - turn) * 180 / .pi / p.hue
        let light = lab.light / max(1, wanted.light)
        let dulling = max(p.dulling.lowerBound, min(p.dulling.upperBound, light))
        let rich = lab.chroma / (max(1, wanted.chroma) * dulling)
        return hue * hue + (rich - 1) * (rich - 1) * p.weight + (light - 1) * (light - 1) * p.weight
    }

    /// Number + 1 of each pixel's colour; 0 for none.
    func labels(of even: Picture<UInt8>) throws(PictureFailure) -> Picture<UInt8> {
        try even.filled { tcv_image_lookup($0, table, $1) }
    }

    /// Removes the less similar part of a colour's region if it contains two colours, for example a piece and a hand.
    /// False if it has only one.
    func narrow(_ labels: Picture<UInt8>, label: Int, in even: Picture<UInt8>) -> Bool {
        /// Runs `body` with the place and the cell of each pixel of the label.
        func forEach(_ body: (_ x: Int, _ y: Int, _ cell: Int) -> Void) {
            for y in 0..<labels.height {
                for x in 0..<labels.width where labels[x, y] == label + 1 {
                    let (r, g, b) = even.rgb(x, y)
                    body(x, y, (Int(r) / 8 * 32 + Int(g) / 8) * 32 + Int(b) / 8)
                }
            }
        }
        var cells = [Int32](repeating: 0, count: Self.cells)
        forEach { cells[$2] += 1 }
        let wanted = LightChromaHue(colours[label].map(Double.init))
        let used = cells.indices.filter { cells[$0] > 0 }
        let steps = used.map { cell in
            Int(
                min(
                    Double(parameters.maxSteps - 1),
                    parameters.steps * Self.distance(of: Self.colour(of: cell), from: wanted, parameters)))
        }
        var counts = [Int](repeating: 0, count: parameters.maxSteps)
        for (cell, step) in zip(used, steps) { counts[step] += Int(cells[cell]) }
        guard let threshold = twoGroups(counts) else { return false }
        var isKept = [Bool](repeating: false, count: Self.cells)
        for (cell, step) in zip(used, steps) where step <= threshold { isKept[cell] = true }
        forEach { if !isKept[$2] { labels[$0, $1] = 0 } }
        return true
    }

    /// Otsu's threshold, if it separates two groups.
    private func twoGroups(_ counts: [Int]) -> Int? {
        let all = Double(counts.reduce(0, +))
        let sum = counts.enumerated().reduce(0) { $0 + Double($1.offset * $1.element) }
        var (below, sumBelow, most, apart) = (0.0, 0.0, 0.0, 0.0)
        var threshold: Int?
        for (index, count) in counts.dropLast().enumerated() {
            below += Double(count)
            sumBelow += Double(index * count)
            if below < parameters.minShare * all || below > (1 - parameters.minShare) * all { continue }
            let difference = (sum - sumBelow) / (all - below) - sumBelow / below
            let between = below * (all - below) * difference * difference
            if between > most { (most, threshold, apart) = (between, index, difference) }
        }
        return apart < parameters.apart * parameters.steps ? nil : threshold
    }
}
