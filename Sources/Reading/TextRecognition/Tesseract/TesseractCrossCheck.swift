import Foundation
import Core

/// Cross-checks lines with Tesseract as secondary OCR. Two independent readers that agree are rarely both wrong.
///
/// Each language has its own engine. The most recently used engines are kept, at some 10 MB each.
final class TesseractCrossCheck {
    private let tessdata: Tessdata
    /// Ordered by last use, most recent last.
    private var engines: [(code: String, engine: TesseractEngine)] = []
    private static let keptEngines = 3

    /// Height of the line image given to Tesseract, pixels.
    private static let imageHeight = 48

    /// Nil if no language of Tesseract is installed.
    init?(languages: [String]) {
        guard
            let tessdata = try? Tessdata(
                languages: languages, folder: nil, environment: ProcessInfo.processInfo.environment)
        else { return nil }
        self.tessdata = tessdata
    }

    /// Tesseract's words in the line.
    func words(of shape: LineShape, on page: Raster, language: PrintLanguage?) throws -> [String]? {
        let wanted = language?.tesseract ?? "eng"
        let code = tessdata.languages.contains(wanted) ? wanted : tessdata.languages[0]
        let lineImage = try LineRectifier.image(of: shape, on: page, height: Self.imageHeight)
        return try engine(code).words(on: lineImage, mode: .line).map(\.text)
    }

    private func engine(_ code: String) throws -> TesseractEngine {
        if let index = engines.firstIndex(where: { $0.code == code }) {
            engines.append(engines.remove(at: index))
            return engines[engines.count - 1].engine
        }
        // Removed before the new engine is created, to limit the peak memory.
        if engines.count >= Self.keptEngines { engines.removeFirst() }
        let engine = try TesseractEngine(folder: tessdata.folder, language: code)
        engines.append((code, engine))
        return engine
    }
}
