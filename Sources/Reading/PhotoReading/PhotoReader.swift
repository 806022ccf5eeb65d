import BarcodeRecognition
import Imaging
import PieceRecognition
import TextRecognition
import Core
public import ReadJobs

/// The worker's part of the pipeline: turns one photo from bytes into readings.
///
/// One worker owns it. Its cached engines are not thread-safe.
public final class PhotoReader {
    private let barcodes: BarcodeDecodeAttempts
    private let pieces: PieceTable
    private let text: LazyTextReader

    /// - Throws: `StartupError` if a piece set is invalid.
    public init(models: ModelFolder) throws {
        pieces = try PieceTable(models: models)
        text = LazyTextReader(models: models, usesNetworks: !WorkerParts.disablesNetworks)
        barcodes = BarcodeDecodeAttempts(
            zxing: ZXingLibrary(models: models), calibration: try BarcodeCalibration(models: models))
    }

    /// Performs one job. Failures are part of the answer.
    ///
    /// - Parameters:
    ///   - photo: The open photo; it stays open.
    ///   - picture: The open file for an overlay; it stays open.
    ///   - noted: Called when a photo that is read is decoded, and when its barcodes are known and its print is not.
    public func perform(
        _ job: ReadJob, photo: Int32, picture: Int32?, noted: (ReadAnswer) -> Void = { _ in }
    ) -> ReadAnswer {
        let decoder = ImageDecoder(limits: ImagingLimits(for: job))
        switch job.task {
        case .read(let domain, let pieceSet):
            return read(ReadingRequest(domain: domain, pieceSet: pieceSet), noted: noted) { () throws(ItemFailure) in
                let image = try decoder.decode(job, photo)
                noted(.decoded)
                return image
            }
        case .draw(let drawing, let maxSide):
            do throws(ItemFailure) {
                let image = try decoder.decode(job, photo)
                try PictureFile.write(
                    try OverlayRenderer().render(image, drawing, maxSide: maxSide), to: picture ?? -1)
                return ReadAnswer(image: image.facts)
            } catch {
                return ReadAnswer(failure: error)
            }
        case .copy(let maxSide, let quarterTurns):
            do throws(ItemFailure) {
                let image = try decoder.decode(job, photo)
                let copy = try OverlayRenderer().copy(image, maxSide: maxSide, quarterTurns: quarterTurns)
                try PictureFile.write(copy, to: picture ?? -1)
                return ReadAnswer(image: image.facts)
            } catch {
                return ReadAnswer(failure: error)
            }
        case .teach(let request):
            do throws(ItemFailure) {
                let laidOut = try decoder.decode(job, photo)
                let empty = try decoder.decode(job, picture ?? -1)
                var answer = ReadAnswer(image: laidOut.facts)
                answer.taughtSet = try PieceTeacher().file(empty: empty.raster, laidOut: laidOut.raster, request)
                return answer
            } catch {
                return ReadAnswer(failure: error)
            }
        }
    }

