public import Core

/// Reads the print in a picture: the role that every text engine plays.
///
/// One recogniser belongs to one worker and is called by one thread at a time.
public protocol TextRecognizer {
    /// Name and version of the engine, `tesseract 5.3.0`; part of an outcome's versions.
    var engineVersion: String { get }

    /// BCP 47 codes of the languages it reads, best first.
    var languages: [String] { get }

    /// Reads an upright raster; boxes are in its pixels. Nothing printed is an empty reading, not an error.
    ///
    /// Throws `ItemFailure` (stage recognition) where the engine gives up on this picture.
    func read(_ raster: Raster) throws -> TextReadingResult
}

/// What was read in one picture, and how good the picture is.
public struct TextReadingResult: Sendable, Hashable {
    public var reading: TextReading
    public var quality: PhotoQuality
    /// How long each step of the reading took, by name, `text.find` for one.
    public var timingsMs: [String: Double]

    public init(reading: TextReading, quality: PhotoQuality, timingsMs: [String: Double] = [:]) {
        self.reading = reading
        self.quality = quality
        self.timingsMs = timingsMs
    }
}
