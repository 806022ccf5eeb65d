import Foundation
import TestSupport
import Testing

/// Commands that delete what cannot come back ask first: in a script, `--yes` is the answer.
@Suite struct DeletionCommandTests {
    private let program = Program("tablesight")

    /// A command of the program, as `--experimental-dump-help` describes it.
    private struct Described: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable { var name: String }
            var names: [Name]?
        }
        struct Dump: Decodable { var command: Described }
        var commandName: String
        var subcommands: [Described]?
        var arguments: [Argument]?

        /// This command and those below, by their words.
        func all(below path: [String] = []) -> [(words: [String], isAsking: Bool)] {
            let isAsking = (arguments ?? []).contains { ($0.names ?? []).contains { $0.name == "yes" } }
            return [(path, isAsking)]
                + (subcommands ?? []).flatMap { $0.all(below: path + [$0.commandName]) }
        }
    }

    private func commands() throws -> [(words: [String], isAsking: Bool)] {
        let dump = try program.run(["--experimental-dump-help"]).output
        return try JSONDecoder().decode(Described.Dump.self, from: Data(dump.utf8)).command.all()
    }

    @Test func `each command that deletes asks, but where the deletion can be undone`() throws {
        // `list remove` has `list undo`; content that leaves the quarantine keeps its outcome.
        let undone = [["list", "remove"], ["quarantine", "delete"]]
        let words: Set = ["remove", "erase", "delete", "forget", "clear", "reset"]
        let deleting = try commands().filter { words.contains($0.words.last ?? "") }
        #expect(deleting.count >= 7, "\(deleting)")
        for command in deleting where !undone.contains(command.words) {
            #expect(command.isAsking, "\(command.words) deletes without asking")
        }
    }

    @Test func `without a terminal and --yes nothing is deleted, and the exit code is 64`() throws {
        let folder = try TemporaryFolder()
        let inbox = folder.url.appending(path: "in")
        let output = folder.url.appending(path: "in.tablesight").path
        let database = ["--database", output + "/tablesight.sqlite"]
        try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: true)
        let photo = inbox.appending(path: "a.jpg")
        try FileManager.default.copyItem(at: try #require(try Sample.all(in: "barcodes").first).photo, to: photo)
        #expect(try program.run(["watch", inbox.path, "--once", "--port", "0"]).exitCode == 0)
        for name in ["Ada", "Ben", "Cleo"] {
            #expect(try program.run(["household", "add", name, "--output", output]).exitCode == 0)
            let meal = ["diary", "add", "--quick", "450", "--name", "Lunch", "--person", name]
            #expect(try program.run(meal + database).exitCode == 0)
        }
        let day = try program.run(["diary", "day", "--json", "--person", "Ada"] + database).output
        let entry = try #require(day.firstMatch(of: /"id":"([0-9a-f-]{36})"/)).1

        let asking: [([String], [String])] = [
            (["diary", "remove"], [String(entry), "--person", "Ada"] + database),
            (["diary", "remove"], ["--all", "--person", "Ada"] + database),
            (["list", "erase"], ["--person", "Ada"] + database),
            (["profile", "remove"], ["Ben"] + database),
            (["household", "remove"], ["Cleo", "--output", output]),
            (["erase"], [photo.path, "--photos", "--output", output]),
        ]
        let known = try commands().filter(\.isAsking).map(\.words)
        #expect(Set(known) == Set(asking.map(\.0)), "a command that asks is not tried here")
        for (command, arguments) in asking {
            let refused = try program.run(command + arguments)
            #expect(refused.exitCode == 64 && refused.errors.contains("--yes"), "\(command): \(refused.errors)")
        }
        #expect(FileManager.default.fileExists(atPath: photo.path))
        // Each finds all that it deletes, so nothing is gone before.
        for (command, arguments) in asking {
            let done = try program.run(command + arguments + ["--yes"])
            #expect(done.exitCode == 0, "\(command): \(done.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: photo.path))
    }
}
