import Core

/// Draws an ``OverlayDrawing`` over a copy of a photo and writes its notes beside it. Print stays uncovered.
package struct OverlayRenderer: Sendable {
    package init() {}

    /// - Parameters:
    ///   - drawing: In pixels of the whole upright photo.
    ///   - maxSide: Longer side of the photo in the overlay, pixels; a smaller photo keeps its size. Margins and notes
    ///     come in addition.
    ///
    /// - Returns: The bytes of a PNG file.
    package func render(
        _ image: DecodedImage, _ drawing: OverlayDrawing, maxSide: Int
    ) throws(ItemFailure) -> [UInt8] {
        try render(image.raster, drawing, drawingScale: image.scale, maxSide: maxSide)
    }

    /// The upright photo without marks and metadata, as the bytes of a JPEG file.
    ///
    /// - Parameters:
    ///   - maxSide: Longer side of the copy, pixels; a smaller picture keeps its size.
    ///   - quarterTurns: Of the copy, clockwise.
    package func copy(
        _ image: DecodedImage, maxSide: Int, quarterTurns: Int = 0
    ) throws(ItemFailure) -> [UInt8] {
        try OverlayCanvas(image.raster, maxSide: max(1, maxSide), quarterTurns: quarterTurns).jpeg()
    }

    /// - Parameter drawingScale: Pixels of `raster` per unit of the drawing's coordinates.
    package func render(
        _ raster: Raster, _ drawing: OverlayDrawing, drawingScale: Double = 1, maxSide: Int
    ) throws(ItemFailure) -> [UInt8] {
        let photo = try OverlayCanvas(raster, maxSide: max(1, maxSide))
        let scale = drawingScale * Double(photo.width) / Double(raster.width)
        // Margins come from other processes: never more than the photo itself.
        func margin(_ value: Double) -> Int {
            value.isFinite ? Int(min(Double(photo.width), max(0, value * scale)).rounded(.up)) : 0
        }
        let (left, right) = (margin(drawing.leftMargin), margin(drawing.rightMargin))
        let panel = NotePanel(drawing.notes, beside: (photo.width, photo.height))
        var canvas = OverlayCanvas(
            photo, left: left, width: left + photo.width + right + panel.width,
            height: max(photo.height, panel.height))
        func placed(_ point: Point) -> Point { Point(point.x * scale + Double(left), point.y * scale) }

        let thickness = max(2, Int((Double(max(photo.width, photo.height)) / 700).rounded()))
        let ends = drawing.lines.map { (from: placed($0.from), to: placed($0.to)) }
        // A white rim keeps a line visible on a background of its own colour.
        try canvas.lines(ends, colour: OverlayPalette.rim, thickness: thickness + 2)
        for (line, ends) in zip(drawing.lines, ends) {
            try canvas.lines(
                Self.dashes(ends.from, ends.to, line.meaning, thickness),
                colour: OverlayPalette.colour(of: line.meaning),
                thickness: thickness)
        }
        for dot in drawing.dots {
            let center = placed(dot.center)
            guard center.x.isFinite, center.y.isFinite, dot.radius.isFinite,
                abs(center.x) < 1e6, abs(center.y) < 1e6, dot.radius * scale < 1e4
            else { continue }
            try canvas.dot(
                dot.number, x: Int(center.x.rounded()), y: Int(center.y.rounded()), radius: Int(dot.radius * scale))
        }
        try write(panel, on: &canvas, left: left + photo.width + right)
        return try canvas.png()
    }

    private func write(_ panel: NotePanel, on canvas: inout OverlayCanvas, left: Int) throws(ItemFailure) {
        for entry in panel.entries {
            let (x, middle) = (left + entry.x, entry.y + panel.lineHeight / 2)
            if let number = entry.note.number {
                try canvas.dot(number, x: x + panel.indent / 2 - 4, y: middle, radius: panel.lineHeight * 7 / 10)
            }
            let bar = Double(x + panel.indent - 6)
            let height = Double(entry.lines.count * panel.lineHeight)
            try canvas.lines(
                Self.dashes(Point(bar, Double(entry.y)), Point(bar, Double(entry.y) + height), entry.note.meaning, 3),
                colour: OverlayPalette.colour(of: entry.note.meaning), thickness: 3)
            for (index, line) in entry.lines.enumerated() {
                let baseLine = entry.y + index * panel.lineHeight + (panel.lineHeight + panel.ascent) / 2
                try canvas.text(
                    line, x: x + panel.indent + 2, baseLine: baseLine, scale: panel.scale,
                    thickness: panel.scale > 0.6 ? 2 : 1, colour: OverlayPalette.ink)
            }
        }
    }

    private static let mostDashes = 2000

    /// A line in the pattern of its meaning.
    private static func dashes(
        _ from: Point, _ to: Point, _ meaning: OverlayDrawing.Meaning, _ thickness: Int
    ) -> [(from: Point, to: Point)] {
        guard let pattern = OverlayPalette.pattern(of: meaning) else { return [(from, to)] }
        let (x, y) = (to.x - from.x, to.y - from.y)
        let length = (x * x + y * y).squareRoot()
        let (dash, step) = (Double(pattern.dash * thickness), Double((pattern.dash + pattern.gap) * thickness))
        guard length.isFinite, length > step, length / step < Double(mostDashes) else { return [(from, to)] }
        return stride(from: 0, to: length, by: step).map { start in
            let (first, last) = (start / length, min(1, (start + dash) / length))
            return (Point(from.x + x * first, from.y + y * first), Point(from.x + x * last, from.y + y * last))
        }
    }
}
