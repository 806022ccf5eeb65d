import Allergens
import Catalogue
import Foundation
import Interpretation
import Store
import Core

/// One photo's whole way in the daemon: open → hash → readings (stored, or from a worker) → judgement.
public struct PhotoProcessor: Sendable {
    /// What a person asked for beside the photo.
    public struct Request: Sendable, Hashable {
        /// Nil lets the readings decide.
        public var domain: Outcome.Domain?
        /// The piece set to look for; nil tries those of the models.
        public var pieceSet: String?
        public var profiles: [AllergenProfile]

        public init(domain: Outcome.Domain? = nil, pieceSet: String? = nil, profiles: [AllergenProfile]) {
            self.domain = domain
            self.pieceSet = pieceSet
            self.profiles = profiles
        }

        /// The part of the request that readings depend on, as the store keys them.
        ///
        /// - Parameter readers: what the workers read with: networks that are installed later read again what was read without them.
        func asked(of readers: String) -> String {
            "\(ProgramVersion.current) \(domain?.rawValue ?? "auto") \(pieceSet ?? "-") \(readers)"
        }

        /// The domain that a key of the store names; nil where the readings decided.
        static func domain(asked: String) -> Outcome.Domain? {
            asked.split(separator: " ").dropFirst().first.flatMap { Outcome.Domain(rawValue: String($0)) }
        }
    }

    /// What came of asking the workers.
    struct Reading: Sendable {
        var answer: ReadAnswer
        /// Tries that were charged to the photo, earlier ones included.
        var attempts: Int
        /// Why the last try gave no answer; nil where it did.
        var fault: WorkerFault?
    }

    /// Tries that a photo gets, ends of the daemon itself included.
    static let mostAttempts = 2

    let interpreter: Interpreter
    let workers: WorkerPool
    var photoLimits: ReadJob.Limits?
    let processorSeconds: Int?
    /// Asked for products that no import has; nil asks nobody.
    var remote: RemoteCatalogue?
    /// What people said of a content, in the order they said it.
    public var reviews: @Sendable (String) -> [Review] = { _ in [] }

    public init(
        interpreter: Interpreter, workers: WorkerPool, photoLimits: ReadJob.Limits? = nil, processorSeconds: Int? = nil
    ) {
        self.interpreter = interpreter
        self.workers = workers
        self.photoLimits = photoLimits
        self.processorSeconds = processorSeconds
    }

    /// Judges the photo at `path`; every failure is an outcome.
    ///
    /// - Parameter folder: the folder that a scan found it in, which is not left; nil where a person named it: it may be a
    ///   link then.
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
            return failed(ItemFailure(error, path))
        }
        let facts = PhotoFacts(path: path, id: content.id, bytes: content.bytes)
        do {
            let reading = try await read(photo, request) { _ in }
            // What a worker read must be what was hashed, or the outcome would carry another content's identity.
            guard photo.identity == content.version else { return failed(ItemFailure(.changed, path)) }
            var outcome = judge(reading.answer, facts, request)
            outcome.processing.attempt = max(1, reading.attempts)
            return outcome
        } catch {
            return judge(ReadAnswer(failure: ItemFailure(.garbled("\(error)"))), facts, request)
        }
    }

    /// Asks a worker; one that dies over the photo is replaced, and the photo tried once more: at half its size where time
    /// or memory ran out.
    ///
    /// - Parameters:
    ///   - number: the journal's number of the photo.
    ///   - attempts: tries that were charged before.
    ///   - charge: notes the try of this number; called before each is begun.
    /// - Throws: what `charge` throws.
    func read(
        _ photo: OpenPhoto, _ request: Request, number: Int64 = -1, attempts: Int = 0,
        charge: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> Reading {
        var job = ReadJob(
            path: photo.path, task: .read(domain: request.domain, pieceSet: request.pieceSet), number: number,
            limits: photoLimits, processorSeconds: processorSeconds)
        var attempts = attempts
        var fault = WorkerFault.died("an end that took the daemon with it")
        while attempts < Self.mostAttempts {
            do {
                let next = attempts + 1
                var answer = try await workers.perform(job, files: [photo.descriptor]) { try await charge(next) }
                if job.reduced { answer.models["size"] = "half" }
                return Reading(answer: answer, attempts: next)
            } catch let error as WorkerFault {
                fault = error
                guard error.isCharged else { break }
                attempts += 1
                job.reduced = error.asksForReducedSize
            }
        }
        return Reading(answer: ReadAnswer(failure: ItemFailure(fault)), attempts: attempts, fault: fault)
    }

    /// Draws what `outcome` says over its photo, as a PNG of at most 1,600 pixels.
    ///
    /// - Parameter inbox: the watched folder that holds the photo; nil where a person named it, and it may be a link.
    /// - Returns: the failure, where no overlay could be made.
    public func drawOverlay(
        of outcome: Outcome, photo path: FilePathBytes, in inbox: FilePathBytes? = nil, to file: FilePathBytes
    ) async -> ItemFailure? {
        do {
            let photo =
                try inbox.map { inbox throws(ItemFailure) in try OpenPhoto.open(path, below: inbox) }
                ?? OpenPhoto.open(path)
            let picture = try UnfinishedFile(for: file)
            let job = ReadJob(path: path, task: .draw(marks: outcome.overlayMarks, maxSide: 1600), limits: photoLimits)
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
                stage: .storage, code: .inputOutput, detail: "\(error)", hint: "check the folder and the disk")
        }
    }

    /// Readings → outcome.
    ///
    /// - Parameter unanswered: numbers that a server was to be asked for and did not answer.
    func judge(
        _ answer: ReadAnswer, _ facts: PhotoFacts, _ request: Request, unanswered: Set<GTIN> = []
    ) -> Outcome {
        var outcome = interpreter.judge(answer, of: facts, as: request.domain, for: request.profiles)
        for index in outcome.products?.indices ?? 0..<0 {
            guard let product = outcome.products?[index], product.reason == "notInCatalogue",
                let gtin = GTIN(product.gtin), unanswered.contains(gtin)
            else { continue }
            outcome.products?[index].reason = "remoteUnavailable"
        }
        outcome.correct(by: reviews)
        return outcome
    }

    /// Has products fetched that the photo's codes name and no import has, so that its judgement finds them.
    ///
    /// - Returns: the numbers that nobody answered for.
    func fetchProducts(for answer: ReadAnswer) async -> Set<GTIN> {
        guard let remote else { return [] }
        let numbers = interpreter.productNumbers(in: answer.readings)
        for (index, gtin) in numbers.enumerated() {
            // Who did not answer once is not waited for again: the photo's outcome comes first.
            if await remote.product(gtin).failure != nil {
                return Set(numbers[index...])
            }
        }
        return []
    }
}

extension Outcome {
    /// Applies what people said of this content.
    mutating func correct(by reviews: (String) -> [Review]) {
        guard let id else { return }
        let said = reviews(id)
        guard !said.isEmpty else { return }
        apply(said)
    }
}
