import Allergens
import Catalogue
import Foundation
import Interpretation
import Presentation
import Store
import Core
import ReadJobs

/// Processes one photo: open → hash → readings (stored, or from a worker) → judgement.
public struct PhotoProcessor: Sendable {
    /// What to look for on the photo.
    public struct Request: Sendable, Hashable {
        /// Nil looks for all domains.
        public var domain: Outcome.Domain?
        /// The piece set; nil tries those of the models.
        public var pieceSet: String?
        public var profiles: [AllergenProfile]

        public init(domain: Outcome.Domain? = nil, pieceSet: String? = nil, profiles: [AllergenProfile]) {
            self.domain = domain
            self.pieceSet = pieceSet
            self.profiles = profiles
        }

        /// The key of the readings in the store.
        ///
        /// - Parameter readers: key of the workers' models. After new models are installed, photos are read again.
        func asked(of readers: String) -> String {
            "\(ProgramVersion.current) \(domain?.rawValue ?? "auto") \(pieceSet ?? "-") \(readers)"
        }

        /// The domain in a key of the store; nil for all domains.
        static func domain(asked: String) -> Outcome.Domain? {
            asked.split(separator: " ").dropFirst().first.flatMap { Outcome.Domain(rawValue: String($0)) }
        }
    }

    /// The result of asking the workers.
    struct Reading: Sendable {
        var answer: ReadAnswer
        /// Attempts charged to the photo, including earlier runs.
        var attempts: Int
        /// Why the last attempt gave no answer; nil if it did.
        var fault: WorkerFault?
        /// Who made the answer.
        var worker = "local"
    }

    /// Attempts per photo, including those that crashed the daemon.
    static let mostAttempts = 2

    let interpreter: Interpreter
    /// Workers of this machine; they also draw and learn.
    let workers: WorkerPool
    /// Who reads photos.
    var backend: any ReadingBackend
    var photoLimits: ReadJob.Limits?
    let processorSeconds: Int?
    /// The server for products that are not imported; nil asks none.
    var remote: RemoteCatalogue?
    /// The language of the notes beside overlays; nil writes keys.
    var wording: Wording?
    /// Returns people's reviews of a content, oldest first.
    public var reviews: @Sendable (String) -> [Review] = { _ in [] }
    /// The dishes of a photo's kitchen with known allergens.
    public var kitchen = KitchenDishes()

    public init(
        interpreter: Interpreter, workers: WorkerPool, photoLimits: ReadJob.Limits? = nil, processorSeconds: Int? = nil
    ) {
        self.interpreter = interpreter
        self.workers = workers
        backend = workers
        self.photoLimits = photoLimits
        self.processorSeconds = processorSeconds
    }

    /// Reads and judges the photo at `path`; every failure is an outcome.
    ///
    /// - Parameter folder: the scanned folder, which is never left; nil if a person named the path, which may then be a
    ///   link.
    public func outcome(
        for path: FilePathBytes, in folder: FilePathBytes? = nil, _ request: Request
    ) async -> Outcome {
        let photo: OpenPhoto
        let content: OpenPhoto.Content
        func failed(_ failure: ItemFailure) -> Outcome {
            judge(ReadAnswer(failure: failure), PhotoFacts(path: path, id: nil, bytes: 0), request)
        }
        do throws(ItemFailure) {
            if let folder { photo = try OpenPhoto.open(path, below: folder) } else { photo = try OpenPhoto.open(path) }
        } catch {
            return failed(error)
        }
        do throws(OpenPhoto.Unproved) {
            content = try await photo.content(limit: photoLimits?.fileBytes ?? OpenPhoto.mostBytes)
        } catch {
            return failed(ItemFailure(error))
        }
        let facts = PhotoFacts(path: path, id: content.id, bytes: content.bytes)
        do {
            let reading = try await read(photo, request, content: content) { _ in }
            // The worker must have read the hashed bytes; otherwise the outcome would have another content's id.
            guard photo.identity == content.version else { return failed(ItemFailure(OpenPhoto.Unproved.changed)) }
            var outcome = judge(reading.answer, facts, request)
            outcome.processing.attempt = max(1, reading.attempts)
            outcome.processing.worker = reading.worker
            return outcome
        } catch {
            return judge(ReadAnswer(failure: ItemFailure(.garbled("\(error)"))), facts, request)
        }
    }

