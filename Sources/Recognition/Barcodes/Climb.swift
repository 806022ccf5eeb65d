import Vocabulary

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

    /// Has the other decoder look at each patch where a code was seen that is not believed yet: a patch costs a fraction of
    /// the picture.
    mutating func confirm(with scanner: any SymbolScanner, on view: GrayPlane, factor: Double) {
        let believed = Set(box.believed(isLast: false).map(\.evidence.symbol.identity))
        for evidence in box.all where !believed.contains(evidence.symbol.identity) {
            let points = evidence.points.map { $0.scaled(by: factor) }
            let extent = max(
                (points.map(\.x).max() ?? 0) - (points.map(\.x).min() ?? 0),
                (points.map(\.y).max() ?? 0) - (points.map(\.y).min() ?? 0))
            guard let (part, origin) = view.part(around: points, margin: Int(extent / 6) + 10) else { continue }
            look(at: part, with: scanner, step: RescueStep.plain) {
                Point($0.x + origin.x, $0.y + origin.y).scaled(by: 1 / factor)
            }
        }
    }
}

extension Point {
    /// In a picture that is `factor` times as large.
    func scaled(by factor: Double) -> Point { Point(x * factor, y * factor) }
}
