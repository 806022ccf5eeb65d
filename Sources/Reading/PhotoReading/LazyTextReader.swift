import Core
import Dispatch
import Foundation
import Synchronization
import TextRecognition

/// Creates the text reader for the first photo that may need it and keeps it. Runs for barcodes alone never start it.
///
/// It uses the neural networks if they are installed, else Tesseract alone.
final class LazyTextReader {
    private let models: ModelFolder
    private let usesNetworks: Bool
    private var starting: Start?

    private typealias Started = Result<any TextRecognizer, ItemFailure>

    /// - Parameter usesNetworks: False selects Tesseract even if the networks are installed.
    init(models: ModelFolder, usesNetworks: Bool = true) {
        self.models = models
        self.usesNetworks = usesNetworks
    }

    /// Reads the raster as `TextRecognizer.read` does. `version` then names the engine.
    func read(_ raster: Raster, search: PrintSearch) throws(ItemFailure) -> TextReadingResult {
        forget()
        let recognizer = try recognizer().get()
        do { return try recognizer.read(raster, search: search) } catch let failure as ItemFailure {
            throw failure
        } catch {
            throw ItemFailure(
                stage: .recognition, code: .decodeFailed, detail: "text could not be read: \(error)",
                hint: "photograph it again")
        }
    }

    /// Nil before the first photo with text.
    var version: String? { try? starting?.result().get().engineVersion }

    /// Starts the reader on a thread of its own. The first photo's codes and pieces are looked for meanwhile.
    func prepare() { _ = prepared() }

    /// Searches a picture for print as soon as the reader is complete, while the picture's codes and pieces are looked
    /// for. Does nothing if it was complete before.
    func foresee(_ raster: Raster) { starting?.page.withLock { $0 = raster } }

    /// Drops the picture of ``foresee(_:)`` if its search has not begun.
    func forget() { starting?.page.withLock { $0 = nil } }

    /// Waits until a reader that ``prepare()`` started is complete, so that no thread runs when the worker ends.
    func finishPreparing() {
        forget()
        _ = starting?.result()
    }

    private func recognizer() -> Started { prepared().result() }

    private func prepared() -> Start {
        if let starting { return starting }
        let start = Start { [models, usesNetworks] in Self.start(models, usesNetworks) }
        starting = start
        return start
    }

    private static func start(_ models: ModelFolder, _ usesNetworks: Bool) -> Started {
        do {
            if usesNetworks, NetworkTextRecognizer.isInstalled(models: models) {
                return .success(try NetworkTextRecognizer(models: models))
            }
            return .success(try TesseractRecognizer(models: models))
        } catch {
            return .failure(unavailable("\(error)"))
        }
    }

    private static func unavailable(_ reason: String) -> ItemFailure {
        ItemFailure(
            stage: .recognition, code: .workerUnavailable, detail: "text cannot be read: \(reason)",
            hint: "run `tablesight doctor`", isTransient: true)
    }

    /// A reader that a thread makes.
    ///
    /// Unchecked `Sendable`: the thread writes `made` and uses it before it signals `finished`, and nobody reads it before
    /// that.
    private final class Start: @unchecked Sendable {
        private let finished = DispatchSemaphore(value: 0)
        private var made = Started.failure(unavailable("its reader is not complete"))
        /// The picture to search in advance.
        let page = Mutex<Raster?>(nil)

        init(_ make: @escaping @Sendable () -> Started) {
            let thread = Thread { [self] in
                made = make()
                if let page = page.withLock({ $0.take() }) { try? made.get().foresee(page) }
                finished.signal()
            }
            thread.name = "text"
            thread.stackSize = 8 << 20
            thread.start()
        }

        /// Waits for the reader.
        func result() -> Started {
            finished.wait()
            // For the next call.
            finished.signal()
            return made
        }
    }
}
