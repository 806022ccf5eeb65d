import Core

/// Determines from located bars why they could not be read.
struct UnreadBars {
    /// Nil if the patch is unlikely to be a barcode, for example stripes, a shelf or a line of text.
    let verdict: UnreadBarcode?

    init?(cut: BarCut, in plane: GrayPlane) {
        guard let profile = BarProfile(cut.plane) else { return nil }
        // The middle band excludes text above and below the bars.
        let edges = profile.edges[profile.edges.count / 2]
        guard BarProfile.edgesOfCodes.contains(edges) else { return nil }
        let corners = cut.patch.corners
        let isCut = corners.contains {
            $0.x < 2 || $0.y < 2 || $0.x > Double(plane.width) - 3 || $0.y > Double(plane.height) - 3
        }
        // Width of the narrowest bar in pixels, estimated as half the mean distance of the edges. Decoders need about
        // two pixels.
        let narrowest = cut.patch.length / Double(edges) / 2
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
