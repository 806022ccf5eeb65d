import Foundation
import HTTP
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

extension WatchConfiguration {
    /// The API's settings; creates a token if none is set.
    package func api(_ settings: Settings) throws(StartupError) -> APISettings {
        let token = if let set = settings.text("api.token") { set } else { try APIService.token(in: output) }
        return APISettings(
            host: settings.text("api.host") ?? "127.0.0.1", port: settings.integer("api.port"),
            token: token,
            allowedHosts: settings.list("api.allowedHosts"),
            publicAddress: settings.text("api.publicAddress").flatMap(PublicAddress.init))
    }
}
