import Foundation
import Vocabulary

/// Tesseract as the second reader of a line: two that are made differently and agree are rarely both wrong.
///
/// Engines are made for the languages met, one each, and kept warm.
final class TesseractWitness {
    private let tessdata: Tessdata
    private var engines: [String: TesseractEngine] = [:]

    /// Height of a strip's band of letters that Tesseract is given, pixels.
    private static let stripHeight = 48

    /// Nil where no language of Tesseract is installed.
    init?(languages: [String]) {
        guard
            let tessdata = try? Tessdata(
                languages: languages, folder: nil, environment: ProcessInfo.processInfo.environment)
        else { return nil }
        self.tessdata = tessdata
    }

    /// What Tesseract reads in the line, in its words; nil where it cannot be asked.
    func words(of shape: LineShape, on page: Raster, language: PrintLanguage?) throws -> [String]? {
        let wanted = language?.tesseract ?? "eng"
        let code = tessdata.languages.contains(wanted) ? wanted : tessdata.languages[0]
        let strip = try LineRectifier.strip(of: shape, on: page, height: Self.stripHeight)
        return try engine(code).words(on: strip, mode: .line).map(\.text)
    }

    private func engine(_ code: String) throws -> TesseractEngine {
        if let engine = engines[code] { return engine }
        let engine = try TesseractEngine(folder: tessdata.folder, language: code)
        engines[code] = engine
        return engine
    }
}
