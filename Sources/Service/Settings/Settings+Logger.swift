import Foundation
import Logging
import Core

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
