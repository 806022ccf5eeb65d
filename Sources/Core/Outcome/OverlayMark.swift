/// A named outline that is drawn over a photo.
public struct OverlayMark: Sendable, Hashable, Codable {
    /// What the mark shows; it selects the colour. See `docs/outcome.md`.
    public enum Meaning: String, Sendable, Hashable, Codable {
        case read, unsure, danger, warning, dish, barcode, piece
    }

    /// Corners in pixels of the upright image.
    public var outline: [Point]
    public var meaning: Meaning
    /// The text next to the outline; empty for none.
    public var caption: String

    public init(outline: [Point], meaning: Meaning, caption: String) {
        self.outline = outline
        self.meaning = meaning
        self.caption = caption
    }
}
