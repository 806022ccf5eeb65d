import Core

/// Determines from located bars why they could not be read.
struct UnreadBars {
    /// Nil if the patch is unlikely to be a barcode, for example stripes, a shelf or a line of text.
    let verdict: UnreadBarcode?

    /// A retail code has 30 bars. A patch with fewer edges is part of something else.
    private static let minEdges = 24
    private static let maxEdges = 400

    init?(cut: BarCut, in plane: GrayPlane) {
        guard let profile = BarProfile(cut.plane) else { return nil }
        guard (Self.minEdges...Self.maxEdges).contains(profile.edges) else { return nil }
        let corners = cut.patch.corners
        let isCut = corners.contains {
            $0.x < 2 || $0.y < 2 || $0.x > Double(plane.width) - 3 || $0.y > Double(plane.height) - 3
        }
        // Width of the narrowest bar in pixels, estimated as half the mean distance of the edges. Decoders need about
        // two pixels.
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

/// Brightness across upright bars, averaged along them.
struct BarProfile {
    /// Number of transitions between dark and bright relative to the local mean.
    let edges: Int
    /// Share of overexposed pixels in the patch.
    let glare: Double

    /// Nil for an empty plane or if memory runs out.
    init?(_ plane: GrayPlane) {
        guard let mean = plane.banded?.stretched, mean.height > 24 else { return nil }
        // The middle band excludes text above and below the bars.
        let row = mean.bytes[(24 * mean.width)..<(25 * mean.width)]
        var (edges, isDark) = (0, false)
        for value in row {
            // Hysteresis of a fifth of the range prevents noise from being counted.
            if isDark, value > 153 { (isDark, edges) = (false, edges + 1) }
            if !isDark, value < 102 { (isDark, edges) = (true, edges + 1) }
        }
        self.edges = edges
        let blown = plane.bytes.count { $0 >= 253 }
        // Without overexposure, white paper between the bars covers at most half of a patch.
        glare = max(0, Double(blown) / Double(max(1, plane.bytes.count)) - 0.5)
    }
}
