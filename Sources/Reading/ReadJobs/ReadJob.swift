public import Core

/// A request from the daemon to a worker about one photo. The open file is passed along with the message.
public struct ReadJob: Sendable, Hashable, Codable {
    /// What the worker does with the photo.
    public enum Task: Sendable, Hashable, Codable {
        /// Read the photo. A nil `domain` means any domain.
        case read(domain: Outcome.Domain?, pieceSet: String?)
        /// Draw over the upright photo and write the notes beside it. The worker writes a PNG to the second passed file;
        /// the photo in it has at most `maxSide` pixels per side.
        case draw(OverlayDrawing, maxSide: Int)
        /// Copy the upright photo without its metadata, rotated clockwise by `quarterTurns` × 90°. The worker writes a
        /// JPEG of at most `maxSide` pixels to the second passed file.
        case copy(maxSide: Int, quarterTurns: Int)
        /// Learn a piece set. The photo shows the pieces laid out, the second passed file shows the empty table.
        case teach(TeachingRequest)
    }

    /// Upper limits of a photo. A photo beyond them is rejected by its header, before decoding.
    public struct Limits: Sendable, Hashable, Codable {
        /// Stored pixels, width × height.
        public var pixels: Int
        /// Stored pixels of the longer side.
        public var side: Int
        public var fileBytes: Int
        /// Number of scans of a progressive JPEG.
        public var scans: Int

        public init(pixels: Int, side: Int, fileBytes: Int, scans: Int) {
            self.pixels = pixels
            self.side = side
            self.fileBytes = fileBytes
            self.scans = scans
        }
    }

    /// The name of the photo for messages. The worker opens no path; it receives the open file.
    public var path: FilePathBytes
    public var task: Task
    /// The daemon's number of the queue entry; -1 without a journal.
    public var number: Int64
    /// Nil means the built-in limits.
    public var limits: Limits?
    /// True for a second attempt after a time or memory limit. The photo is then read at half the usual size.
    public var reduced: Bool
    /// Processor time limit of this job in seconds; nil means no limit.
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
