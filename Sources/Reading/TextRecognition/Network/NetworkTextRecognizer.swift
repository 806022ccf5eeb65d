import Foundation
import Core

/// Recognises text with PP-OCRv6: detects lines, rectifies each, reads it and decodes it by its language.
///
/// One worker owns it and uses it from one thread at a time.
package final class NetworkTextRecognizer: TextRecognizer {
    package let engineVersion: String
    package let languages: [String]

    private let detector: any LineDetector
    private let reader: CascadeLineReader
    private let dateScanner: DateScanner
    private let printLanguages: PrintLanguages
    private let calibration: WordCalibration
    private let wordLists = WordLists()
    /// Nil if no language of Tesseract is installed. Words are then judged by their letters alone.
    private let secondaryReader: TesseractCrossCheck?
    private let scripts: ScriptDetector

    /// - Throws: `StartupError` (unavailable) if the fetched models are missing or cannot be loaded.
    package init(models: ModelFolder) throws {
        guard let files = TextModels(models: models) else {
            throw StartupError(
                .unavailable,
                "no networks below \(models.url.appending(path: "fetched").path): run scripts/fetch-models")
        }
        detector = NetworkLineDetector(network: try NeuralNetwork(file: files.detector, library: files.library))
        let dates = try models.load(DateReaderFile.self, from: DateReaderFile.path)
        reader = try CascadeLineReader(files, dates: dates)
        let months = try models.load(MonthNames.self, from: MonthNames.path)
        dateScanner = months.scanner
        printLanguages = try PrintLanguages(models: models)
        calibration = try WordCalibration(models: models, reader: "network")
        secondaryReader = TesseractCrossCheck(languages: printLanguages.languages.map(\.tesseract))
        scripts = ScriptDetector(models: files, languages: printLanguages.languages.map(\.tesseract))
        languages = printLanguages.languages.map(\.code)
        engineVersion =
            "PP-OCRv6 small (\(NetworkWeights(models: models))), dates \(dates.version), "
            + "months \(months.version), "
            + "ONNX Runtime \(NeuralNetwork.runtimeVersion ?? "unknown")"
    }

    /// True if all fetched files exist. Their content is checked when they are loaded.
    package static func isInstalled(models: ModelFolder) -> Bool { TextModels(models: models) != nil }

    package func foresee(_ raster: Raster) { detector.foresee(raster) }

    package func read(_ raster: Raster, search: PrintSearch) throws -> TextReadingResult {
        var clock = StageClock()
        let page = try UprightPage(of: raster, search: search, detector: detector, reader: reader)
        clock.end("text.find")
        var lines = try read(page)
        clock.end("text.read")
        lines = try DateLook(detector: detector, reader: reader, scanner: dateScanner).lines(lines, on: page.raster)
        clock.end("text.dates")
        decode(&lines)
        lines = try lines.map { try reader.readingSmallPrint(of: $0, on: page.raster) }
        let unread = Self.unread(page.lines, read: lines)
        let script = try scripts.script(of: unread.shapes, on: page.raster)
        clock.end("text.decode")
        try crossCheck(&lines, on: page.raster)
        clock.end("text.witness")
        let layout = PageLayout(lines: lines, page: page.raster, probability: probability(_:in:))
        let boxes = unread.boxes(isForeign: script != nil).map { page.toRaster($0) }
            .sorted { $0.center.y < $1.center.y }
        let reading = TextReading(
            languages: pageLanguages(of: lines), lines: layout.textLines { page.toRaster($0) },
            unreadLines: boxes.isEmpty ? nil : boxes.count, unreadBoxes: boxes.isEmpty ? nil : boxes,
            unreadScripts: script.map { [$0] })
        let quality = try PhotoInspection(raster).quality(
            words: reading.lines.flatMap(\.words), tilt: layout.tilt,
            letterHeight: layout.letterHeight)
        clock.end("text.layout")
        return TextReadingResult(reading: reading, quality: quality, timingsMs: clock.milliseconds)
    }

    /// Reads lines until the page's budget is used up, tallest first, because these matter most on menus and labels.
    private func read(_ page: UprightPage) throws -> [PageLine] {
        var budget = Self.maxTotalImageWidth
        var read: [PageLine] = []
        for line in page.lines.sorted(by: { $0.shape.thickness > $1.shape.thickness }) {
            guard budget > 0 else { break }
            let first = try self.read(line, on: page)
            let length = first.shape.span / max(1, first.shape.thickness) * Double(LineRectifier.imageHeight)
            // Lines below the thresholds are read twice or three times, after the first time by the slow network.
            let isSure = first.confidence >= CascadeLineReader.rereadThreshold
            budget -= length * (isSure ? 1 : first.confidence < CascadeLineReader.secondLookThreshold ? 6 : 3)
            read.append(try reader.secondLook(at: first, on: page.raster))
        }
        return read
    }

    /// Maximum total width of the line images of a page, pixels. It takes about 6 s on one core, for a very dense
    /// page.
    private static let maxTotalImageWidth = 160_000.0

    /// Reads a line, and upside down if its confidence is low. Print around a packet may be upside down.
    private func read(_ line: DetectedLine, on page: UprightPage) throws -> PageLine {
        let first = try page.read[line.shape] ?? reader.line(line, on: page.raster)
        guard first.confidence < 0.6, line.shape.length > 2 * line.shape.height else { return first }
        var reversed = line
        reversed.shape = line.shape.reversed
        let second = try reader.line(reversed, on: page.raster)
        return second.confidence > first.confidence + 0.15 ? second : first
    }

    /// Decodes each line again if its language is known, then removes lines that are not text.
    private func decode(_ lines: inout [PageLine]) {
        lines.removeAll { $0.confidence < 0.5 }
        lines.sort { ($0.shape.top[0].y, $0.shape.top[0].x) < ($1.shape.top[0].y, $1.shape.top[0].x) }
        let languages = printLanguages.language(ofEach: lines.map(\.letters.text))
        for (index, language) in languages.enumerated() {
            let lattice = lines[index].lattice
            if let language { lines[index].letters = LineDecoder(language: language).letters(of: lattice) }
            lines[index].language = language
            let list = language.map { wordLists[$0] } ?? WordList([])
            lines[index].letters = WordRepair(list: list, lookAlikes: printLanguages.lookAlikes)
                .repaired(lines[index].letters, lattice)
        }
    }

    /// Reads lines that contain a doubtful word again with Tesseract.
    private func crossCheck(_ lines: inout [PageLine], on page: Raster) throws {
        guard let secondaryReader else { return }
        var calls = 0
        for index in lines.indices where calls < Self.maxCrossChecked {
            let isDoubtful = lines[index].words.contains {
                WordFilter.hasPrint($0.text) && $0.probability < Self.doubtful
            }
            guard isDoubtful else { continue }
            calls += 1
            lines[index].secondaryWords = try secondaryReader.words(
                of: lines[index].shape, on: page, language: lines[index].language)
        }
    }

    /// Maximum number of cross-checked lines per page. Tesseract takes as long as the line reader itself.
    private static let maxCrossChecked = 40

    /// Words below this probability are cross-checked.
    private static let doubtful = 0.97

    private func probability(_ word: ReadWord, in line: PageLine) -> Double {
        let list = line.language.map { wordLists[$0] }
        let evidence = WordEvidence(
            word.text, isKnown: { list?.contains($0) ?? false }, crossCheck: line.crossCheck(of: word))
        return calibration.probability(word.probability, evidence)
    }

    /// Detected text lines of which nothing, or almost nothing, was read.
    private struct UnreadLines {
        /// Lines without a letter.
        var silent: [LineShape] = []
        /// Lines whose letters the reader does not trust. They are read nevertheless.
        var doubtful: [LineShape] = []

        var shapes: [LineShape] { silent + doubtful }

        /// The lines to report. Doubtful letters count as unread in a foreign script.
        func boxes(isForeign: Bool) -> [Quad] { (isForeign ? shapes : silent).compactMap { $0.quad(from: 0, to: 1) } }
    }

    /// Logos, rims and short scraps are detected too, so only confident lines of several letters count. A line that
    /// gave only signs counts too: of Cyrillic or Korean print the reader sees the commas.
    private static func unread(_ detected: [DetectedLine], read: [PageLine]) -> UnreadLines {
        var lines = UnreadLines()
        for line in detected where line.score >= 0.7 && line.shape.span >= 4 * line.shape.thickness {
            let own = read.first {
                $0.shape == line.shape || $0.shape == line.shape.reversed || $0.replaced.contains(line.shape)
            }
            if own?.letters.contains(where: { WordFilter.hasPrint(String($0.character)) }) != true {
                lines.silent.append(line.shape)
            } else if let own, own.confidence < foreignConfidence || own.letterCount < fewLetters(in: line.shape) {
                lines.doubtful.append(line.shape)
            }
        }
        return lines
    }

    /// Mean letter probability below which a line may be in a script that is not read.
    private static let foreignConfidence = 0.8

    /// Letters below which a line may be in a script that is not read: one for each two line heights.
    private static func fewLetters(in shape: LineShape) -> Int { Int(shape.span / max(1, shape.thickness) / 2) }

    private func pageLanguages(of lines: [PageLine]) -> [String] {
        let scores = printLanguages.evidence(in: lines.map(\.letters.text).joined(separator: "\n"))
        let whole = scores.reduce(0, +)
        return zip(printLanguages.languages, scores).filter { $1 >= 1.5 && $1 >= 0.15 * whole }
            .sorted { $0.1 > $1.1 }.map(\.0.code)
    }
}
