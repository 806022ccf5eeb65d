import Foundation
import Glibc
import Logging
import Core

/// Writes one JSON object per line to standard error: `time`, `level`, `message`, and metadata such as `job`.
struct JSONLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.notice

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var fields = metadata.merging(event.metadata ?? [:]) { $1 }.mapValues { "\($0)" }
        fields["time"] = Date().formatted(.iso8601.time(includingFractionalSeconds: true))
        fields["level"] = event.level.rawValue
        fields["message"] = "\(event.message)"
        guard let line = try? JSONCoding.encode(fields) + [0x0A] else { return }
        // One call, so that lines of two threads are not mixed. Output that cannot be written is dropped.
        _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
