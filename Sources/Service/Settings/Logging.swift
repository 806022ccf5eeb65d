import Core
import Foundation
import Glibc
import Logging

extension Settings {
    /// The daemon's log on standard error.
    package var logger: Logger {
        let isJSON = text("log.format") == "json"
        var logger = Logger(label: "tablesight") { label -> any LogHandler in
            if isJSON { JSONLogHandler() } else { TextLogHandler(label: label) }
        }
        logger.logLevel = text("log.level").flatMap { Logger.Level(rawValue: $0) } ?? .notice
        return logger
    }
}

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

/// Writes one line of text to standard error: time, level, label, metadata, message. Control characters in file names
/// are replaced, so that an entry is always one line.
struct TextLogHandler: LogHandler {
    let label: String
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.notice

    init(label: String) { self.label = label }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let line = Self.line(
            event.level, "\(event.message)", metadata.merging(event.metadata ?? [:]) { $1 }, label: label, at: Date())
        // One call, so that lines of two threads are not mixed. Output that cannot be written is dropped.
        _ = Array(line.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    static func line(
        _ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata, label: String, at date: Date
    ) -> String {
        let facts = metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        return "\(date.formatted(.iso8601)) \(level.rawValue) \(label):\(facts) \(message)".printable + "\n"
    }
}