    /// Asks a worker. After a crash the photo is tried once more with another worker, at half the size if time or
    /// memory ran out.
    ///
    /// - Parameters:
    ///   - content: what was hashed; a queue needs it.
    ///   - number: the photo's number in the crash journal.
    ///   - attempts: attempts that were charged before.
    ///   - decoded: called when the photo is decoded.
    ///   - charge: records an attempt by number; called before it begins.
    /// - Throws: the error of `charge`.
    func read(
        _ photo: OpenPhoto, _ request: Request, content: OpenPhoto.Content? = nil, number: Int64 = -1,
        attempts: Int = 0, decoded: @escaping @Sendable () -> Void = {},
        charge: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> Reading {
        var job = ReadJob(
            path: photo.path, task: .read(domain: request.domain, pieceSet: request.pieceSet), number: number,
            limits: photoLimits, processorSeconds: processorSeconds)
        var attempts = attempts
        var fault = WorkerFault.died("a crash that also ended the daemon")
        while attempts < Self.mostAttempts {
            do {
                let next = attempts + 1
                var reading = try await backend.read(
                    job, of: PhotoToRead(file: photo, content: content), decoded: decoded
                ) {
                    try await charge(next)
                }
                if job.reduced { reading.answer.models["size"] = "half" }
                return Reading(answer: reading.answer, attempts: next, worker: reading.worker)
            } catch let error as WorkerFault {
                fault = error
                guard error.isCharged else { break }
                attempts += error.attempts
                job.reduced = error.asksForReducedSize
            }
        }
        return Reading(answer: ReadAnswer(failure: ItemFailure(fault)), attempts: attempts, fault: fault)
    }

    /// Draws the outcome over its photo, as a PNG of at most 1,600 pixels per side and a list beside it.
    ///
    /// - Parameter inbox: the watched folder of the photo; nil if a person named it, and it may then be a link.
    /// - Returns: the failure, if the overlay could not be created.
    public func drawOverlay(
        of outcome: Outcome, photo path: FilePathBytes, in inbox: FilePathBytes? = nil, to file: FilePathBytes
    ) async -> ItemFailure? {
        await draw(.draw(outcome.overlay(in: wording), maxSide: 1600), photo: path, in: inbox, to: file)
    }

    /// Copies the upright photo without its metadata, as a JPEG of at most `maxSide` pixels per side.
    ///
    /// - Returns: the failure, if the copy could not be created.
    func drawPicture(
        _ path: FilePathBytes, in inbox: FilePathBytes?, maxSide: Int, to file: FilePathBytes
    ) async -> ItemFailure? {
        await draw(.copy(maxSide: maxSide), photo: path, in: inbox, to: file)
    }

    private func draw(
        _ task: ReadJob.Task, photo path: FilePathBytes, in inbox: FilePathBytes?, to file: FilePathBytes
    ) async -> ItemFailure? {
        do {
            let photo =
                try inbox.map { inbox throws(ItemFailure) in try OpenPhoto.open(path, below: inbox) }
                ?? OpenPhoto.open(path)
            let picture = try UnfinishedFile(for: file)
            let job = ReadJob(path: path, task: task, limits: photoLimits)
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
    func judge(
        _ answer: ReadAnswer, _ facts: PhotoFacts, _ request: Request, unanswered: Set<GTIN> = [],
        parsed: () -> Void = {}
    ) -> Outcome {
        var outcome = interpreter.judge(
            answer, of: facts, as: request.domain, for: request.profiles,
            house: { kitchen.dishes(of: facts.path, content: facts.id) }, parsed: parsed)
        outcome.mark(unanswered: Set(unanswered.map(\.digits)))
        outcome.correct(by: reviews)
        return outcome
    }

    /// Requests the photo's products that no import has, so that the judgement finds them in the cache.
    ///
    /// - Returns: the numbers without an answer.
    func fetchProducts(for answer: ReadAnswer) async -> Set<GTIN> {
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

    /// Applies people's reviews of this content.
    mutating func correct(by reviews: (String) -> [Review]) {
        guard let id else { return }
        let said = reviews(id)
        guard !said.isEmpty else { return }
        apply(said)
    }
}
