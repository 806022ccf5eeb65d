import Allergens
import Catalogue
import Foundation
import Kinds
import Store
import Core
import ReadJobs

/// Processes one photo: readings (stored, or from a worker) → judgement.
package struct PhotoProcessor: Sendable {
    package struct Request: Sendable, Hashable {
        /// Nil looks for all domains.
        package var domain: Outcome.Domain?
        /// The piece set; nil tries those of the models.
        package var pieceSet: String?
        package var profiles: [AllergenProfile]

        package init(domain: Outcome.Domain? = nil, pieceSet: String? = nil, profiles: [AllergenProfile]) {
            self.domain = domain
            self.pieceSet = pieceSet
            self.profiles = profiles
        }

        /// The key of the readings in the store.
        ///
        /// - Parameter readers: key of the workers' models. After new models are installed, photos are read again.
        package func asked(of readers: String) -> String {
            "\(ProgramVersion.current) \(domain?.rawValue ?? "auto") \(pieceSet ?? "-") \(readers)"
        }

        /// The domain in a key of the store; nil for all domains.
        static func domain(asked: String) -> Outcome.Domain? {
            asked.split(separator: " ").dropFirst().first.flatMap { Outcome.Domain(rawValue: String($0)) }
        }
    }

    let interpreter: Interpreter
    package var reading: PhotoReading
    /// The server for products that are not imported; nil asks none.
    package var remote: RemoteCatalogue?
    /// The language of the notes beside overlays; nil writes keys.
    package var wording: Wording?
    /// Returns people's reviews of a content, oldest first.
    package var reviews: @Sendable (String) -> [Review] = { _ in [] }
    /// The dishes of a photo's kitchen with known allergens.
    package var kitchen = KitchenDishes()

    package init(interpreter: Interpreter, reading: PhotoReading) {
        self.interpreter = interpreter
        self.reading = reading
    }

    /// The same with other limits of a photo.
    package func limited(to limits: ReadJob.Limits?) -> PhotoProcessor {
        var limited = self
        limited.reading.photoLimits = limits
        return limited
    }

    /// Workers of this machine; they also draw and learn.
    package var workers: WorkerPool { reading.workers }

    /// Reads and judges the photo at `path`; every failure is an outcome.
    ///
    /// - Parameter folder: the scanned folder, which is never left; nil if a person named the path, which may then be a
    ///   link.
    package func outcome(
        for path: FilePathBytes, in folder: FilePathBytes? = nil, _ request: Request
    ) async -> Outcome {
        outcome(of: await reading.readings(of: path, in: folder, request), request)
    }

    package func outcome(of photo: PhotoReading.ReadPhoto, _ request: Request) -> Outcome {
        var outcome = judge(photo.answer, photo.facts, request)
        guard let read = photo.read else { return outcome }
        outcome.processing.attempt = max(1, read.attempts)
        outcome.processing.worker = read.worker
        return outcome
    }

    /// Draws the outcome over its photo, as a PNG of at most 1,600 pixels per side and a list beside it.
    ///
    /// - Parameter inbox: the watched folder of the photo; nil if a person named it, and it may then be a link.
    /// - Returns: the failure, if the overlay could not be created.
    package func drawOverlay(
        of outcome: Outcome, photo path: FilePathBytes, in inbox: FilePathBytes? = nil, to file: FilePathBytes
    ) async -> ItemFailure? {
        await draw(.draw(outcome.overlay(in: wording), maxSide: 1600), photo: path, in: inbox, to: file)
    }

    /// Copies the upright photo without its metadata, as a JPEG of at most `maxSide` pixels per side, rotated clockwise by
    /// `quarterTurns` × 90°.
    ///
    /// - Returns: the failure, if the copy could not be created.
    package func drawPicture(
        _ path: FilePathBytes, in inbox: FilePathBytes?, maxSide: Int, quarterTurns: Int = 0, to file: FilePathBytes
    ) async -> ItemFailure? {
        await draw(.copy(maxSide: maxSide, quarterTurns: quarterTurns), photo: path, in: inbox, to: file)
    }

    private func draw(
        _ task: ReadJob.Task, photo path: FilePathBytes, in inbox: FilePathBytes?, to file: FilePathBytes
    ) async -> ItemFailure? {
        do {
            let photo =
                try inbox.map { inbox throws(ItemFailure) in try OpenPhoto.open(path, below: inbox) }
                ?? OpenPhoto.open(path)
            let picture = try UnfinishedFile(for: file)
            let job = ReadJob(path: path, task: task, limits: reading.photoLimits)
            let answer = try await workers.perform(job, files: [photo.descriptor, picture.descriptor])
            if let failure = answer.failure { return failure }
            try picture.finish()
            return nil
        } catch let failure as ItemFailure {
            return failure
        } catch let fault as WorkerFault {
            return ItemFailure(fault)
        } catch {
            return ItemFailure(
                stage: .storage, code: .inputOutput, detail: "\(error)", hint: "check the output folder and the disk")
        }
    }

    /// Readings → outcome.
    ///
    /// - Parameters:
    ///   - unanswered: numbers that a server was asked for without an answer.
    ///   - parsed: called when dishes and ingredients are known.
    package func judge(
        _ answer: ReadAnswer, _ facts: PhotoFacts, _ request: Request, unanswered: Set<GTIN> = [],
        parsed: () -> Void = {}
    ) -> Outcome {
        var outcome = interpreter.judge(
            answer, of: facts, as: request.domain, for: request.profiles, reviews: facts.id.map(reviews) ?? [],
            house: { kitchen.dishes(of: facts.path, content: facts.id) }, parsed: parsed)
        outcome.mark(unanswered: Set(unanswered.map(\.digits)))
        return outcome
    }

    /// Requests the photo's products that no import has, so that the judgement finds them in the cache.
    ///
    /// - Returns: the numbers without an answer.
    package func fetchProducts(for answer: ReadAnswer) async -> Set<GTIN> {
        guard let remote else { return [] }
        let numbers = interpreter.productNumbers(in: answer.readings)
        for (index, gtin) in numbers.enumerated() {
            // After one failure the server is not asked again, so that the outcome is not delayed.
            if await remote.product(gtin).failure != nil {
                return Set(numbers[index...])
            }
        }
        return []
    }
}

extension Outcome {
    /// Says of unknown products that no server answered.
    mutating func mark(unanswered: Set<String>) {
        for index in products?.indices ?? 0..<0 {
            guard let product = products?[index], product.reason == "notInCatalogue", unanswered.contains(product.gtin)
            else { continue }
            products?[index].reason = JudgedOutcome.remoteUnavailable
        }
    }
}
