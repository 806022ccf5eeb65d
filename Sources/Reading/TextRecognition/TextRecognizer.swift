import Core

/// Recognises the text in a picture.
///
/// One recogniser belongs to one worker and is called from one thread at a time.
package protocol TextRecognizer {
    /// Name and version of the engine, `tesseract 5.3.0`; part of an outcome's versions.
    var engineVersion: String { get }

    /// BCP 47 codes of the supported languages, best first.
    var languages: [String] { get }

    /// Reads an upright raster; boxes are in its pixels. A picture without text gives an empty reading.
    ///
    /// - Throws: `ItemFailure` (stage recognition) if the engine fails on this picture.
    func read(_ raster: Raster, search: PrintSearch) throws -> TextReadingResult

    /// Does a part of the next reading of this raster in advance, where the engine can. The reading is the same.
    func foresee(_ raster: Raster)
}

extension TextRecognizer {
    package func foresee(_ raster: Raster) {}
}

/// How closely a picture is searched for print.
package enum PrintSearch: Sendable {
    /// The whole picture: it is known to be a menu, a label or another page.
    case close
    /// A small copy of it first, and closely only where that shows print.
    ///
    /// - Parameter matrices: corners of two-dimensional codes, clockwise, in pixels: their modules look like print.
    case quick(matrices: [[Point]] = [])

    /// The same for the picture after it was turned, when the places are others.
    var withoutPlaces: PrintSearch { if case .quick = self { .quick() } else { .close } }
}

/// The text of one picture, and the quality of the picture.
package struct TextReadingResult: Sendable, Hashable {
    package var reading: TextReading
    package var quality: PhotoQuality
    /// Duration of each step, milliseconds, by name (`text.find`).
    package var timingsMs: [String: Double] = [:]
}
