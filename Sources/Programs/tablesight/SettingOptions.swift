import ArgumentParser
import Configuration

/// Settings that have a flag of their own; every other is set in the file or by the environment.
struct SettingOptions: ParsableArguments {
    @Option(help: "A YAML file with settings.")
    var config: String?

    @Option(help: "Where results go; default: the first folder's name with .tablesight.")
    var output: String?

    @Option(help: "Photos read at the same time; default 2.")
    var workers: Int?

    @Flag(help: "Also draw what was read over each photo.")
    var overlays = false

    @Option(
        help:
            "Whose verdicts: a stored person, or a profile of models/profiles; household: everybody stored. Repeat it.")
    var profile: [String] = []

    @Option(help: "The API's port on the loopback; 0 takes any that is free; default 8765.")
    var port: Int?

    func validate() throws {
        if let workers, workers < 1 { throw ValidationError("--workers takes a number of 1 or more") }
        if let port, !(0...65535).contains(port) { throw ValidationError("--port takes a number from 0 to 65535") }
    }

    /// Those that were given, by the settings' names.
    func flags(inboxes: [String]) -> [String: ConfigContent] {
        var flags: [String: ConfigContent] = [:]
        if !inboxes.isEmpty { flags["inboxes"] = .stringArray(inboxes) }
        flags["output"] = output.map { .string($0) }
        flags["workers.count"] = workers.map { .int($0) }
        if overlays { flags["overlays"] = .bool(true) }
        if !profile.isEmpty { flags["profiles"] = .stringArray(profile) }
        flags["api.port"] = port.map { .int($0) }
        return flags
    }
}
