import Core
import Foundation
import TestSupport

/// A folder with an empty home, in which the commands of one page run.
struct FreshInstall {
    /// What the pages' commands need; `world.json`.
    struct World: Decodable {
        /// Files that are copied where a page names them or their folder: name → path below samples/.
        var samples: [String: String]
        /// Files with this text: name → content.
        var texts: [String: String]
        /// Commands that make what a page expects, such as photos that were read, run first: page → commands.
        var before: [String: [String]]
        /// Placeholders of the pages: text → what the shell gets.
        var placeholders: [String: String]
        /// Commands that name these devices are not run.
        var devices: [String]

        static func load() throws -> World {
            let file = Repository.root.appending(path: "Tests/Programs/DocumentationTests/world.json")
            return try JSONDecoder().decode(World.self, from: Data(contentsOf: file))
        }

        func isSkipped(_ command: String) -> Bool { devices.contains(where: command.contains) }
    }

    private let folder: TemporaryFolder
    private let world: World
    /// Stands for Open Food Facts.
    private let server: StubServer
    private let queue: QueueServer
    private let background = Background()

    init(for page: CommandPage, _ world: World) throws {
        folder = try TemporaryFolder()
        self.world = world
        let record = #"{"code":"3017620422003","status":1,"product":{"code":"3017620422003","product_name":"Spread"}}"#
        server = try StubServer(.says(StubServer.answer("200 OK", record)))
        let text = (page.commands + (world.before[page.name] ?? [])).joined(separator: "\n")
        queue = try QueueServer(isNeeded: text.contains("--queue"), in: folder.url)
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: folder.url.appending(path: "samples"), withDestinationURL: Repository.samples)
        func isNamed(_ file: String) -> Bool { !page.isTutorial && text.contains(file.prefix { $0 != "/" }) }
        for (name, sample) in world.samples where isNamed(name) {
            try folder.write(try Data(contentsOf: Repository.samples.appending(path: sample)), to: name)
        }
        for (name, content) in world.texts where isNamed(name) { try folder.write(Data(content.utf8), to: name) }
    }

    /// False for a command that would wait for a queue for ever. A tutorial about a queue shows nothing without one.
    func hasQueue(for command: String, of page: CommandPage? = nil) -> Bool {
        let isTutorial = page?.isTutorial ?? false
        let isAboutQueue = isTutorial && page?.commands.contains { $0.contains("--queue") } ?? false
        return queue.isRunning
            || !isAboutQueue && !(command.contains("tablesight batch") && command.contains("--queue"))
    }

    /// False where Tesseract reads alone: it reads some samples differently.
    var hasNetworks: Bool {
        "\(NetworkWeights(models: ModelFolder(Repository.models)))" != "\(NetworkWeights.none)"
    }

    /// Ends the programs that a page left running.
    func end() { background.end() }

    private var home: URL { folder.url.appending(path: "home") }

    /// The environment of the tests without what a person has set for Tablesight.
    private var environment: [String: String] {
        var environment = Program.environment.filter {
            !$0.key.hasPrefix("TABLESIGHT_") || $0.key.hasPrefix("TABLESIGHT_WORKER")
        }
        let programs = Program("tablesight").url.deletingLastPathComponent().path
        environment["PATH"] = programs + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
        environment["HOME"] = home.path
        environment["XDG_DATA_HOME"] = home.appending(path: ".local/share").path
        environment["PROGRAMS"] = programs
        environment["MODELS"] = Repository.models.path
        // Pages that write models have their own copy.
        let own = folder.url.appending(path: "models").path
        if FileManager.default.fileExists(atPath: own) { environment["TABLESIGHT_MODELS"] = own }
        environment["TABLESIGHT_API_PORT"] = "0"
        environment["TABLESIGHT_REMOTE_ADDRESS"] = "http://127.0.0.1:\(server.port)"
        return environment
    }

    /// Runs one line by the shell. A daemon or worker is interrupted as soon as it is ready, or at the end of the page if
    /// its line ends with `&`.
    func run(_ command: String) throws -> (code: Int32, output: String, errors: String) {
        let isBackground = command.hasSuffix(" &")
        var line = isBackground ? String(command.dropLast(2)) : command
        for (text, value) in world.placeholders { line = line.replacing(text, with: value) }
        for address in ["nats://localhost", "tls://queue.example"] {
            line = line.replacing(address, with: queue.address)
        }
        if let address = apiAddress { line = line.replacing("http://localhost:8765", with: address) }
        // Photos are served at a port of this page, below those that connections get by themselves.
        let place = "127.0.0.1:\(Int.random(in: 20_000..<32_000))"
        line = line.replacing("--worker-token token", with: "--worker-token token --serve \(place)")
        let isDaemon = line.contains("tablesight watch") && !line.contains("--once")
        let isWorker = line.contains("tablesight work ") && !line.contains("--new-key")
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        if isDaemon || isWorker { line = line.replacing("tablesight w", with: "exec tablesight w", maxReplacements: 1) }
        process.arguments = ["-o", "pipefail", "-c", line]
        process.currentDirectoryURL = folder.url
        process.environment = environment
        let output = folder.url.appending(path: ".output")
        let errors = folder.url.appending(path: ".errors")
        for file in [output, errors] { try Data().write(to: file) }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        func said(_ file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }
        try process.run()
        if isBackground {
            background.add(process)
            // A worker says nothing in a file of its own before it has a photo.
            while process.isRunning, isDaemon, apiAddress == nil { usleep(50_000) }
            return (process.isRunning ? 0 : process.terminationStatus, try said(output), try said(errors))
        }
        if isDaemon || isWorker {
            func isReady() throws -> Bool { isDaemon ? apiAddress != nil : try said(errors).contains("queue") }
            while process.isRunning, try !isReady() { usleep(50_000) }
            process.interrupt()
        }
        // A command may wait for a program in the background, which has ended if it failed.
        while process.isRunning, !background.hasEnded { usleep(50_000) }
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
        return (process.terminationStatus, try said(output), try said(errors))
    }

    /// The address of a daemon below the folder: the file goes with the daemon.
    private var apiAddress: String? {
        let files = FileManager.default.enumerator(atPath: folder.url.path)?.compactMap { $0 as? String } ?? []
        return files.first { $0.hasSuffix("/api-address") }.flatMap {
            try? String(contentsOf: folder.url.appending(path: $0), encoding: .utf8).trimmingCharacters(in: .newlines)
        }
    }
}

