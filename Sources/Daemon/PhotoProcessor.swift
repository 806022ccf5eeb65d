import Foundation
import Pipeline
import Store
import Vocabulary

/// One photo's whole way in the daemon: hash → readings (stored, or from a worker) → judgement.
public struct PhotoProcessor: Sendable {
    /// What a person asked for beside the photo.
    public struct Request: Sendable, Hashable {
        /// Nil lets the readings decide.
        public var domain: Outcome.Domain?
        /// The piece set to look for; nil tries those of the models.
        public var pieceSet: String?
        public var profiles: [AllergenProfile]
        /// A path that a person typed may be a link; one that a scan found may not.
        public var followLinks: Bool

        public init(
            domain: Outcome.Domain? = nil, pieceSet: String? = nil, profiles: [AllergenProfile],
            followLinks: Bool = false
        ) {
            self.domain = domain
            self.pieceSet = pieceSet
            self.profiles = profiles
            self.followLinks = followLinks
        }

        /// The part of the request that readings depend on, as the store keys them.
        var asked: String { "\(ProgramVersion.current) \(domain?.rawValue ?? "auto") \(pieceSet ?? "-")" }
    }

    /// A judged photo, with what is worth storing of it.
    struct Result: Sendable {
        var outcome: Outcome
        /// Nil where the readings came from the store, or there are none worth keeping.
        var freshAnswer: ReadAnswer?
    }

    let interpreter: Interpreter
    let workers: WorkerPool

    public init(interpreter: Interpreter, workers: WorkerPool) {
        self.interpreter = interpreter
        self.workers = workers
    }

    /// Judges the photo at `path`; every failure is an outcome.
    public func outcome(for path: FilePathBytes, _ request: Request) async -> Outcome {
        await process(path, request, stored: { _ in nil }).outcome
    }

    /// - Parameter stored: readings of this content, asked the same way before.
    func process(
        _ path: FilePathBytes, _ request: Request, stored: (String) -> ReadAnswer?
    ) async -> Result {
        let content: ContentHash.Content
        do { content = try await ContentHash.of(path, followLinks: request.followLinks) } catch {
            return Result(
                outcome: judge(ReadAnswer(failure: error), PhotoFacts(path: path, id: nil, bytes: 0), request))
        }
        let facts = PhotoFacts(path: path, id: content.id, bytes: content.bytes)
        if let answer = stored(content.id) { return Result(outcome: judge(answer, facts, request)) }

        let job = ReadJob(
            path: path, task: .read(domain: request.domain, pieceSet: request.pieceSet),
            followLinks: request.followLinks)
        let (answer, attempts) = await workers.perform(job)
        var outcome = judge(answer, facts, request)
        outcome.processing.attempt = max(1, attempts)
        return Result(outcome: outcome, freshAnswer: answer.failure?.isTransient == true ? nil : answer)
    }

    /// Draws what `outcome` says over its photo, as a PNG of at most 1,600 pixels.
    ///
    /// - Returns: the failure, where no overlay could be made.
    public func drawOverlay(
        of outcome: Outcome, photo: FilePathBytes, to file: FilePathBytes, followLinks: Bool = false
    ) async -> ItemFailure? {
        let job = ReadJob(
            path: photo, task: .draw(marks: outcome.overlayMarks, to: file, maxSide: 1600), followLinks: followLinks)
        return await workers.perform(job).answer.failure
    }

    private func judge(_ answer: ReadAnswer, _ facts: PhotoFacts, _ request: Request) -> Outcome {
        interpreter.judge(answer, of: facts, as: request.domain, for: request.profiles, asOf: Date())
    }
}