    /// Reads the upright raster with each recogniser, from the cheapest to the most expensive. Readings from before a
    /// failure stay in the answer.
    func read(
        _ request: ReadingRequest, noted: (ReadAnswer) -> Void = { _ in },
        decode: () throws(ItemFailure) -> DecodedImage
    ) -> ReadAnswer {
        var answer = ReadAnswer()
        var clock = StageClock()
        if request.includesText { text.prepare() }
        defer { text.finishPreparing() }
        do throws(ItemFailure) {
            let image = try decode()
            answer.image = image.facts
            answer.failure = image.shortfall
            clock.end("decode")
            if request.includesText { text.foresee(image.raster) }

            var unsure: [BarcodeReading] = []
            var isCloseUp = false
            var search = PrintSearch.close
            if request.includesBarcodes {
                let findings = barcodes.read(image.raster)
                unsure = DigitSearch.unsure(findings.readings)
                isCloseUp = findings.readings.contains {
                    $0.isCloseUp(inPictureOf: image.raster.width, image.raster.height)
                }
                // Around a packet's barcode there is often little print. Other photos are pages, which a closer look reads
                // more exactly, and the digits of an unsure code are small print as well.
                let isPacket = isCloseUp || findings.readings.contains { $0.gtin != nil }
                if request.domain == nil, isPacket, unsure.isEmpty {
                    search = .quick(matrices: findings.readings.filter(\.isMatrix).map(\.corners))
                    text.forget()
                }
                answer.readings.barcodes = findings.readings.map { $0.enlarged(by: 1 / image.scale) }
                let doubtful = findings.doubtful.map { $0.enlarged(by: 1 / image.scale) }
                answer.readings.doubtfulBarcodes = doubtful.isEmpty ? nil : doubtful
                let unread = findings.unread.map { $0.enlarged(by: 1 / image.scale) }
                answer.readings.unreadBarcodes = unread.isEmpty ? nil : unread
                if isPacket, request.domain == nil {
                    noted(.note(ReadAnswer(image: answer.image, readings: answer.readings)))
                }
                clock.end("barcodes")
            }
            // A code held before the camera is no table: looking for pieces on it takes a quarter of the time.
            if request.includes(.board), request.domain != nil || !isCloseUp {
                do throws(ItemFailure) {
                    answer.readings.pieces = try pieces.frame(of: image.raster, set: request.pieceSet)
                        .enlarged(by: 1 / image.scale)
                } catch {
                    // A page that is not a board is still read for its text; the failure stays in the outcome.
                    guard request.domain == nil else { throw error }
                    answer.failure = error
                }
                clock.end("pieces")
            }
            // A table full of play pieces contains no text, unless the request names a text domain.
            if request.includesText, request.domain != nil || !answer.readings.showsBoard {
                let result = try text.read(image.raster, search: search)
                clock.end("text")
                answer.readings.text = result.reading.measuringInk(on: image.raster).enlarged(by: 1 / image.scale)
                answer.readings.quality = result.quality
                clock.end("ink")
                clock.add(result.timingsMs)
            } else if !unsure.isEmpty {
                answer.readings.text = try digits(at: unsure, in: image)
                clock.end("digits")
            }
        } catch {
            answer.failure = error
        }
        answer.readings.adviseOnUnreadBarcodes()
        answer.models = versions(behind: answer.readings)
        answer.timingsMs = clock.milliseconds
        return answer
    }

    /// The print around unsure codes, where a run for barcodes alone reads no text; nil if no text can be read here. The
    /// codes then stay unsure.
    private func digits(at codes: [BarcodeReading], in image: DecodedImage) throws(ItemFailure) -> TextReading? {
        do throws(ItemFailure) {
            return try DigitSearch.text(around: codes, in: image.raster) { part throws(ItemFailure) in
                try text.read(part, search: .close).reading
            }?.enlarged(by: 1 / image.scale)
        } catch {
            if error.code == .workerUnavailable { return nil }
            throw error
        }
    }

    private func versions(behind readings: Readings) -> [String: String] {
        var versions: [String: String] = [:]
        if readings.barcodes != nil { versions["barcodes"] = barcodes.version }
        if let frame = readings.pieces { versions["pieces"] = frame.set }
        if readings.text != nil { versions["text"] = text.version }
        return versions
    }
}

/// What to read in a photo.
struct ReadingRequest {
    /// Nil: all domains.
    var domain: Outcome.Domain?
    /// Nil: the default sets, one after the other.
    var pieceSet: String?

    func includes(_ other: Outcome.Domain) -> Bool { domain == nil || domain == other }

    /// Every domain with print needs text.
    var includesText: Bool {
        switch domain {
        case nil, .menu, .label, .receipt, .priceTag: true
        case .barcode, .board: false
        }
    }

    /// A price tag may show the barcode of its product.
    var includesBarcodes: Bool { includes(.barcode) || domain == .priceTag }
}

extension Readings {
    /// Adds advice on unread barcodes before advice on text.
    mutating func adviseOnUnreadBarcodes() {
        guard let unreadBarcodes else { return }
        let other = quality?.advice ?? []
        var advice: [PhotoQuality.Advice] = []
        for one in unreadBarcodes.map(\.advice) + other where !advice.contains(one) { advice.append(one) }
        quality = quality ?? PhotoQuality()
        quality?.advice = advice
    }

    /// True if pieces that agree on one board were found.
    fileprivate var showsBoard: Bool { pieces?.board != nil }
}

extension DecodedImage {
    fileprivate var facts: ReadAnswer.ImageFacts {
        .init(format: format.rawValue, width: width, height: height, orientation: orientation)
    }
}

extension ImageDecoder {
    fileprivate func decode(_ job: ReadJob, _ photo: Int32) throws(ItemFailure) -> DecodedImage {
        try decode(try ImageFile.read(descriptor: photo, name: job.path.display, limit: limits.fileBytes))
    }
}

extension ImagingLimits {
    fileprivate init(for job: ReadJob) {
        self.init()
        if let limits = job.limits {
            (pixels, side, fileBytes, scans) = (limits.pixels, limits.side, limits.fileBytes, limits.scans)
        }
        if job.reduced { maximumSide = (maximumSide ?? 4000) / 2 }
    }
}
