import Core

/// Why bars that were located could not be read, judged from the bars themselves.
struct UnreadBars {
    /// Nil where the patch looks like no barcode: stripes, a shelf, a line of text.
    let verdict: UnreadBarcode?

    /// A retail code has 30 bars; a patch with fewer edges is a part of something else.
    private static let fewestEdges = 24
    private static let mostEdges = 400

    init?(cut: BarCut, in plane: GrayPlane) {
        guard let profile = BarProfile(cut.plane) else { return nil }
        guard (Self.fewestEdges...Self.mostEdges).contains(profile.edges) else { return nil }
        let corners = cut.patch.corners
        let isCut = corners.contains {
            $0.x < 2 || $0.y < 2 || $0.x > Double(plane.width) - 3 || $0.y > Double(plane.height) - 3
        }
        // Decoders want two pixels for the narrowest bar; half the edges' mean distance is about two of these.
        let narrowest = cut.patch.length / Double(profile.edges) / 2
        let reason: UnreadBarcode.Reason =
            if isCut { .cut } else if profile.glare > 0.15 { .glare } else if narrowest < 1.2 { .tooSmall } else {
                .blurred
            }
        verdict = UnreadBarcode(
            reason: reason,
            corners: Outline(
                corners: corners.map {
                    Point(min(max($0.x, 0), Double(plane.width)), min(max($0.y, 0), Double(plane.height)))
                }
            ).corners)
    }
}

/// The brightness along bars that stand upright, averaged along their height.
struct BarProfile {
    /// Changes between dark and bright, about the local mean.
    let edges: Int
    /// Share of the patch that is blown out.
    let glare: Double

    /// Nil for an empty plane or where memory ran out.
    init?(_ plane: GrayPlane) {
        guard let mean = plane.banded?.stretched, mean.height > 24 else { return nil }
        // The middle band, so that text above or below the bars stays out.
        let row = mean.bytes[(24 * mean.width)..<(25 * mean.width)]
        var (edges, isDark) = (0, false)
        for value in row {
            // A band of indifference of a fifth of the range keeps noise from counting.
            if isDark, value > 153 { (isDark, edges) = (false, edges + 1) }
            if !isDark, value < 102 { (isDark, edges) = (true, edges + 1) }
        }
        self.edges = edges
        let blown = plane.bytes.count { $0 >= 253 }
        // White paper between the bars is half of a patch at most where it is not blown out.
        glare = max(0, Double(blown) / Double(max(1, plane.bytes.count)) - 0.5)
    }
}
