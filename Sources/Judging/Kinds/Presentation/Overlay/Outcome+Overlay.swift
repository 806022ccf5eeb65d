import Core

extension Outcome {
    /// The drawing over a copy of the photo: lines under the words of findings, outlines of codes and pieces, and numbered
    /// dots whose notes are beside the photo.
    ///
    /// - Parameter wording: the language of the notes; nil writes the keys of allergens.
    package func overlay(in wording: Wording?) -> OverlayDrawing {
        guard let width = source.width, let height = source.height else { return OverlayDrawing() }
        var plan = Plan(wording: wording)
        for item in menu?.sections.flatMap(\.items) ?? [] { plan.add(item) }
        plan.add(label?.findings ?? [], head: nil)
        for code in readings.barcodes ?? [] where !code.corners.isEmpty { plan.add(code) }
        for piece in readings.pieces?.pieces ?? [] { plan.add(piece) }
        let words = readings.text?.lines.flatMap { $0.words.map(\.box) } ?? []
        let shapes = plan.outlines.compactMap { Quad(aroundPoints: $0.corners) }
        let layout = DotLayout(
            width: width, height: height, items: plan.items, print: words + shapes, pieces: plan.pieces, words: words)
        let unit = DotLayout.unit(width: Double(width), height: Double(height))
        return OverlayDrawing(
            leftMargin: layout.leftMargin, rightMargin: layout.rightMargin,
            lines: plan.outlines.flatMap { $0.lines(besides: words, padding: 5 * unit, step: 8 * unit) }
                + WordUnderline.distinct(plan.underlines).map {
                    .init(from: $0.from, to: $0.to, meaning: .init($0.kind))
                },
            dots: layout.dots, notes: plan.notes)
    }

    /// What the drawing shows, before places are chosen.
    private struct Plan {
        let wording: Wording?
        var items: [(number: Int, box: Quad)] = []
        var notes: [OverlayDrawing.Note] = []
        var outlines: [OverlayOutline] = []
        var pieces: [DotLayout.Piece] = []
        var underlines: [WordUnderline] = []

        mutating func add(_ item: Menu.Item) {
            add(item.findings, head: item.name, box: item.box)
        }

        mutating func add(_ findings: [AllergenFinding], head: String?, box: Quad? = nil) {
            underlines += findings.flatMap(\.underlines)
            let kinds: [AllergenVerdict.Kind] = [.contains, .likely, .mayContain, .cannotTell]
            var parts: [String] = []
            var worst: AllergenVerdict.Kind?
            for kind in kinds {
                var names: [String] = []
                for finding in findings where finding.kind == kind {
                    let own = finding.allergen == .personal ? finding.leaf : nil
                    let name = own ?? wording?.name(of: finding.allergen) ?? finding.allergen.rawValue
                    if !names.contains(name) { names.append(name) }
                }
                guard !names.isEmpty else { continue }
                worst = worst ?? kind
                parts.append("\(wording?.label(kind) ?? kind.rawValue) \(names.joined(separator: ", "))")
            }
            guard head != nil || !parts.isEmpty else { return }
            let text = [head, parts.isEmpty ? nil : parts.joined(separator: "; ")].compactMap { $0 }
            note(text.joined(separator: ": "), worst.map(OverlayDrawing.Meaning.init) ?? .plain, at: box)
        }

        mutating func add(_ code: BarcodeReading) {
            outlines.append(OverlayOutline(corners: code.corners, meaning: .barcode))
            note("\(code.format) \(code.text)", .barcode, at: Quad(aroundPoints: code.corners))
        }

        mutating func add(_ piece: RecognizedPiece) {
            outlines.append(OverlayOutline(corners: piece.polygonPX, meaning: .piece))
            let percent = Int(nearest: piece.confidence * 100)
            let box = Quad(aroundPoints: piece.polygonPX)
            note("\(piece.type) \(percent) %", .piece, at: box)
            if box != nil {
                pieces.append(.init(number: items.count, corners: piece.polygonPX, isPlain: piece.isPlain))
            }
        }

        private mutating func note(_ text: String, _ meaning: OverlayDrawing.Meaning, at box: Quad?) {
            guard let box else { return notes.append(.init(text: text, meaning: meaning)) }
            items.append((items.count + 1, box))
            notes.append(.init(number: items.count, text: text, meaning: meaning))
        }
    }
}

extension Quad {
    /// The smallest axis-aligned rectangle around all finite points; nil if there are none.
    init?(aroundPoints points: [Point]) {
        let finite = points.filter { $0.x.isFinite && $0.y.isFinite }
        self.init(around: finite.map { Quad(topLeft: $0, topRight: $0, bottomRight: $0, bottomLeft: $0) })
    }
}

/// The closed outline of a code or a piece.
struct OverlayOutline {
    var corners: [Point]
    var meaning: OverlayDrawing.Meaning

    private static let mostParts = 400

    /// The outline, moved outwards by `padding`, in parts of about `step` pixels without those on a word.
    func lines(besides words: [Quad], padding: Double, step: Double) -> [OverlayDrawing.Line] {
        guard corners.count > 1, corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return [] }
        let count = Double(corners.count)
        let middle = Point(corners.map(\.x).reduce(0, +) / count, corners.map(\.y).reduce(0, +) / count)
        let moved = corners.map { corner -> Point in
            let (x, y) = (corner.x - middle.x, corner.y - middle.y)
            let length = max((x * x + y * y).squareRoot(), 1)
            return Point(corner.x + x / length * padding, corner.y + y / length * padding)
        }
        var lines: [OverlayDrawing.Line] = []
        for (index, from) in moved.enumerated() {
            let to = moved[(index + 1) % moved.count]
            let length = ((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y)).squareRoot()
            let parts = max(1, min(Self.mostParts, Int(length / max(step, 1))))
            func point(_ part: Int) -> Point {
                let share = Double(part) / Double(parts)
                return Point(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share)
            }
            // Adjacent free parts are one line.
            var start: Int?
            for part in 0...parts {
                let isFree = part < parts && !Self.touches(point(part), point(part + 1), words)
                if isFree, start == nil { start = part }
                if !isFree, let first = start {
                    lines.append(.init(from: point(first), to: point(part), meaning: meaning))
                    start = nil
                }
            }
        }
        return lines
    }

    private static func touches(_ from: Point, _ to: Point, _ words: [Quad]) -> Bool {
        words.contains { word in
            max(from.x, to.x) >= word.minX && min(from.x, to.x) <= word.maxX && max(from.y, to.y) >= word.minY
                && min(from.y, to.y) <= word.maxY
        }
    }
}
