import Core

/// The state of the decode attempts on one picture: its views, each made once, and the evidence so far.
struct DecodeState {
    let plane: GrayPlane
    var collector: EvidenceCollector
    /// The bar patches that were cut out; empty before the search for them.
    private(set) var cuts: [BarCut] = []
    /// Matrix codes that were seen but not decoded.
    private(set) var broken: [ScannedSymbol] = []
    private var smaller: [Double: (GrayPlane, Double)] = [:]
    /// The codes that ZBar was asked about, with the scale of the view.
    private var asked: [Double: Set<ScannedSymbol.Identity>] = [:]

    init(plane: GrayPlane, rules: AcceptanceRules) {
        self.plane = plane
        collector = EvidenceCollector(rules: rules)
    }

    /// The picture scaled to at most `pixels` pixels, and the scale factor 0…1. Nil if memory runs out.
    mutating func plane(of pixels: Double) -> (GrayPlane, Double)? {
        let factor = min(1, (pixels / Double(plane.width * plane.height)).squareRoot())
        guard factor < 1 else { return (plane, 1) }
        if let made = smaller[pixels] { return made }
        guard let small = plane.scaled(by: factor) else { return nil }
        smaller[pixels] = (small, factor)
        return (small, factor)
    }

    mutating func locate(limit: Int) {
        cuts = BarPatch.find(in: plane, limit: limit).compactMap { $0.cut(from: plane) }
            .filter { BarProfile($0.plane)?.mayBeCode ?? false }
    }

    /// Fits the bars of numbers to the patches of a view that look most like bars. `factor` is the view's scale.
    mutating func fit(on view: GrayPlane, factor: Double, patches limit: Int, tries: Int) {
        var left = tries
        for patch in BarPatch.find(in: view, limit: limit, search: .thorough) where left > 0 {
            guard let fits = BarTemplates().fits(of: patch, in: view) else { continue }
            left -= 1
            for fit in fits where fit.isPlausible { collector.add(fit.scaled(by: 1 / factor)) }
            if !collector.accepted(isLast: false).isEmpty { return }
        }
    }

    /// Compares the accepted numbers with their bars.
    mutating func compare() {
        for evidence in collector.comparable {
            guard let gtin = evidence.symbol.gtin else { continue }
            collector.add(BarTemplates().doubt(gtin, at: evidence.outline.corners, in: plane), on: evidence)
        }
    }

    /// Scans a view of the whole picture. `home` maps points of the view to the picture.
    mutating func scan(
        _ view: GrayPlane, with scanner: any SymbolScanner, attempt: String, home: (Point) -> Point
    ) {
        add(scanner.scan(view), by: scanner.engine, attempt: attempt, home: home)
    }

    /// Adds the symbols of a view.
    mutating func add(
        _ symbols: [ScannedSymbol], by engine: Detection.Engine, attempt: String, home: (Point) -> Point
    ) {
        for var symbol in symbols {
            symbol.points = symbol.points.map(home)
            // Bars and print have corners of a Data Matrix; nothing but a QR code has three finder patterns.
            if symbol.isBroken, symbol.symbology.isMatrix, symbol.symbology != .dataMatrix { broken.append(symbol) }
            collector.add(symbol, by: engine, attempt: attempt, at: symbol.points, isOutline: engine == .zxing)
        }
    }

    /// Scans a view of a crop. Each symbol found there gets the outline of the crop.
    mutating func scan(_ cut: BarCut, _ view: GrayPlane, with scanners: [any SymbolScanner], attempt: String) {
        for scanner in scanners {
            for symbol in scanner.scan(view) {
                collector.add(symbol, by: scanner.engine, attempt: attempt, at: cut.outline, isOutline: true)
            }
        }
    }

    /// Scans with ZBar around each detected code that is not accepted yet.
    ///
    /// A crop costs a fraction of the whole picture. For a code nearly parallel to the rows or columns, a band
    /// through its middle usually suffices.
    mutating func confirm(on view: GrayPlane, factor: Double) {
        for evidence in collector.all where !isAccepted(evidence) {
            guard asked[factor, default: []].insert(evidence.symbol.identity).inserted else { continue }
            let points = evidence.points.map { $0.scaled(by: factor) }
            if let (band, origin, lines) = evidence.band(of: points, in: view) {
                let kinds = evidence.symbol.gtin == nil ? ZBarScanner.Kinds.all : .retail
                scan(band, with: ZBarEngine(lines: lines, kinds: kinds), attempt: DecodeAttempt.plain) {
                    Point($0.x + origin.x, $0.y + origin.y).scaled(by: 1 / factor)
                }
                if isAccepted(evidence) { continue }
            }
            let (across, down) = (points.map(\.x), points.map(\.y))
            let width = (across.max() ?? 0) - (across.min() ?? 0)
            let height = (down.max() ?? 0) - (down.min() ?? 0)
            let extent = max(width, height)
            guard let (part, origin) = view.part(around: points, margin: Int(extent / 6) + 10) else { continue }
            scan(part, with: ZBarEngine(), attempt: DecodeAttempt.plain) {
                Point($0.x + origin.x, $0.y + origin.y).scaled(by: 1 / factor)
            }
        }
    }

    private func isAccepted(_ evidence: SymbolEvidence) -> Bool {
        collector.accepted(isLast: false).contains { $0.evidence.symbol.identity == evidence.symbol.identity }
    }
}

extension SymbolEvidence {
    /// A band through the middle of a linear code that is nearly parallel to the rows or columns, and its scan
    /// direction. Nil for other codes.
    fileprivate func band(
        of points: [Point], in view: GrayPlane
    ) -> (plane: GrayPlane, origin: Point, lines: ZBarScanner.Lines)? {
        guard isOutline, points.count == 4, !symbol.symbology.isMatrix else { return nil }
        // ZXing's first two corners lie on the top edge.
        let (dx, dy) = (abs(points[1].x - points[0].x), abs(points[1].y - points[0].y))
        let left = Point((points[0].x + points[3].x) / 2, (points[0].y + points[3].y) / 2)
        let right = Point((points[1].x + points[2].x) / 2, (points[1].y + points[2].y) / 2)
        let length = max(dx, dy)
        // At a slope above one in four, scan lines leave the bars before the code ends.
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
    /// The point in a picture that is `factor` times as large.
    func scaled(by factor: Double) -> Point { Point(x * factor, y * factor) }
}
