import Foundation

/// What the daemon asks of a worker: one photo.
public struct ReadJob: Sendable, Hashable, Codable {
    /// What is to be done with the photo.
    public enum Task: Sendable, Hashable, Codable {
        /// Read it. `domain` nil: whatever is there.
        case read(domain: Outcome.Domain?, pieceSet: String?)
        /// Draw `marks` over the upright photo and write it as a PNG of at most `maxSide` pixels.
        case draw(marks: [OverlayMark], to: FilePathBytes, maxSide: Int)
    }

    public var path: FilePathBytes
    public var task: Task
    /// True where a person named the path: it may be a symbolic link.
    public var followLinks: Bool

    public init(path: FilePathBytes, task: Task, followLinks: Bool = false) {
        self.path = path
        self.task = task
        self.followLinks = followLinks
    }
}

/// What a worker answers: exactly one for each job.
public struct ReadAnswer: Sendable, Hashable, Codable {
    /// The photo's own facts; nil where it was not decoded.
    public struct ImageFacts: Sendable, Hashable, Codable {
        public var format: String
        /// Pixels of the upright image.
        public var width: Int
        public var height: Int
        /// EXIF orientation 1…8 as stored.
        public var orientation: Int

        public init(format: String, width: Int, height: Int, orientation: Int) {
            self.format = format
            self.width = width
            self.height = height
            self.orientation = orientation
        }
    }

    public var image: ImageFacts?
    public var readings: Readings
    /// Set where nothing, or not everything, could be done.
    public var failure: ItemFailure?
    /// Milliseconds by stage.
    public var timingsMs: [String: Double]
    /// Reader → version.
    public var models: [String: String]

    public init(
        image: ImageFacts? = nil, readings: Readings = Readings(), failure: ItemFailure? = nil,
        timingsMs: [String: Double] = [:], models: [String: String] = [:]
    ) {
        self.image = image
        self.readings = readings
        self.failure = failure
        self.timingsMs = timingsMs
        self.models = models
    }
}

/// One outline with a name, drawn over a photo.
public struct OverlayMark: Sendable, Hashable, Codable {
    /// The colour says what the mark means; see `docs/overlays.md`.
    public enum Meaning: String, Sendable, Hashable, Codable {
        case read, unsure, danger, warning, dish, barcode, piece
    }

    /// Corners in pixels of the upright image.
    public var outline: [Point]
    public var meaning: Meaning
    /// Written beside the outline; empty for none.
    public var caption: String

    public init(outline: [Point], meaning: Meaning, caption: String) {
        self.outline = outline
        self.meaning = meaning
        self.caption = caption
    }
}
