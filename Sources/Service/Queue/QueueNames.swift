import Core
import Foundation
import Hashing

/// The versions that decide what a worker reads in a photo: of the program, and of its networks, languages and tables.
package struct ReaderVersions: Sendable, Hashable, Codable {
    package var program = ProgramVersion.current
    package var readers: String

    /// A word of a subject.
    package var key: String {
        String(SHA256.hexadecimal(SHA256.digest(of: "\(program) \(readers)".utf8)).prefix(16))
    }
}

/// Names of one installation's streams and subjects. Each daemon needs a prefix of its own on a server.
package struct QueueNames: Sendable, Hashable {
    package let prefix: String

    /// - Throws: ``StartupError`` (78) if the prefix cannot be part of a name.
    package init(prefix: String) throws(StartupError) {
        let allowed = prefix.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
        guard allowed, (1...32).contains(prefix.utf8.count) else {
            throw StartupError(
                .configuration,
                "queue.prefix is \(prefix), but must have 1 to 32 letters, digits, hyphens and underscores")
        }
        self.prefix = prefix
    }

    var jobs: String { "\(prefix)_jobs" }
    var jobSubjects: String { "\(prefix).jobs.>" }
    func jobSubject(_ versions: ReaderVersions) -> String { "\(prefix).jobs.\(versions.key)" }
    /// Workers of other versions bind to other consumers, so they never receive the job.
    func consumer(_ versions: ReaderVersions) -> String { "v-\(versions.key)" }
    var results: String { "\(prefix)_results" }
    var resultSubject: String { "\(prefix).results" }
    var resultConsumer: String { "daemon" }
    var daemonInbox: String { "\(prefix).inbox.daemon" }
    var workerInbox: String { "\(prefix).inbox.worker" }
    /// Whoever publishes jobs answers here.
    var owner: String { "\(prefix).owner" }
}

/// What the publisher of jobs says of itself.
package struct QueueOwner: Sendable, Hashable, Codable {
    /// Drawn at each start.
    package var id: String
    package var versions: ReaderVersions
}
