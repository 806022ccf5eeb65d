/// Brightness across upright bars, averaged along them in bands.
struct BarProfile {
    /// A retail code has 30 bars, thus 60 edges, of which blur hides half. A patch with fewer is part of something else.
    static let edgesOfCodes = 24...400

    /// Number of transitions between dark and bright relative to the local mean, in each band from the top.
    let edges: [Int]
    /// Share of overexposed pixels in the patch.
    let glare: Double

    /// True if two neighbouring bands have as many edges as a code, at the same places. On pages most patches are lines of
    /// print, which differ from band to band.
    let mayBeCode: Bool

    /// The shortest code, UPC-E, has 34 edges. If fewer than half of a usual code's remain, they must agree well.
    private static let edgesOfShortCodes = 12..<24
    /// Correlation of dark and bright in two bands of the same bars: of a usual code, of few edges. On creased foil it is
    /// .4 or more.
    private static let (agreement, agreementOfFew) = (0.35, 0.8)
    /// Pixels by which bars may lean from one band to the next.
    private static let lean = 12

    /// Nil for an empty plane or if memory runs out.
    init?(_ plane: GrayPlane) {
        guard let mean = plane.banded?.stretched else { return nil }
        let rows = mean.height / GrayPlane.bands
        let bands = (0..<GrayPlane.bands).map { band in
            let start = (band * rows + rows / 2) * mean.width
            return Array(mean.bytes[start..<start + mean.width])
        }
        edges = bands.map(Self.edges)
        let isDark = bands.map { $0.map { $0 < 128 } }
        mayBeCode = zip(edges, edges.dropFirst()).enumerated().contains { index, counts in
            let fewest = min(counts.0, counts.1)
            let isShort = Self.edgesOfShortCodes.contains(fewest)
            return (isShort || Self.edgesOfCodes.contains(fewest))
                && max(counts.0, counts.1) <= Self.edgesOfCodes.upperBound
                && Self.agreement(of: isDark[index], isDark[index + 1])
                    >= (isShort ? Self.agreementOfFew : Self.agreement)
        }
        let blown = plane.bytes.count { $0 >= 253 }
        // Without overexposure, white paper between the bars covers at most half of a patch.
        glare = max(0, Double(blown) / Double(max(1, plane.bytes.count)) - 0.5)
    }

    /// Correlation −1…1 of two rows of as many pixels, at the best of a few shifts.
    private static func agreement(of one: [Bool], _ other: [Bool]) -> Double {
        stride(from: -lean, through: lean, by: 2).reduce(-1) { best, shift in
            let count = Double(one.count - abs(shift))
            guard count > 0 else { return best }
            var (darkInOne, darkInOther, darkInBoth) = (0.0, 0.0, 0.0)
            for (first, second) in zip(one.dropFirst(max(0, shift)), other.dropFirst(max(0, -shift))) {
                if first { darkInOne += 1 }
                if second { darkInOther += 1 }
                if first, second { darkInBoth += 1 }
            }
            let (p, q) = (darkInOne / count, darkInOther / count)
            let spread = (p * (1 - p) * q * (1 - q)).squareRoot()
            return spread > 0 ? max(best, (darkInBoth / count - p * q) / spread) : best
        }
    }

    private static func edges(in row: [UInt8]) -> Int {
        var (edges, isDark) = (0, false)
        for value in row {
            // Hysteresis of a fifth of the range prevents noise from being counted.
            if isDark, value > 153 { (isDark, edges) = (false, edges + 1) }
            if !isDark, value < 102 { (isDark, edges) = (true, edges + 1) }
        }
        return edges
    }
}
