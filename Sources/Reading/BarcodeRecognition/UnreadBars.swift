import Core

/// What an unread code lacks, measured in the picture.
extension UnreadBarcode {
    /// Share of overexposed pixels beyond half of a code, which white paper covers.
    private static let mostGlare = 0.15
    /// Pixels a module below which decoders read few codes in focus.
    private static let fewestPixels = 1.3
    /// Modules that an edge takes beyond which decoders lose narrow bars.
    private static let mostSharp = 1.0

    /// Bars that were located. Nil if the patch is unlikely to be a barcode, for example stripes, a shelf or a line of text.
    init?(bars cut: BarCut, in plane: GrayPlane) {
        guard let profile = BarProfile(cut.plane) else { return nil }
        // The middle band excludes text above and below the bars.
        let edges = profile.edges[profile.edges.count / 2]
        guard BarProfile.edgesOfCodes.contains(edges) else { return nil }
        // A retail code has 95 modules. In longer codes two edges are some three modules apart; blur hides edges.
        let module = cut.length / max(95, 1.6 * Double(edges))
        self.init(module, edge: cut.plane.edgeWidth / cut.scale, glare: profile.glare, cut.patch.corners, in: plane)
    }

    /// A matrix code that was seen. Nil if memory runs out.
    init?(matrix symbol: ScannedSymbol, in plane: GrayPlane) {
        let side = 200
        guard let patch = BarPatch(corners: symbol.points), patch.length >= 20,
            let image = patch.smoothCut(from: plane, width: side, heights: side...side),
            let profile = BarProfile(image)
        else { return nil }
        // Along a row, every second module begins an edge; a code has 17 modules and four for each version.
        let modules = min(177, max(21, 17 + ((2 * image.edgesOfRow + 1 - 17) / 4).rounded() * 4))
        self.init(
            patch.length / modules, edge: image.edgeWidth * patch.length / Double(side), glare: profile.glare,
            symbol.points, in: plane)
        format = symbol.symbology.rawValue
    }

    private init(_ module: Double, edge: Double, glare: Double, _ corners: [Point], in plane: GrayPlane) {
        let isCut = corners.contains {
            $0.x < 2 || $0.y < 2 || $0.x > Double(plane.width) - 3 || $0.y > Double(plane.height) - 3
        }
        let isSharp = edge <= Self.mostSharp * module
        let reason: Reason =
            if isCut { .cut } else if glare > Self.mostGlare { .glare } else if module < Self.fewestPixels {
                .tooSmall
            } else { isSharp ? .damaged : .blurred }
        let inside = corners.map {
            Point(min(max($0.x, 0), Double(plane.width)), min(max($0.y, 0), Double(plane.height)))
        }
        self.init(
            reason: reason, corners: Outline(corners: inside).corners, modulePixels: module.rounded(toPlaces: 1),
            edgePixels: edge.rounded(toPlaces: 1))
    }
}

extension BarCut {
    /// Pixels of the cut for one of the picture.
    fileprivate var scale: Double { Double(plane.width) / max(1, patch.length) }
    /// Pixels from the first bar to the last.
    fileprivate var length: Double {
        guard outline.count == 4 else { return patch.length }
        let (x, y) = (outline[1].x - outline[0].x, outline[1].y - outline[0].y)
        return (x * x + y * y).squareRoot()
    }
}

extension GrayPlane {
    /// Median of the transitions between dark and bright along a row.
    fileprivate var edgesOfRow: Double {
        let middle = (Int(bytes.min() ?? 0) + Int(bytes.max() ?? 0)) / 2
        let counts = (0..<height).map { row in
            let line = bytes[row * width..<(row + 1) * width]
            return zip(line, line.dropFirst()).count { (Int($0) < middle) != (Int($1) < middle) }
        }.sorted()
        return Double(counts[counts.count / 2])
    }

    /// Pixels over which the steepest edges along the rows rise.
    fileprivate var edgeWidth: Double {
        var steps: [Int] = []
        var (dark, bright) = (255, 0)
        for row in stride(from: height / 4, to: max(height / 4 + 1, 3 * height / 4), by: max(1, height / 16)) {
            let line = bytes[row * width..<(row + 1) * width]
            for (one, next) in zip(line, line.dropFirst()) { steps.append(abs(Int(next) - Int(one))) }
            (dark, bright) = (min(dark, Int(line.min() ?? 255)), max(bright, Int(line.max() ?? 0)))
        }
        guard !steps.isEmpty else { return 0 }
        steps.sort()
        return Double(max(0, bright - dark)) / Double(max(1, steps[steps.count * 98 / 100]))
    }
}
