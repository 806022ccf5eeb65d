import ArgumentParser
import Daemon
import Engine
import Foundation
import Glibc
import Core
import Settings

extension PublishedSchema: ExpressibleByArgument {}

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Checks the configuration, shows each value and its origin, or describes the HTTP API and files.",
        subcommands: [Check.self, Show.self, OpenAPI.self, JSONSchema.self])

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Checks the configuration; exit code 78 if the daemon would not start with it.")

        @Argument(help: "Folders to watch.")
        var inboxes: [String] = []

        @OptionGroup var options: SettingOptions

        func run() async throws {
            let settings = try await Settings(flags: options.flags(inboxes: inboxes), file: options.config)
            let engine = try TablesightEngine()
            let output = try? WatchConfiguration.outputPath(settings)
            let isThere = output?.resolved != nil
            // The check makes the folders that the daemon makes; empty ones are removed again.
            let made = try OutputFolder.makeInboxes(settings.list("inboxes"))
            defer {
                for folder in made + (isThere ? [] : [output].compactMap(\.self)) {
                    folder.withCString { _ = rmdir($0) }
                }
            }
            _ = try engine.watchConfiguration(settings)
            _ = try engine.interpreter()
            _ = try engine.worker()
            try StandardOutput.write("the configuration is valid\n")
        }
    }

    struct OpenAPI: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "openapi",
            abstract:
                "Prints the description of the HTTP API, OpenAPI 3.1, which the daemon serves as /v1/openapi.json.")

        func run() throws {
            try StandardOutput.write(
                String(decoding: try WatchDaemon.apiDescription(TablesightEngine()), as: UTF8.self))
        }
    }

    struct JSONSchema: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema", abstract: "Prints the JSON Schema of outcomes, frames, game lines or exports.")

        @Argument(help: "One of \(PublishedSchema.allCases.map(\.rawValue).joined(separator: ", ")).")
        var form: PublishedSchema

        func run() throws { try StandardOutput.write(String(decoding: try form.json(), as: UTF8.self)) }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Prints every setting with its value and origin.")

        @OptionGroup var options: SettingOptions

        func run() async throws {
            let settings = try await Settings(flags: options.flags(inboxes: []), file: options.config)
            try StandardOutput.write(settings.lines.joined(separator: "\n") + "\n")
        }
    }
}

extension TablesightEngine {
    /// The configuration of the daemon with these settings, as `watch` runs it and `config check` checks it.
    ///
    /// - Throws: ``StartupError`` with which the daemon would not start.
    func watchConfiguration(_ settings: Settings, once: Bool = false) throws -> WatchConfiguration {
        let configuration = try WatchConfiguration(settings, once: once) { names, database in
            try watched(names, isChosen: settings.origin(of: "profiles") != "built in", database)
        }
        try check(configuration.boards, configuration.cameras, configuration.gameCatalogue(models))
        return configuration
    }
}
