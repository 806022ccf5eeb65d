import Foundation
import Core

/// Tesseract as the second reader of a line: two that are made differently and agree are rarely both wrong.
///
/// Engines are made for the languages met, one each; the last few used are kept warm, at some 10 MB each.
final class TesseractWitness {
    private let tessdata: Tessdata
    /// The one used last at the end.
    private var engines: [(code: String, engine: TesseractEngine)] = []
    private static let keptEngines = 3

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
        if let index = engines.firstIndex(where: { $0.code == code }) {
            engines.append(engines.remove(at: index))
            return engines[engines.count - 1].engine
        }
        // The oldest goes before the new one is made: memory is what this saves.
        if engines.count >= Self.keptEngines { engines.removeFirst() }
        let engine = try TesseractEngine(folder: tessdata.folder, language: code)
        engines.append((code, engine))
        return engine
    }
}
