import TextRecognition
import Vocabulary

/// Tesseract, started with the first photo that is to be read and kept warm: a run for barcodes alone never pays for it.
final class WarmTextReader {
    private var started: Result<TesseractRecognizer, ItemFailure>?

    /// What was read; `version` says by what.
    func read(_ raster: Raster) throws(ItemFailure) -> TextReadingResult {
        let recognizer = try recognizer().get()
        do { return try recognizer.read(raster) } catch let failure as ItemFailure { throw failure } catch {
            throw ItemFailure(
                stage: .recognition, code: .decodeFailed, detail: "text could not be read: \(error)",
                hint: "photograph it again")
        }
    }

    var version: String? { try? started?.get().engineVersion }

    private func recognizer() -> Result<TesseractRecognizer, ItemFailure> {
        if let started { return started }
        let result: Result<TesseractRecognizer, ItemFailure>
        do { result = .success(try TesseractRecognizer()) } catch {
            result = .failure(
                ItemFailure(
                    stage: .recognition, code: .workerUnavailable, detail: "text cannot be read: \(error)",
                    hint: "run `tablesight doctor`", isTransient: true))
        }
        started = result
        return result
    }
}