/// Programs that run until the end of a page; the newest ends first.
private final class Background {
    private var processes: [Process] = []

    func add(_ process: Process) { processes.append(process) }

    /// True if one of them ended by itself.
    var hasEnded: Bool { processes.contains { !$0.isRunning } }

    func end() {
        for process in processes.reversed() where process.isRunning {
            process.interrupt()
            process.waitUntilExit()
        }
    }
}

/// A NATS server of its own for pages that use a queue, where `nats-server` is installed.
private final class QueueServer {
    /// Nobody listens there if no server runs.
    private(set) var address: String
    private let nobody: ClosedPort
    private var process: Process?

    var isRunning: Bool { process != nil }

    init(isNeeded: Bool, in folder: URL) throws {
        nobody = try ClosedPort()
        address = "nats://127.0.0.1:\(nobody.number)"
        let programs = ["/usr/sbin", "/usr/bin", "/usr/local/bin"].map { URL(filePath: "\($0)/nats-server") }
        guard isNeeded, let program = programs.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) })
        else { return }
        let ports = folder.appending(path: "nats")
        try FileManager.default.createDirectory(at: ports, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = program
        // The server chooses a port and writes it to a file.
        process.arguments = [
            "--jetstream", "--addr", "127.0.0.1", "--port", "-1", "--ports_file_dir", ports.path, "--store_dir",
            ports.appending(path: "store").path,
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process
        struct Ports: Decodable {
            var nats: [String]
        }
        while process.isRunning {
            let files = try FileManager.default.contentsOfDirectory(at: ports, includingPropertiesForKeys: nil)
            if let file = files.first(where: { $0.pathExtension == "ports" }),
                let found = try? JSONDecoder().decode(Ports.self, from: Data(contentsOf: file)).nats.first
            {
                address = found
                return
            }
            usleep(50_000)
        }
    }

    deinit {
        process?.terminate()
        process?.waitUntilExit()
    }
}
