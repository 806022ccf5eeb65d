import Foundation
public import Core

/// Reads line by line with PP-OCRv6: find the lines, straighten each, read it, decode it by its language.
///
/// Owned by one worker, used by one thread at a time.
public final class NetworkTextRecognizer: TextRecognizer {
    public let engineVersion: String
    public let languages: [String]

    private let detector: any LineDetector
    private let reader: CascadeLineReader
    private let printLanguages: PrintLanguages
    private let calibration: WordCalibration
    private let wordLists = WordLists()
    /// Nil where Tesseract has no language: words are then believed by their letters alone.
    private let witness: TesseractWitness?

    /// Throws `StartupError` (unavailable) where the fetched models are missing or cannot be loaded.
    public init(models: ModelFolder) throws {
        guard let files = TextModels(models: models) else {
            throw StartupError(
                .unavailable,
                "no networks below \(models.url.appending(path: "fetched").path): run scripts/fetch-models")
        }
        detector = NetworkLineDetector(network: try NeuralNetwork(file: files.detector, library: files.library))
        reader = try CascadeLineReader(files)
        printLanguages = try PrintLanguages(models: models)
        calibration = try WordCalibration(models: models, reader: "network")
        witness = TesseractWitness(languages: printLanguages.languages.map(\.tesseract))
        languages = printLanguages.languages.map(\.code)
        engineVersion = "PP-OCRv6 small, ONNX Runtime \(NeuralNetwork.runtimeVersion ?? "unknown")"
    }

    /// True where the fetched files are all there; what is inside them shows only when they are loaded.
    public static func isInstalled(models: ModelFolder) -> Bool { TextModels(models: models) != nil }

    public func read(_ raster: Raster) throws -> TextReadingResult {
        var clock = StageClock()
        let page = try UprightPage(of: raster, detector: detector, reader: reader)
        clock.end("text.find")
        var lines = try read(page)
        clock.end("text.read")
        decode(&lines)
        let unread = Self.unread(page.lines, but: lines)
        clock.end("text.decode")
        try callWitness(&lines, on: page.raster)
        clock.end("text.witness")
        let layout = PageLayout(lines: lines, page: page.raster, probability: probability(_:in:))
        let reading = TextReading(
            languages: pageLanguages(of: lines), lines: layout.textLines { page.toRaster($0) },
            unreadLines: unread > 0 ? unread : nil)
        let quality = try PhotoInspection(raster).quality(
            words: reading.lines.flatMap(\.words), tilt: layout.tilt,
            letterHeight: layout.letterHeight)
        clock.end("text.layout")
        return TextReadingResult(reading: reading, quality: quality, timingsMs: clock.milliseconds)
    }

    /// Reads the lines until the page has cost enough; the highest first, since they matter most on menus and labels.
    private func read(_ page: UprightPage) throws -> [PageLine] {
        var budget = Self.mostStripLength
        var read: [PageLine] = []
        for line in page.lines.sorted(by: { $0.shape.thickness > $1.shape.thickness }) {
            guard budget > 0 else { break }
            let line = try self.read(line, on: page)
            let length = line.shape.span / max(1, line.shape.thickness) * Double(LineRectifier.stripHeight)
            // What the fast network was not sure of was read twice, slowly the second time.
            budget -= line.confidence < CascadeLineReader.sure ? 3 * length : length
            read.append(line)
        }
        return read
    }

    /// Length of all strips of a page together that are read, pixels: about 6 s of one core, a very dense page.
    private static let mostStripLength = 160_000.0

    /// A line that reads badly may stand on its head, as print around a packet does.
    private func read(_ line: DetectedLine, on page: UprightPage) throws -> PageLine {
        let first = try page.read[line.shape] ?? reader.line(line, on: page.raster)
        guard first.confidence < 0.6, line.shape.length > 2 * line.shape.height else { return first }
        var turned = line
        turned.shape = line.shape.reversed
        let second = try reader.line(turned, on: page.raster)
        return second.confidence > first.confidence + 0.15 ? second : first
    }

    /// Decodes again each line whose language its neighbours tell, then drops what is no print.
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

    /// Has Tesseract read the lines with a word that may be wrong.
    private func callWitness(_ lines: inout [PageLine], on page: Raster) throws {
        guard let witness else { return }
        var calls = 0
        for index in lines.indices where calls < Self.mostWitnessed {
            let isDoubtful = lines[index].words.contains {
                WordSieve.hasPrint($0.text) && $0.probability < Self.doubtful
            }
            guard isDoubtful else { continue }
            calls += 1
            lines[index].witnessed = try witness.words(
                of: lines[index].shape, on: page, language: lines[index].language)
        }
    }

    /// Lines of one page that the witness is asked about; it takes as long as the reader itself.
    private static let mostWitnessed = 40

    /// Words below this probability want a witness.
    private static let doubtful = 0.97

    private func probability(_ word: ReadWord, in line: PageLine) -> Double {
        let list = line.language.map { wordLists[$0] }
        let evidence = WordEvidence(
            word.text, isKnown: { list?.contains($0) ?? false }, witness: line.witness(of: word))
        return calibration.probability(word.probability, evidence)
    }

    /// How many of the lines that look like print are not among those that were read.
    ///
    /// Logos, rims and short scraps are detected too: only what is surely a line of several letters counts.
    private static func unread(_ detected: [DetectedLine], but read: [PageLine]) -> Int {
        func isLine(_ shape: LineShape, _ score: Double) -> Bool {
            score >= 0.7 && shape.span >= 4 * shape.thickness
        }
        return detected.count { isLine($0.shape, $0.score) } - read.count { isLine($0.shape, $0.score) }
    }

    private func pageLanguages(of lines: [PageLine]) -> [String] {
        let scores = printLanguages.evidence(in: lines.map(\.letters.text).joined(separator: "\n"))
        let whole = scores.reduce(0, +)
        return zip(printLanguages.languages, scores).filter { $1 >= 1.5 && $1 >= 0.15 * whole }
            .sorted { $0.1 > $1.1 }.map(\.0.code)
    }
}
