import ArgumentParser
import Boards
import Daemon
import Engine
import Foundation
import Core
import Settings

extension PublishedSchema: ExpressibleByArgument {}

/// `tablesight config`: checks and shows the configuration.
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Checks the configuration, shows each value and its origin, or describes the HTTP API and files.",
        subcommands: [Check.self, Show.self, OpenAPI.self, JSONSchema.self])

    /// `tablesight config check`.
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
            let inbox = settings.list("inboxes").first ?? "inbox"
            let output = settings.text("output") ?? inbox + ".tablesight"
            _ = try engine.people(and: URL(filePath: output + "/tablesight.sqlite")).profiles(
                named: settings.list("profiles"))
            _ = try engine.interpreter()
            _ = try engine.worker()
            for inbox in settings.list("inboxes") where FilePathBytes(inbox)?.resolved == nil {
                throw StartupError(.noInput, "the folder \(inbox) does not exist: create it, or name another")
            }
            try engine.check(try Board.all(in: settings), try Camera.all(in: settings))
            try StandardOutput.write("the configuration is valid\n")
        }
    }

    /// `tablesight config openapi`.
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

    /// `tablesight config schema`.
    struct JSONSchema: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema", abstract: "Prints the JSON Schema of outcomes, frames, game lines or exports.")

        @Argument(help: "One of \(PublishedSchema.allCases.map(\.rawValue).joined(separator: ", ")).")
        var form: PublishedSchema

        func run() throws { try StandardOutput.write(String(decoding: try form.json(), as: UTF8.self)) }
    }

    /// `tablesight config show`.
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
