import Foundation
import TestSupport
import Testing

/// Runs every `tablesight` command of the documentation in a folder that has the files that the page names.
@Suite(.serialized) struct DocumentedCommandTests {
    /// What the pages' commands need; `world.json`.
    private struct World: Decodable {
        /// Files that are copied where a page names them: name → path below samples/.
        var samples: [String: String]
        /// Files with this text: name → content.
        var texts: [String: String]
        /// Commands that make what a page expects, run first: page → commands.
        var before: [String: [String]]
        /// Placeholders of the pages: text → what the shell gets.
        var placeholders: [String: String]
        /// Commands that are not run, by a part of their text → reason.
        var notRun: [String: String]

        static func load() throws -> World {
            let file = Repository.root.appending(path: "Tests/Programs/DocumentationTests/world.json")
            return try JSONDecoder().decode(World.self, from: Data(contentsOf: file))
        }
    }

    private static let pages = (try? DocumentedPage.all().filter { !$0.commands.isEmpty }) ?? []

    /// A folder for one page.
    private struct Place {
        let folder: TemporaryFolder
        let world: World

        init(_ page: DocumentedPage, _ world: World) throws {
            folder = try TemporaryFolder()
            self.world = world
            let text = (page.commands + (world.before[page.name] ?? [])).joined(separator: "\n")
            try FileManager.default.createDirectory(
                at: folder.url.appending(path: "home/Photos/inbox"), withIntermediateDirectories: true)
            for (name, sample) in world.samples where text.contains(name) {
                try folder.write(try Data(contentsOf: Repository.samples.appending(path: sample)), to: name)
            }
            for (name, content) in world.texts where text.contains(name) {
                try folder.write(Data(content.utf8), to: name)
            }
        }

        /// Runs one line by the shell. A daemon that watches is interrupted as soon as its API answers.
        func run(_ command: String) throws -> (code: Int32, errors: String) {
            var line = command
            for (text, value) in world.placeholders { line = line.replacing(text, with: value) }
            let isDaemon = line.hasPrefix("tablesight watch") && !line.contains("--once")
            let process = Process()
            process.executableURL = URL(filePath: "/bin/bash")
            process.arguments = ["-o", "pipefail", "-c", isDaemon ? "exec \(line)" : line]
            process.currentDirectoryURL = folder.url
            var environment = ProcessInfo.processInfo.environment
            let programs = Program("tablesight").url.deletingLastPathComponent().path
            environment["PATH"] = programs + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
            environment["HOME"] = folder.url.appending(path: "home").path
            // Nothing of the person who runs the tests is read or changed.
            environment["TABLESIGHT_PEOPLE"] = folder.url.appending(path: "home/people.sqlite").path
            environment["TABLESIGHT_CATALOGUE"] = folder.url.appending(path: "home/catalogue").path
            environment["SAMPLES"] = Repository.samples.path
            environment["MODELS"] = Repository.models.path
            let own = folder.url.appending(path: "models").path
            if FileManager.default.fileExists(atPath: own) { environment["TABLESIGHT_MODELS"] = own }
            environment["TABLESIGHT_API_PORT"] = "0"
            process.environment = environment
            let errors = folder.url.appending(path: ".errors")
            try Data().write(to: errors)
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = try FileHandle(forWritingTo: errors)
            try process.run()
            if isDaemon {
                while process.isRunning, !hasAddress { usleep(50_000) }
                process.interrupt()
            }
            process.waitUntilExit()
            return (process.terminationStatus, try String(contentsOf: errors, encoding: .utf8))
        }

        /// True while a daemon below the folder has an address: the file goes with the daemon.
        private var hasAddress: Bool {
            let files = FileManager.default.enumerator(atPath: folder.url.path)?.compactMap { $0 as? String } ?? []
            return files.contains { $0.hasSuffix("/api-address") }
        }
    }

    @Test(.timeLimit(.minutes(20)), arguments: pages)
    func `every command of a page runs`(page: DocumentedPage) async throws {
        let world = try World.load()
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            // A thread of its own: the few threads that all tests share stay free for them.
            Thread { done.resume(with: Result { try Self.run(page, world) }) }.start()
        }
    }

    private static func run(_ page: DocumentedPage, _ world: World) throws {
        let place = try Place(page, world)
        for command in world.before[page.name] ?? [] {
            let result = try place.run(command)
            #expect(result.code == 0, "\(page.name) needs: \(command)\n\(result.errors)")
        }
        for command in page.commands where !world.notRun.keys.contains(where: command.contains) {
            let result = try place.run(command)
            #expect(result.code == 0, "\(page.name): \(command)\n\(result.errors)")
        }
    }

    @Test func `the pages hold at least 70 commands, and all but a few with a reason are run`() throws {
        let world = try World.load()
        let commands = Self.pages.flatMap(\.commands)
        let left = commands.filter { command in world.notRun.keys.contains(where: command.contains) }
        #expect(commands.count >= 70, "\(commands.count) commands")
        #expect(left.count <= 10, "\(left)")
        for part in world.notRun.keys {
            #expect(commands.contains { $0.contains(part) }, "world.json excuses \(part), which no page has")
        }
    }
}
