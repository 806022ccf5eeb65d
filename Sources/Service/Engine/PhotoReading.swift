import Core
import Foundation
import Kinds
import ReadJobs

/// Reads photos: open → hash → readings from a worker. Needs no interpreter, so a photo is read while that is loaded.
package struct PhotoReading: Sendable {
    /// The result of asking the workers.
    package struct Reading: Sendable {
        package var answer: ReadAnswer
        /// Attempts charged to the photo, including earlier runs.
        package var attempts: Int
        /// Why the last attempt gave no answer; nil if it did.
        package var fault: WorkerFault?
        /// Who made the answer.
        package var worker = "local"
        /// The key of its networks and languages; nil if it named none.
        package var readers: String?
    }

    /// A photo with its readings, or with the failure that left it without any.
    package struct ReadPhoto: Sendable {
        let facts: PhotoFacts
        let answer: ReadAnswer
        /// Nil if no worker was asked.
        let read: Reading?

        /// The pieces on it; nil if it was not read. They need no judgement.
        package var pieces: PieceFrame? { readings.pieces }
        package var readings: Readings { answer.readings }
        /// Why it was not read as a whole.
        package var failure: ItemFailure? { answer.failure }

        init(_ facts: PhotoFacts, _ read: Reading) {
            self.facts = facts
            self.read = read
            answer = read.answer
        }

        init(_ facts: PhotoFacts, failure: ItemFailure) {
            self.facts = facts
            answer = ReadAnswer(failure: failure)
            read = nil
        }
    }

    /// Attempts per photo, including those that crashed the daemon.
    package static let mostAttempts = 2

    let workers: WorkerPool
    package var backend: any ReadingBackend
    package var photoLimits: ReadJob.Limits?
    let processorSeconds: Int?

    package init(workers: WorkerPool, photoLimits: ReadJob.Limits? = nil, processorSeconds: Int? = nil) {
        self.workers = workers
        backend = workers
        self.photoLimits = photoLimits
        self.processorSeconds = processorSeconds
    }

    /// Reads the photo at `path`; every failure is an answer.
    ///
    /// - Parameter folder: the scanned folder, which is never left; nil if a person named the path, which may then be a
    ///   link.
    package func readings(
        of path: FilePathBytes, in folder: FilePathBytes? = nil, _ request: PhotoProcessor.Request
    ) async -> ReadPhoto {
        let photo: OpenPhoto
        let content: OpenPhoto.Content
        func failed(_ failure: ItemFailure) -> ReadPhoto {
            ReadPhoto(PhotoFacts(path: path, id: nil, bytes: 0), failure: failure)
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
            return ReadPhoto(facts, reading)
        } catch {
            return ReadPhoto(facts, failure: ItemFailure(.garbled("\(error)")))
        }
    }

    /// Asks a worker. After a crash the photo is tried once more with another worker, at half the size if time or
    /// memory ran out.
    ///
    /// - Parameters:
    ///   - content: what was hashed; a queue needs it.
    ///   - number: the photo's number in the crash journal.
    ///   - attempts: attempts that were charged before.
    ///   - noted: called when the photo is decoded, and with its barcodes before its print is read.
    ///   - charge: records an attempt by number; called before it begins.
    /// - Throws: the error of `charge`.
    package func read(
        _ photo: OpenPhoto, _ request: PhotoProcessor.Request, content: OpenPhoto.Content? = nil, number: Int64 = -1,
        attempts: Int = 0, noted: @escaping @Sendable (ReadAnswer) -> Void = { _ in },
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
                    job, of: PhotoToRead(file: photo, content: content), noted: noted
                ) {
                    try await charge(next)
                }
                if job.reduced { reading.answer.models["size"] = "half" }
                return Reading(answer: reading.answer, attempts: next, worker: reading.worker, readers: reading.readers)
            } catch let error as WorkerFault {
                fault = error
                guard error.isCharged else { break }
                attempts += error.attempts
                job.reduced = error.asksForReducedSize
            }
        }
        return Reading(answer: ReadAnswer(failure: ItemFailure(fault)), attempts: attempts, fault: fault)
    }
}
