import Core
import Foundation
import Hashing
import ReadJobs

/// A job of the queue: which photo to read, and how. The bytes travel by another way.
package struct QueueJob: Sendable, Hashable, Codable {
    package struct Limits: Sendable, Hashable, Codable {
        package var wallClockMs: Int
        package var processorSeconds: Int
        package var residentBytes: Int
    }

    package static let schema = "tablesight.queueJob/1"
    /// Longest message that a worker accepts, bytes.
    package static let mostBytes = 64 << 10

    package var schema = QueueJob.schema
    /// Drawn for each publication; results name it.
    package var dispatch: Int64
    /// `sha256:` and the hash of the photo.
    package var content: String
    package var bytes: Int
    package var versions: ReaderVersions
    package var domain: Outcome.Domain?
    package var pieceSet: String?
    /// True for the second attempt after a time or memory limit.
    package var reduced: Bool
    package var photoLimits: ReadJob.Limits?
    package var limits: Limits
    /// Time after which the server delivers the job again, milliseconds.
    package var patienceMs: Int
    /// The photo's path below the shared folder; nil without a shared folder.
    package var shared: FilePathBytes?

    /// The same for every publication of the same work: content, task, limits and versions.
    package var key: String {
        var work = self
        work.dispatch = 0
        work.patienceMs = 0
        work.shared = nil
        let data = (try? JSONCoding.encode(work)) ?? Data(content.utf8)
        return SHA256.hexadecimal(SHA256.digest(of: data))
    }
}

extension QueueJob {
    /// The job of a message; nil if the message is not a job, or its numbers are out of range.
    package init?(message data: Data) {
        guard data.count <= Self.mostBytes, let job = try? JSONCoding.decode(QueueJob.self, from: data),
            job.schema == Self.schema, job.dispatch > 0, job.content.isContentID, (0...(4 << 30)).contains(job.bytes),
            (1...86_400_000).contains(job.limits.wallClockMs), (1...86_400).contains(job.limits.processorSeconds),
            (1...(1 << 46)).contains(job.limits.residentBytes), (1000...86_400_000).contains(job.patienceMs)
        else { return nil }
        self = job
    }
}

extension String {
    /// True for `sha256:` and 64 lower-case hexadecimal digits.
    package var isContentID: Bool {
        hasPrefix("sha256:") && utf8.count == 71
            && utf8.dropFirst(7).allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
