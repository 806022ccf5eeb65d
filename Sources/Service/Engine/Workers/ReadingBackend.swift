import Core
import ReadJobs

/// A photo to read: the open file, and the content that was hashed.
package struct PhotoToRead: Sendable {
    package var file: OpenPhoto
    /// Nil if the caller does not know it; only workers of this machine can read it then.
    package var content: OpenPhoto.Content?
}

/// Readings of a photo, and who made them.
package struct WorkerReading: Sendable {
    package var answer: ReadAnswer
    /// `local`, or the name of a worker on another machine.
    package var worker: String
    /// The key of its networks and languages; nil if it named none.
    package var readers: String?

    package init(answer: ReadAnswer, worker: String = "local", readers: String? = nil) {
        self.answer = answer
        self.worker = worker
        self.readers = readers
    }
}

/// Who reads photos: worker processes of this machine, or workers behind a queue.
package protocol ReadingBackend: Sendable {
    /// A key of the networks and languages with which photos are read.
    func readers() async -> String

    /// Runs one attempt to read a photo.
    ///
    /// - Parameters:
    ///   - noted: called when the photo is decoded, and with its barcodes before its print is read.
    ///   - beforeDispatch: called before a worker gets the job; if it throws, no worker gets it.
    /// - Throws: ``WorkerFault``, or what `beforeDispatch` throws.
    func read(
        _ job: ReadJob, of photo: PhotoToRead, noted: @escaping @Sendable (ReadAnswer) -> Void,
        beforeDispatch: @escaping @Sendable () async throws -> Void
    ) async throws -> WorkerReading

    /// Ends all work; running and waiting jobs throw ``WorkerFault/stopped``.
    func stop() async
}

extension WorkerPool: ReadingBackend {
    package func read(
        _ job: ReadJob, of photo: PhotoToRead, noted: @escaping @Sendable (ReadAnswer) -> Void,
        beforeDispatch: @escaping @Sendable () async throws -> Void
    ) async throws -> WorkerReading {
        try await reading(job, files: [photo.file.descriptor], noted: noted, beforeDispatch: beforeDispatch)
    }
}
