import Foundation

/// What the daemon asks of a worker: one photo, whose open file travels beside this message.
public struct ReadJob: Sendable, Hashable, Codable {
    /// What is to be done with the photo.
    public enum Task: Sendable, Hashable, Codable {
        /// Read it. `domain` nil: whatever is there.
        case read(domain: Outcome.Domain?, pieceSet: String?)
        /// Draw `marks` over the upright photo, and write it as a PNG of at most `maxSide` pixels into the second file that
        /// travels beside this message.
        case draw(marks: [OverlayMark], maxSide: Int)
        /// Learn a piece set: the photo shows it laid out, the second file that travels beside this message the empty table.
        case teach(TeachingRequest)
    }

    /// What a photo may ask for; more is refused by its header, before anything is decoded.
    public struct Limits: Sendable, Hashable, Codable {
        /// Stored pixels, width × height.
        public var pixels: Int
        /// Stored pixels of each side.
        public var side: Int
        public var fileBytes: Int
        /// Scans of a progressive JPEG.
        public var scans: Int

        public init(pixels: Int, side: Int, fileBytes: Int, scans: Int) {
            self.pixels = pixels
            self.side = side
            self.fileBytes = fileBytes
            self.scans = scans
        }
    }

    /// What messages call the photo. The worker opens nothing: it has the file itself.
    public var path: FilePathBytes
    public var task: Task
    /// The daemon's number for what this job belongs to; -1 where it keeps no journal.
    public var number: Int64
    /// Nil: those that are built in.
    public var limits: Limits?
    /// True for a second try after time or memory ran out: the photo is read at half the usual size.
    public var reduced: Bool
    /// Processor time for this job; nil leaves it unlimited.
    public var processorSeconds: Int?

    public init(
        path: FilePathBytes, task: Task, number: Int64 = -1, limits: Limits? = nil, reduced: Bool = false,
        processorSeconds: Int? = nil
    ) {
        self.path = path
        self.task = task
        self.number = number
        self.limits = limits
        self.reduced = reduced
        self.processorSeconds = processorSeconds
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
    /// The text of a piece set's file, where one was to be learned.
    public var taughtSet: String?
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

/// What a piece set that is learned from photos is to be called, and how large it is.
public struct TeachingRequest: Sendable, Hashable, Codable {
    public var set: String
    /// Longest edge (or diameter) of the largest piece, millimetres.
    public var longestMM: Double
    /// Names of pieces or faces in reading order; made up where there are fewer.
    public var names: [String]

    public init(set: String, longestMM: Double, names: [String] = []) {
        self.set = set
        self.longestMM = longestMM
        self.names = names
    }
}

/// One outline with a name, drawn over a photo.
public struct OverlayMark: Sendable, Hashable, Codable {
    /// The colour says what the mark means; see `docs/outcome.md`.
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
