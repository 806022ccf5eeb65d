/// The worker's answer. Each job has exactly one; two notes may come before it: that the photo is decoded, and its
/// barcodes.
public struct ReadAnswer: Sendable, Hashable, Codable {
    /// Properties of the photo; nil if it was not decoded.
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
    /// The text of the learned piece set file; nil for other tasks.
    public var taughtSet: String?
    /// Nil if the job succeeded completely.
    public var failure: ItemFailure?
    /// Milliseconds by stage.
    public var timingsMs: [String: Double]
    /// Recogniser → version.
    public var models: [String: String]
    /// True for a note, which has barcodes if they are read; the answer follows. Nil for an answer.
    public var isNote: Bool?

    /// The note that a photo is decoded.
    public static var decoded: ReadAnswer { note(ReadAnswer()) }

    /// The note of what was read first.
    public static func note(_ answer: ReadAnswer) -> ReadAnswer {
        var note = answer
        note.isNote = true
        return note
    }

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
