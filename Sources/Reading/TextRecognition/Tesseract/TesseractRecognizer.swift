internal import CLeptonica
import Foundation
import Core

/// Recognises text with Tesseract alone: a pass over the page, and a second one if the first is uncertain.
///
/// One worker owns it and uses it from one thread at a time. `OMP_THREAD_LIMIT=1` must be in the environment before
/// the process starts. Tesseract's own threads cost up to seven times the processor time, and `setenv` comes too
/// late.
package final class TesseractRecognizer: TextRecognizer {
    package let engineVersion: String
    package let languages: [String]

    private let tessdata: Tessdata
    private let engine: TesseractEngine
    private let calibration: WordCalibration
    private let known: [WordList]
    /// Created for the first page that needs it.
    private var orientation: TesseractEngine?

    /// - Parameters:
    ///   - languages: Tesseract's codes of the requested languages, most likely first; missing ones are ignored.
    ///   - models: The folder with the calibration.
    ///   - tessdata: Folder of the `.traineddata` files; nil means `TESSDATA_PREFIX`, else Debian's folder.
    ///
    /// - Throws: `StartupError` if none of the languages is installed, or a data file is invalid.
    package init(languages: [String] = ["eng", "deu"], models: ModelFolder, tessdata: String? = nil) throws {
        setMsgSeverity(Int32(L_SEVERITY_NONE))
        self.tessdata = try Tessdata(
            languages: languages, folder: tessdata, environment: ProcessInfo.processInfo.environment)
        engine = try TesseractEngine(
            folder: self.tessdata.folder, language: self.tessdata.languages.joined(separator: "+"))
        self.languages = self.tessdata.languageTags
        calibration = try WordCalibration(models: models, reader: "tesseract")
        let lists = WordLists()
        let installed = self.tessdata.languages
        known = try PrintLanguages(models: models).languages.filter { installed.contains($0.tesseract) }.map {
            lists[$0]
        }
        engineVersion = "tesseract \(TesseractEngine.version)"
    }

    package func read(_ raster: Raster, search: PrintSearch) throws -> TextReadingResult {
        let preparation = try PagePreparation(raster)
        var observation = try bestObservation(at: preparation)
        if observation.isUncertain { observation = try secondObservation(at: observation) }
        let inspection = PhotoInspection(
            gray: preparation.photo, width: preparation.width, height: preparation.height)
        let words = WordFilter.filtered(observation.words, pageHeight: Double(observation.page.height)).map(calibrated)
        return TextReadingResult(
            reading: TextReading(languages: languages, lines: lines(of: words, on: observation.page)),
            quality: inspection.quality(
                words: words, tilt: observation.page.tilt, letterHeight: observation.page.letterHeight))
    }

    private func calibrated(_ word: Word) -> Word {
        let evidence = WordEvidence(word.text) { core in known.contains { $0.contains(core) } }
        var word = word
        word.confidence = calibration.probability(word.confidence, evidence)
        return word
    }

    private func observe(_ page: PreparedPage, mode: TesseractEngine.PageMode = .sparse) throws -> PageObservation {
        PageObservation(page: page, words: try engine.words(on: page, mode: mode))
    }

    /// Reads the page unrotated unless it looks sideways. If the result is poor, it reads rotated pages until one is
    /// not, and returns the best result.
    private func bestObservation(at preparation: PagePreparation) throws -> PageObservation {
        let upright = try preparation.page()
        var best: PageObservation?
        if !upright.looksSideways {
            let observation = try observe(upright)
            guard observation.isPoor else { return observation }
            best = observation
        }
        for turns in try turns(of: upright) {
            let observation = try observe(preparation.page(quarterTurns: turns))
            if observation.merit > best?.merit ?? -1 { best = observation }
            if !observation.isPoor { break }
        }
        return try best ?? observe(upright)
    }

    /// Quarter turns to try, most likely first.
    private func turns(of page: PreparedPage) throws -> [Int] {
        if orientation == nil, tessdata.hasOrientation {
            orientation = try TesseractEngine(folder: tessdata.folder, language: "osd", orientationOnly: true)
        }
        let found = orientation?.quarterTurns(of: page)
        if page.looksSideways { return found?.turns == 3 ? [3, 1] : [1, 3] }
        // Below .5 Tesseract guesses (play pieces, foliage: .03 to .25). The lowest confidence of a correctly rotated
        // label was 1.2.
        if let found { return found.turns == 0 || found.confidence < 0.5 ? [] : [found.turns] }
        return page.looksLined ? [2] : []
    }

    /// Reads the page as one block of lines, which suits even, dense text. The better result is completed by the
    /// other.
    private func secondObservation(at first: PageObservation) throws -> PageObservation {
        let second = try observe(first.page, mode: .block)
        return second.merit > first.merit ? second.completed(by: first) : first.completed(by: second)
    }

    private func lines(of words: [Word], on page: PreparedPage) -> [TextLine] {
        ReadingOrder.lines(of: words).compactMap { words in
            guard let box = Quad(around: words.map(\.box)) else { return nil }
            let letters = words.reduce(0) { $0 + $1.text.count }
            let weighed = words.reduce(0) { $0 + $1.confidence * Double($1.text.count) }
            return TextLine(
                text: words.map(\.text).joined(separator: " "), confidence: weighed / Double(max(1, letters)),
                box: page.toRaster(box),
                words: words.map { Word(text: $0.text, confidence: $0.confidence, box: page.toRaster($0.box)) })
        }
    }
}
