import Foundation
import TestSupport
import Testing
import Core

/// The commands as a user runs them.
@Suite struct CommandTests {
    private let program = Program("tablesight")

    private func rows(_ text: String) throws -> [Outcome] {
        try text.split(separator: "\n").map { try JSONCoding.decode(Outcome.self, from: Data($0.utf8)) }
    }

    @Test func `each bad photo gets a reason, the others are read, and the exit code is 1`() throws {
        let folder = try TemporaryFolder()
        let good = try #require(try Sample.all(in: "barcodes").first).photo
        let bytes = try Data(contentsOf: good)
        let text = try folder.write(Data("hello".utf8), to: "text.png")
        let empty = try folder.write(Data(), to: "empty.jpg")
        let cut = try folder.write(bytes.prefix(bytes.count / 2), to: "cut.jpg")
        let directory = folder.url.appending(path: "x.jpg")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let gone = folder.url.appending(path: "gone.jpg")
        let files = [text, empty, cut, directory, gone, good]

        let result = try program.run(["scan", "--as", "barcode", "--format", "json"] + files.map(\.path))
        #expect(result.exitCode == 1)
        let outcomes = try rows(result.output)
        #expect(outcomes.map(\.source.path) == files.map(\.path))
        #expect(
            outcomes.prefix(5).map { $0.reason?.code } == [
                "notAnImage", "emptyFile", "truncated", "notAFile", "fileVanished",
            ])
        #expect(outcomes.prefix(5).allSatisfy { $0.status == .failed || $0.status == .partial })
        #expect(outcomes.last?.status == .completed)
        #expect(result.errors.split(separator: "\n").count == 5, "each failure is reported: \(result.errors)")
        #expect(FileManager.default.fileExists(atPath: empty.path), "the file is not deleted")
    }

    @Test func `files that do not exist have their own exit code, and a dash is standard input`() throws {
        let folder = try TemporaryFolder()
        let gone = folder.url.appending(path: "gone.jpg").path
        let photo = try #require(try Sample.all(in: "barcodes").first).photo.path
        #expect(try program.run(["scan", "--as", "barcode", gone]).exitCode == 66)
        #expect(try program.run(["scan", "--as", "barcode", gone, photo]).exitCode == 1, "one of two")
        #expect(try program.run(["judge", gone]).exitCode == 66)
        let text = try folder.write(Data("Ingredients: butter.".utf8), to: "text.txt").path
        #expect(try program.run(["judge", "--language", "en", text]).output.lowercased().contains("milk"))
        for (command, file) in [("judge --language en -", text), ("scan --as barcode --format json -", photo)] {
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", "\"$0\" \(command) < \"$1\"", program.url.path, file]
            process.environment = Program.environment
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let data = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "\(command)")
            let shown = String(decoding: data, as: UTF8.self)
            #expect(shown.contains(command.hasPrefix("judge") ? "ilk" : #""path":"-""#), "\(shown)")
        }
    }

    @Test(arguments: ["text", "json"])
    func `the photo of standard input is called by its dash, not by a temporary file`(format: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "echo 'a letter' | \"$0\" scan --format \(format) - 2>&1", program.url.path]
        process.environment = Program.environment
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let shown = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 1)
        #expect(shown.contains("tablesight: -: failed"), "\(shown)")
        #expect(!shown.contains("standard-input"), "\(shown)")
    }

    @Test func `stored people are judged by name and as a household, with personal words`() throws {
        let folder = try TemporaryFolder()
        let database = folder.url.appending(path: "people.sqlite").path
        let photo = try #require(try Sample.all(in: "labels").first).photo.path
        for person in [
            ["anna", "--allergen", "milk=severe", "--word", "salt"], ["ben", "--regime", "us9", "--allergen", "wheat"],
        ] { #expect(try program.run(["profile", "add"] + person + ["--database", database]).exitCode == 0) }
        func verdicts(_ profile: String) throws -> Verdicts {
            let result = try program.run([
                "scan", "--as", "label", "--format", "json", "--database", database, "--profile", profile, photo,
            ])
            return try #require(try rows(result.output).first?.label).verdicts
        }
        #expect(try verdicts("anna").keys.sorted() == ["anna"])
        let household = try verdicts("household")
        #expect(household.keys.sorted() == ["anna", "ben"])
        #expect(household["anna"].map { Set($0.keys) } == [.milk, .personal])
        #expect(household["ben"].map { Set($0.keys) } == [.wheat])
        let unnamed = try program.run(["scan", "--as", "label", "--format", "json", "--database", database, photo])
        #expect(try rows(unnamed.output).first?.label?.verdicts.keys.sorted() == ["anna", "ben"], "as watch does")
        let unknown = try program.run(["scan", "--database", database, "--profile", "carl", photo])
        #expect(unknown.exitCode != 0 && unknown.errors.contains("anna, ben"), "\(unknown.errors)")
    }

    @Test func `the same photo gives the same object except processing`() throws {
        let photo = try #require(try Sample.all(in: "barcodes").first).photo.path
        let result = try program.run(["scan", "--as", "barcode", "--format", "json", photo, photo])
        var outcomes = try rows(result.output)
        for index in outcomes.indices { outcomes[index].processing = .init() }
        #expect(outcomes.count == 2)
        #expect(outcomes.first == outcomes.last)
    }

    @Test func `batch names a folder that it cannot list, and exits with 1`() throws {
        let folder = try TemporaryFolder()
        let deep = "photos/" + String(repeating: "d/", count: 66)
        try folder.write(Data("hello".utf8), to: deep + "a.jpg")
        let result = try program.run(["batch", folder.url.appending(path: "photos").path, "--as", "barcode"])
        #expect(result.exitCode == 1 && result.errors.contains("photos of it are missing"), "\(result.errors)")
    }

    /// Settings with which the daemon does not start.
    private static let refused: [[String: String]] = [
        ["MQTT_URL": "http://host"], ["MQTT_URL": "mqtt://a:b@host"],
        ["MQTT_URL": "mqtt://host", "MQTT_PREFIX": "a/#"],
        ["MQTT_URL": "mqtt://host", "MQTT_CA": "/no/file"],
        ["MQTT_URL": "mqtt://host", "MQTT_CREDENTIALS": "/no/file"],
        ["MQTT_URL": "mqtt://host", "MQTT_DISCOVERY_PREFIX": "+"], ["WEBHOOKS_URLS": "ftp://host"],
        ["WEBHOOKS_SECRET": "short"], ["REMOTE_ENABLED": "true"], ["REMOTE_ENABLED": "true", "REMOTE_ADDRESS": "x"],
        ["QUEUE_ADDRESS": "http://host"], ["QUEUE_ADDRESS": "nats://localhost", "QUEUE_PREFIX": "a b"],
        ["QUEUE_ADDRESS": "nats://localhost", "QUEUE_CREDENTIALS": "/no/file"],
        ["QUEUE_ADDRESS": "nats://localhost", "QUEUE_WORKER_TOKEN": "short"],
        ["QUEUE_ADDRESS": "nats://localhost", "QUEUE_CERTIFICATE": "/no/file"],
        ["QUEUE_ADDRESS": "nats://localhost", "QUEUE_SHARE": "/no/folder"], ["WORKERS_COUNT": "0"],
    ]

    @Test(arguments: refused) func `config check refuses what watch refuses`(settings: [String: String]) throws {
        let folder = try TemporaryFolder()
        let inbox = folder.url.appending(path: "in")
        try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: true)
        var environment: [String: String] = [:]
        for (key, value) in settings { environment["TABLESIGHT_\(key)"] = value }
        let check = try program.run(["config", "check", inbox.path], environment: environment)
        #expect(!FileManager.default.fileExists(atPath: inbox.path + ".tablesight"), "a check leaves nothing")
        let watch = try program.run(["watch", inbox.path, "--once"], environment: environment)
        #expect(
            [66, 78].contains(check.exitCode) && check.exitCode == watch.exitCode, "\(check.exitCode) \(watch.exitCode)"
        )
        #expect(check.errors == watch.errors)
    }

    @Test func `batch continues an interrupted run and removes an incomplete row`() throws {
        let folder = try TemporaryFolder()
        let photos = try Sample.all(in: "barcodes").map(\.photo)
        let set = folder.url.appending(path: "set/deeper")
        try FileManager.default.createDirectory(at: set, withIntermediateDirectories: true)
        for photo in photos {
            try FileManager.default.copyItem(at: photo, to: set.appending(path: photo.lastPathComponent))
        }
        try folder.write(Data("half".utf8), to: "set/download.jpg.part")
        let out = folder.url.appending(path: "rows.ndjson")
        let arguments = ["batch", folder.url.path + "/set", "--out", out.path, "--as", "barcode"]

        #expect(try program.run(arguments).exitCode == 0)
        let whole = try String(contentsOf: out, encoding: .utf8)
        #expect(try rows(whole).count == photos.count)

        let kept = whole.split(separator: "\n").prefix(2).joined(separator: "\n") + "\n"
        try Data((kept + #"{"schema":"tables"#).utf8).write(to: out)
        #expect(try program.run(arguments + ["--resume"]).exitCode == 0)
        let resumed = try rows(try String(contentsOf: out, encoding: .utf8))
        #expect(resumed.count == photos.count)
        #expect(Set(resumed.map(\.source.path)).count == photos.count)
        #expect(try String(contentsOf: out, encoding: .utf8).hasPrefix(kept))
    }

    @Test func `pieces prints one frame of the stream`() throws {
        let board = try #require(try Sample.all(in: "boards").first { $0.expected.set == "tangram" })
        let result = try program.run(["pieces", board.photo.path, "--set", "tangram"])
        #expect(result.exitCode == 0, "\(result.errors)")
        let frame = try JSONCoding.decode(PieceFrame.self, from: Data(result.output.utf8))
        #expect(frame.set == "tangram@1")
        #expect(frame.pieces.count == board.expected.pieces?.count)
        #expect(frame.pieces.allSatisfy { $0.polygonPX.count == ($0.type.contains("riangle") ? 3 : 4) })
    }

    @Test(
        arguments: [
            (["scan"], Int32(64)), (["nonsense"], 64), (["batch", "/no/such/folder"], 66),
            (["watch", "/no/such/folder"], 66),
            (["pieces", "x.jpg", "--set", "nobody"], 66), (["--help"], 0), (["--version"], 0), (["doctor"], 0),
        ] as [([String], Int32)])
    func `exit codes are as documented`(arguments: [String], code: Int32) throws {
        let result = try program.run(arguments)
        #expect(result.exitCode == code, "\(result.errors)")
        if code != 0 { #expect(!result.errors.isEmpty) }
    }

    @Test func `--version and doctor name the weights of the text networks`() throws {
        let weights = "\(NetworkWeights(models: ModelFolder(Repository.models)))"
        #expect(try program.run(["--version"]).output == "\(ProgramVersion.current) (text networks: \(weights))\n")
        if weights != "\(NetworkWeights.none)" { #expect(try program.run(["doctor"]).output.contains(weights)) }
    }

    @Test func `--version of a package names its commit`() throws {
        let models = try TemporaryFolder()
        let files = FileManager.default
        for name in try files.contentsOfDirectory(atPath: Repository.models.path) {
            try files.createSymbolicLink(
                at: models.url.appending(path: name), withDestinationURL: Repository.models.appending(path: name))
        }
        let commit = String(repeating: "0a1b2c3d", count: 5)
        try "\(commit)\n".write(to: models.url.appending(path: "commit"), atomically: false, encoding: .utf8)
        let result = try program.run(["--version"], environment: ["TABLESIGHT_MODELS": models.url.path])
        #expect(result.output.hasPrefix("\(ProgramVersion.current) (commit \(commit), text networks: "))
    }

    @Test func `watch takes a board from the command line`() throws {
        let folder = try TemporaryFolder()
        let table = folder.url.appending(path: "inbox/table")
        try FileManager.default.createDirectory(at: table, withIntermediateDirectories: true)
        let board = try #require(try Sample.all(in: "boards").first { $0.expected.set == "tangram" })
        try FileManager.default.copyItem(at: board.photo, to: table.appending(path: board.photo.lastPathComponent))
        let inbox = folder.url.appending(path: "inbox").path
        func watch(_ board: String) throws -> Program.Result {
            try program.run(["watch", inbox, "--once", "--format", "json", "--board", board])
        }
        let played = try watch("\(table.path)=tangram:tangram")
        #expect(played.exitCode == 0, "\(played.errors)")
        let outcome = try JSONCoding.decode(Outcome.self, from: Data(played.output.utf8))
        #expect(outcome.domains == [.board])
        #expect(outcome.readings.pieces?.set == "tangram@1")
        let unknown = try watch("\(table.path)=tangram:nonsense")
        #expect(unknown.exitCode == 78)
        #expect(unknown.errors.contains("boards: ") && unknown.errors.contains("nonsense"), "\(unknown.errors)")
        #expect(unknown.errors.contains("tangram"), "the games to choose from")
        #expect(try watch("/=tangram").errors.contains("is not watched"))
    }

    @Test func `a missing part is exit code 69`() throws {
        let result = try program.run(["scan", "x.jpg"], environment: ["TABLESIGHT_MODELS": "/nowhere"])
        #expect(result.exitCode == 69)
        #expect(result.errors.contains("TABLESIGHT_MODELS"))
    }

    @Test(arguments: [
        ("TABLESIGHT_WORKERS_CUONT", "TABLESIGHT_WORKERS_COUNT"), ("TABLESIGHT_MODLES", "TABLESIGHT_MODELS"),
        ("TABLESIGHT_SOMETHING_OF_NEXT_YEAR", nil),
    ])
    func `an unknown variable is ignored with a warning, once and with a suggestion`(
        name: String, meant: String?
    ) async throws {
        let folder = try TemporaryFolder()
        for command in [["config", "show"], ["catalogue", "stats"], ["evidence", "check"]] {
            let result = try await program.finished(
                command, environment: [name: "3", "HOME": folder.url.path, "XDG_DATA_HOME": folder.url.path])
            #expect(result.exitCode == 0, "\(command): \(result.errors)")
            let warnings = result.errors.split(separator: "\n").filter { $0.contains(name) }
            #expect(warnings.count == 1, "\(command): \(result.errors)")
            #expect(meant.map { warnings.first?.hasSuffix("did you mean \($0)?") == true } ?? true, "\(warnings)")
        }
    }

    @Test func `a known variable with a wrong value ends with exit code 78`() async throws {
        let result = try await program.finished(
            ["config", "show"], environment: ["TABLESIGHT_WORKERS_COUNT": "many"])
        #expect(result.exitCode == 78)
        #expect(result.errors.contains("workers.count"), "\(result.errors)")
    }
}
