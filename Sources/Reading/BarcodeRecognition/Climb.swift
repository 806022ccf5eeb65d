import Core

/// One picture on its way up the ladder: its views, made once each, and what was seen so far.
struct Climb {
    let plane: GrayPlane
    var box: EvidenceBox
    /// The patches of bars, cut out; empty before they were looked for.
    private(set) var cuts: [BarCut] = []
    private var smaller: [Double: (GrayPlane, Double)] = [:]

    init(plane: GrayPlane, rules: BeliefRules) {
        self.plane = plane
        box = EvidenceBox(rules: rules)
    }

    /// The picture in at most so many pixels, and its size as a share of the whole one's. Nil where memory ran out.
    mutating func plane(of pixels: Double) -> (GrayPlane, Double)? {
        let factor = min(1, (pixels / Double(plane.width * plane.height)).squareRoot())
        guard factor < 1 else { return (plane, 1) }
        if let made = smaller[pixels] { return made }
        guard let small = plane.scaled(by: factor) else { return nil }
        smaller[pixels] = (small, factor)
        return (small, factor)
    }

    mutating func locate(limit: Int) {
        cuts = BarPatch.find(in: plane, limit: limit).compactMap { $0.withQuietZones.cut(from: plane) }
    }

    /// Scans a view of the whole picture, whose points `home` brings back to it.
    mutating func look(
        at view: GrayPlane, with scanner: any SymbolScanner, step: String, home: (Point) -> Point
    ) {
        for symbol in scanner.scan(view) {
            box.add(
                symbol, by: scanner.engine, step: step, at: symbol.points.map(home),
                isOutline: scanner.engine == .zxing)
        }
    }

    /// Scans a view of a cut: whatever is read there lies where the cut does.
    mutating func look(at cut: BarCut, _ view: GrayPlane, with scanners: [any SymbolScanner], step: String) {
        for scanner in scanners {
            for symbol in scanner.scan(view) {
                box.add(symbol, by: scanner.engine, step: step, at: cut.outline, isOutline: true)
            }
        }
    }

    /// Has ZBar look at each patch where a code was seen that is not believed yet: a patch costs a fraction of the picture, and
    /// of a code that lies along the rows or columns a band through its middle mostly suffices.
    mutating func confirm(on view: GrayPlane, factor: Double) {
        for evidence in box.all where !isBelieved(evidence) {
            let points = evidence.points.map { $0.scaled(by: factor) }
            if let (band, origin, lines) = evidence.band(of: points, in: view) {
                look(at: band, with: ZBarEngine(lines: lines), step: RescueStep.plain) {
                    Point($0.x + origin.x, $0.y + origin.y).scaled(by: 1 / factor)
                }
                if isBelieved(evidence) { continue }
            }
            let extent = max(
                (points.map(\.x).max() ?? 0) - (points.map(\.x).min() ?? 0),
                (points.map(\.y).max() ?? 0) - (points.map(\.y).min() ?? 0))
            guard let (part, origin) = view.part(around: points, margin: Int(extent / 6) + 10) else { continue }
            look(at: part, with: ZBarEngine(), step: RescueStep.plain) {
                Point($0.x + origin.x, $0.y + origin.y).scaled(by: 1 / factor)
            }
        }
    }

    private func isBelieved(_ evidence: SymbolEvidence) -> Bool {
        box.believed(isLast: false).contains { $0.evidence.symbol.identity == evidence.symbol.identity }
    }
}

extension SymbolEvidence {
    /// The middle of a code of bars that lies nearly along the rows or the columns, and which way it is read; nil for others.
    fileprivate func band(
        of points: [Point], in view: GrayPlane
    ) -> (plane: GrayPlane, origin: Point, lines: ZBarScanner.Lines)? {
        guard isOutline, points.count == 4, !symbol.symbology.isMatrix else { return nil }
        // Of ZXing's corners the first two lie on the top edge.
        let (dx, dy) = (abs(points[1].x - points[0].x), abs(points[1].y - points[0].y))
        let left = Point((points[0].x + points[3].x) / 2, (points[0].y + points[3].y) / 2)
        let right = Point((points[1].x + points[2].x) / 2, (points[1].y + points[2].y) / 2)
        let length = max(dx, dy)
        // Steeper than one in four, lines leave the bars' height before their end.
        guard min(dx, dy) * 4 <= length, length >= 20 else { return nil }
        let (along, across) = (length / 6 + 10, 16.0)
        let isAlongRows = dx >= dy
        let room = isAlongRows ? Point(along, across) : Point(across, along)
        let corners = [left, right].flatMap {
            [Point($0.x - room.x, $0.y - room.y), Point($0.x + room.x, $0.y + room.y)]
        }
        return view.part(around: corners, margin: 0).map { ($0.plane, $0.origin, isAlongRows ? .rows : .columns) }
    }
}

extension Point {
    /// In a picture that is `factor` times as large.
    func scaled(by factor: Double) -> Point { Point(x * factor, y * factor) }
}
