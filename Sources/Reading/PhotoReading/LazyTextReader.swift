import TextRecognition
import Core

/// Creates the text reader for the first photo that needs it and keeps it. Runs for barcodes alone never start it.
///
/// It uses the neural networks if they are installed, else Tesseract alone.
final class LazyTextReader {
    private let models: ModelFolder
    private let usesNetworks: Bool
    private var started: Result<any TextRecognizer, ItemFailure>?

    /// - Parameter usesNetworks: False selects Tesseract even if the networks are installed.
    init(models: ModelFolder, usesNetworks: Bool = true) {
        self.models = models
        self.usesNetworks = usesNetworks
    }

    /// Reads the raster as `TextRecognizer.read` does. `version` then names the engine.
    func read(_ raster: Raster, expectsPrint: Bool) throws(ItemFailure) -> TextReadingResult {
        let recognizer = try recognizer().get()
        do { return try recognizer.read(raster, expectsPrint: expectsPrint) } catch let failure as ItemFailure {
            throw failure
        } catch {
            throw ItemFailure(
                stage: .recognition, code: .decodeFailed, detail: "text could not be read: \(error)",
                hint: "photograph it again")
        }
    }

    var version: String? { try? started?.get().engineVersion }

    private func recognizer() -> Result<any TextRecognizer, ItemFailure> {
        if let started { return started }
        let result: Result<any TextRecognizer, ItemFailure>
        do { result = .success(try start()) } catch {
            result = .failure(
                ItemFailure(
                    stage: .recognition, code: .workerUnavailable, detail: "text cannot be read: \(error)",
                    hint: "run `tablesight doctor`", isTransient: true))
        }
        started = result
        return result
    }

    private func start() throws -> any TextRecognizer {
        if usesNetworks, NetworkTextRecognizer.isInstalled(models: models) {
            return try NetworkTextRecognizer(models: models)
        }
        return try TesseractRecognizer(models: models)
    }
}
