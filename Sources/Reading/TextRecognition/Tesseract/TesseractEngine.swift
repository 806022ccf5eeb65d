internal import CTesseract
import Core

/// A `TessBaseAPI` that is created once, reused for many pages and deleted with this object.
final class TesseractEngine {
    /// Tesseract's page segmentation mode.
    enum PageMode {
        /// As much text as possible, in no order (psm 11).
        case sparse
        /// One block of lines (psm 6).
        case block
        /// One line (psm 7).
        case line

        fileprivate var cValue: TessPageSegMode {
            switch self {
            case .sparse: PSM_SPARSE_TEXT
            case .block: PSM_SINGLE_BLOCK
            case .line: PSM_SINGLE_LINE
            }
        }
    }

    /// Resolution reported to Tesseract, dots per inch. Pages are scaled accordingly.
    static let resolution: Int32 = 300

    private let api: OpaquePointer

    /// - Throws: `StartupError` if Tesseract cannot open the files of `language` (`eng+deu`) in `folder`.
    init(folder: String, language: String, orientationOnly: Bool = false) throws {
        guard let api = TessBaseAPICreate() else {
            throw StartupError(.unavailable, "Tesseract cannot be started: out of memory.")
        }
        let engine = orientationOnly ? OEM_TESSERACT_ONLY : OEM_LSTM_ONLY
        guard TessBaseAPIInit2(api, folder, language, engine) == 0 else {
            TessBaseAPIDelete(api)
            throw StartupError(
                .unavailable,
                """
                Tesseract cannot read its language files for \(language) in \(folder). Install them again: \
                apt-get install --reinstall tesseract-ocr-\(language.prefix { $0 != "+" }).
                """)
        }
        self.api = api
        TessBaseAPISetVariable(api, "debug_file", "/dev/null")
    }

    deinit {
        TessBaseAPIEnd(api)
        TessBaseAPIDelete(api)
    }

    static var version: String { TessVersion().map { String(cString: $0) } ?? "unknown" }

    /// The words in page pixels, in no order, with Tesseract's own confidence 0…1.
    func words(on page: PreparedPage, mode: PageMode) throws -> [Word] {
        try words(in: page.gray, width: page.width, height: page.height, bytesPerPixel: 1, mode: mode)
    }

    /// The words on a raster with a single line, without preparation.
    func words(on lineImage: Raster, mode: PageMode) throws -> [Word] {
        try words(
            in: lineImage.bytes, width: lineImage.width, height: lineImage.height,
            bytesPerPixel: lineImage.format.rawValue, mode: mode)
    }

    private func words(
        in samples: [UInt8], width: Int, height: Int, bytesPerPixel: Int, mode: PageMode
    ) throws -> [Word] {
        try samples.withUnsafeBufferPointer { samples in
            TessBaseAPISetPageSegMode(api, mode.cValue)
            TessBaseAPISetImage(
                api, samples.baseAddress, Int32(width), Int32(height), Int32(bytesPerPixel),
                Int32(width * bytesPerPixel))
            TessBaseAPISetSourceResolution(api, Self.resolution)
            defer { TessBaseAPIClear(api) }
            guard TessBaseAPIRecognize(api, nil) == 0 else {
                throw ItemFailure(
                    stage: .recognition, code: .nothingRead,
                    detail: "Tesseract gave up on a page of \(width) × \(height) pixels",
                    hint: "Take the photo again, closer and with even light.")
            }
            guard let iterator = TessBaseAPIGetIterator(api) else { return [] }
            defer { TessResultIteratorDelete(iterator) }
            var words: [Word] = []
            repeat {
                if let word = Self.word(at: iterator) { words.append(word) }
            } while TessResultIteratorNext(iterator, RIL_WORD) != 0
            return words
        }
    }

    private static func word(at iterator: OpaquePointer) -> Word? {
        guard let text = TessResultIteratorGetUTF8Text(iterator, RIL_WORD) else { return nil }
        defer { TessDeleteText(text) }
        var (left, top, right, bottom): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        guard
            TessPageIteratorBoundingBox(
                TessResultIteratorGetPageIterator(iterator), RIL_WORD, &left, &top, &right, &bottom) != 0,
            right > left, bottom > top
        else { return nil }
        let confidence = Double(TessResultIteratorConfidence(iterator, RIL_WORD)) / 100
        return Word(
            text: String(cString: text), confidence: min(1, max(0, confidence)),
            box: Quad(x: Double(left), y: Double(top), width: Double(right - left), height: Double(bottom - top)))
    }

    /// The script of a grey page in Tesseract's own name, with its confidence (0 is a guess); nil for too few letters.
    func script(on page: Raster) -> (name: String, confidence: Double)? {
        guard page.format == .gray8 else { return nil }
        return orientationAndScript(of: page.bytes, width: page.width, height: page.height)?.script
    }

    /// Quarter turns clockwise that make the page upright, with Tesseract's confidence (0 is a guess, 15 certain).
    ///
    /// Nil if there are too few letters.
    func quarterTurns(of page: PreparedPage) -> (turns: Int, confidence: Double)? {
        guard let found = orientationAndScript(of: page.gray, width: page.width, height: page.height) else {
            return nil
        }
        // Tesseract reports the clockwise rotation of the page.
        return ((4 - found.degrees / 90) % 4, found.confidence)
    }

    private func orientationAndScript(
        of gray: [UInt8], width: Int, height: Int
    ) -> (degrees: Int, confidence: Double, script: (name: String, confidence: Double)?)? {
        gray.withUnsafeBufferPointer { gray in
            TessBaseAPISetPageSegMode(api, PSM_OSD_ONLY)
            TessBaseAPISetImage(api, gray.baseAddress, Int32(width), Int32(height), 1, Int32(width))
            TessBaseAPISetSourceResolution(api, Self.resolution)
            defer { TessBaseAPIClear(api) }
            var degrees: Int32 = 0
            var (confidence, scriptConfidence): (Float, Float) = (0, 0)
            var script: UnsafePointer<CChar>?
            guard
                TessBaseAPIDetectOrientationScript(api, &degrees, &confidence, &script, &scriptConfidence) != 0
            else { return nil }
            let named = script.map { (String(cString: $0), Double(scriptConfidence)) }
            return (Int(degrees), Double(confidence), named)
        }
    }
}
