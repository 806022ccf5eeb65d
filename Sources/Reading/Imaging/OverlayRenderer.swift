import Core

/// Draws marks over a photo: an outline and a caption each, in the colour of the mark's meaning.
public struct OverlayRenderer: Sendable {
    public init() {}

    /// - Parameters:
    ///   - marks: In pixels of the whole upright photo. Later marks cover earlier ones; captions cover all outlines.
    ///   - maxSide: Longer side of the overlay, pixels; a smaller picture keeps its size.
    ///
    /// - Returns: The bytes of a PNG file.
    public func render(_ image: DecodedImage, marks: [OverlayMark], maxSide: Int) throws(ItemFailure) -> [UInt8] {
        try render(image.raster, marks: marks, marksScale: image.scale, maxSide: maxSide)
    }

    /// The upright photo without marks and metadata, as the bytes of a JPEG file.
    ///
    /// - Parameter maxSide: Longer side of the copy, pixels; a smaller picture keeps its size.
    public func copy(_ image: DecodedImage, maxSide: Int) throws(ItemFailure) -> [UInt8] {
        try OverlayCanvas(image.raster, maxSide: max(1, maxSide)).jpeg()
    }

    /// - Parameter marksScale: Pixels of `raster` per unit of the marks' coordinates.
    public func render(
        _ raster: Raster, marks: [OverlayMark], marksScale: Double = 1, maxSide: Int
    ) throws(ItemFailure) -> [UInt8] {
        var canvas = try OverlayCanvas(raster, maxSide: max(1, maxSide))
        let scale = marksScale * Double(canvas.width) / Double(raster.width)
        let longer = Double(max(canvas.width, canvas.height))
        let drawn = marks.filter { !$0.outline.isEmpty }.map { mark in
            OverlayMark(
                outline: mark.outline.map { Point($0.x * scale, $0.y * scale) }, meaning: mark.meaning,
                caption: CaptionText.ascii(mark.caption))
        }
        let thickness = max(2, Int((longer / 500).rounded()))
        for mark in drawn {
            // A white rim keeps an outline visible on a background of its own colour.
            try canvas.outline(mark.outline, colour: 0xFF_FFFF, thickness: thickness + 2)
        }
        for mark in drawn {
            try canvas.outline(mark.outline, colour: OverlayPalette.colour(of: mark.meaning), thickness: thickness)
        }
        var layout = CaptionLayout(width: canvas.width, height: canvas.height)
        for mark in drawn where !mark.caption.isEmpty { try write(mark, on: &canvas, &layout, longer) }
        return try canvas.png()
    }

    private func write(
        _ mark: OverlayMark, on canvas: inout OverlayCanvas, _ layout: inout CaptionLayout, _ longer: Double
    ) throws(ItemFailure) {
        // Capitals of the font are 21 pixels high at scale 1.
        let scale = min(1.4, max(0.42, longer / 1800))
        let thickness = scale > 0.75 ? 2 : 1
        let padding = max(3, Int((scale * 8).rounded()))
        let text = shortened(mark.caption, to: canvas.width - 2 * padding, scale, thickness)
        let size = OverlayCanvas.size(of: text, scale: scale, thickness: thickness)
        let (width, height) = (size.width + 2 * padding, size.ascent + size.descent + 2 * padding)
        guard !text.isEmpty, width <= canvas.width, height <= canvas.height else { return }
        let place = layout.place(width: width, height: height, beside: bounds(mark.outline, canvas))
        try canvas.caption(
            text, in: place, textX: place.left + padding, baseLine: place.top + padding + size.ascent,
            fill: OverlayPalette.colour(of: mark.meaning), scale: scale, thickness: thickness)
    }

    /// The text, truncated with three dots if necessary. Empty if not even the dots fit.
    private func shortened(_ text: String, to width: Int, _ scale: Double, _ thickness: Int) -> String {
        func fits(_ text: String) -> Bool {
            OverlayCanvas.size(of: text, scale: scale, thickness: thickness).width <= width
        }
        if fits(text) { return text }
        var (fitting, tooMany) = (0, text.count)
        guard fits("...") else { return "" }
        while tooMany - fitting > 1 {
            let middle = (fitting + tooMany) / 2
            if fits(text.prefix(middle) + "...") { fitting = middle } else { tooMany = middle }
        }
        return text.prefix(fitting) + "..."
    }

    /// The bounding box of the part of an outline that lies in the picture.
    private func bounds(_ outline: [Point], _ canvas: OverlayCanvas) -> CaptionLayout.Box {
        func clamp(_ value: Double, _ side: Int) -> Int {
            value.isFinite ? Int(min(Double(side), max(0, value)).rounded()) : 0
        }
        let x = outline.map { clamp($0.x, canvas.width) }
        let y = outline.map { clamp($0.y, canvas.height) }
        let (left, top) = (x.min() ?? 0, y.min() ?? 0)
        return CaptionLayout.Box(left: left, top: top, width: (x.max() ?? 0) - left, height: (y.max() ?? 0) - top)
    }
}
