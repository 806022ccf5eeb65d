import Foundation
import FoundationNetworking
import Glibc
import Store
import TestSupport
import Testing
import Core

/// First steps of a new user; every command is a real process with its own home folder.
@Suite(.serialized) struct NewUserTests {
    private let folder: TemporaryFolder
    private let program = Program("tablesight")
    private let barcodes = Repository.samples.appending(path: "barcodes")

    init() throws { folder = try TemporaryFolder() }

    /// Hides the files of the person who runs the tests.
    private var home: [String: String] {
        ["XDG_DATA_HOME": folder.url.appending(path: "home").path, "HOME": folder.url.path]
    }

    private func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Program.Result {
        try await program.finished(arguments, environment: home.merging(environment) { $1 })
    }

    private func objects(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    private func addAnna() async throws {
        let added = try await run("profile", "add", "anna", "--allergen", "peanuts=severe", "--allergen", "milk=high")
        #expect(added.exitCode == 0, "\(added.errors)")
    }

    @Test func `the barcode of a peanut bar gives CONTAINS for a person with a peanut allergy`() async throws {
        try await addAnna()
        let photo = barcodes.appending(path: "bar-sideways.jpg").path
        let result = try await run("scan", "--as", "barcode", "--profile", "anna", "--format", "json", photo)
        let product = try #require((try objects(result.output).first?["products"] as? [[String: Any]])?.first)
        let verdicts = (product["verdicts"] as? [String: Any])?["anna"] as? [String: [String: Any]]
        #expect(verdicts?["peanuts"]?["verdict"] as? String == "CONTAINS")
        #expect(verdicts?["milk"]?["verdict"] as? String == "CANNOT_TELL", "a crowd-sourced record proves no absence")
        #expect(product["recorded"] as? String == "2024-11-05")
        let text = try await run("scan", "--as", "barcode", "--profile", "anna", photo)
        #expect(text.output.contains("anna") && text.output.contains("peanuts"), "\(text.output)")
        #expect(text.output.contains("crowd-sourced"), "\(text.output)")
        #expect(!text.output.contains("P7"), "no ISO durations: \(text.output)")
    }

    @Test func `a rejected row of a diary file is reported on one line`() async throws {
        let (file, store) = (folder.url.appending(path: "rows.csv"), folder.url.appending(path: "diary.sqlite"))
        try Data("Date,Meal,Calories\r\n2026-09-28,Lunch,820\r\n2026-09-29,Dinner,many\r\n".utf8).write(to: file)
        let result = try await run("diary", "import", file.path, "--person", "anna", "--database", store.path)
        #expect(result.errors == "tablesight: \(file.path), row 3: calories “many” is not a number of 0 or more\n")
    }

    @Test func `a person is found from any folder and as part of the household`() async throws {
        try await addAnna()
        let photo = barcodes.appending(path: "bar-sideways.jpg").path
        for profile in ["anna", "household"] {
            let scanned = try await run("scan", "--as", "barcode", "--profile", profile, photo)
            #expect(scanned.exitCode == 0, "\(scanned.errors)")
        }
        let list = try await run("profile", "list")
        #expect(list.output.contains("anna"), "\(list.errors)")
        try folder.write(Data(), to: "photos/x")
        let check = try await run(
            "config", "check", folder.url.appending(path: "photos").path, "--profile", "household", "--profile", "anna")
        #expect(check.exitCode == 0, "\(check.errors)")
        let unknown = try await run("config", "check", folder.url.appending(path: "photos").path, "--profile", "carl")
        #expect(unknown.exitCode == 78, "\(unknown.errors)")
    }

    @Test func `an unknown language is refused`() async throws {
        let result = try await run("profile", "add", "ben", "--allergen", "milk", "--language", "xx")
        #expect(result.exitCode != 0)
        #expect(result.errors.contains("xx"), "\(result.errors)")
    }

    @Test func `batch does not overwrite rows, a photo, or rows of another person`() async throws {
        try await addAnna()
        let photo = barcodes.appending(path: "drops-ean8.jpg").path
        let rows = folder.url.appending(path: "rows.ndjson").path
        let batch = ["batch", photo, "--as", "barcode", "--out", rows]
        #expect(try await program.finished(batch, environment: home).exitCode == 0)
        let before = try String(contentsOfFile: rows, encoding: .utf8)
        let again = try await program.finished(batch, environment: home)
        #expect(again.exitCode == 64, "\(again.errors)")
        #expect(again.errors.contains("--resume"), "\(again.errors)")
        let other = try await program.finished(batch + ["--resume", "--profile", "everyone"], environment: home)
        #expect(other.exitCode == 64, "\(other.errors)")
        #expect(try String(contentsOfFile: rows, encoding: .utf8) == before)
        #expect(try await program.finished(batch + ["--resume"], environment: home).exitCode == 0)
    }

    @Test func `judge knows the household`() async throws {
        try await addAnna()
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = program.url
        process.arguments = ["judge", "--profile", "household", "--format", "json"]
        process.environment = Program.environment.merging(home) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data("Ingredients: peanuts, salt.".utf8))
        try input.fileHandleForWriting.close()
        let text = await withCheckedContinuation { continuation in
            Thread {
                let data = output.fileHandleForReading.readDataToEndOfFile()
                process.waitUntilExit()
                continuation.resume(returning: String(decoding: data, as: UTF8.self))
            }.start()
        }
        #expect(process.terminationStatus == 0)
        #expect(text.contains("CONTAINS"), "\(text)")
    }

    @Test func `a review of an unknown photo, item or allergen is refused`() async throws {
        let inbox = folder.url.appending(path: "inbox")
        try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: barcodes.appending(path: "bar-sideways.jpg"), to: inbox.appending(path: "bar.jpg"))
        #expect(try await run("watch", inbox.path, "--once").exitCode == 0)
        let database = folder.url.appending(path: "inbox.tablesight/tablesight.sqlite").path
        let sidecar = folder.url.appending(path: "inbox.tablesight/outcomes/inbox/bar.jpg.json")
        let outcome = try JSONCoding.decode(Outcome.self, from: Data(contentsOf: sidecar))
        let id = try #require(outcome.id)
        func review(_ content: String, _ item: String, _ allergen: String) async throws -> Program.Result {
            try await run(
                "review", "add", content, "--item", item, "--allergen", allergen, "--action", "edit", "--value",
                "CONTAINS", "--by", "anna", "--database", database)
        }
        #expect(try await review("sha256:00", "09520100001086", "milk").exitCode == 66)
        let item = try await review(id, "Tagessuppe", "milk")
        #expect(item.exitCode == 66)
        #expect(item.errors.contains("09520100001086"), "names the valid items: \(item.errors)")
        #expect(try await review(id, "09520100001086", "yam").exitCode == 66)
        let right = try await review(id, "09520100001086", "celery")
        #expect(right.exitCode == 0, "\(right.errors)")
        let text = String(decoding: try Data(contentsOf: sidecar), as: UTF8.self)
        #expect(text.contains("\"by\":\"anna\""), "the sidecar has the review: \(text.prefix(600))")
        // A copy of the photo and `rejudge` keep the review.
        try FileManager.default.copyItem(
            at: barcodes.appending(path: "bar-sideways.jpg"), to: inbox.appending(path: "copy.jpg"))
        #expect(try await run("watch", inbox.path, "--once").exitCode == 0)
        let copy = folder.url.appending(path: "inbox.tablesight/outcomes/inbox/copy.jpg.json")
        #expect(String(decoding: try Data(contentsOf: copy), as: UTF8.self).contains("\"by\":\"anna\""))
        #expect(try await run("rejudge", "--database", database).exitCode == 0)
        #expect(String(decoding: try Data(contentsOf: sidecar), as: UTF8.self).contains("\"by\":\"anna\""))
    }

    @Test func `a copy of a photo and rejudge keep the kind that a person named`() async throws {
        let inbox = folder.url.appending(path: "inbox")
        try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: true)
        let sample = Repository.samples.appending(path: "documents/tag-oats.jpg")
        try FileManager.default.copyItem(at: sample, to: inbox.appending(path: "tag.jpg"))
        #expect(try await run("watch", inbox.path, "--once").exitCode == 0)
        let database = folder.url.appending(path: "inbox.tablesight/tablesight.sqlite").path
        func outcome(_ name: String) throws -> Outcome {
            let sidecar = folder.url.appending(path: "inbox.tablesight/outcomes/inbox/\(name).json")
            return try JSONCoding.decode(Outcome.self, from: Data(contentsOf: sidecar))
        }
        let before = try outcome("tag.jpg")
        #expect(before.domains == [.priceTag])
        let id = try #require(before.id)
        func say(_ value: String, item: String = "*") async throws -> Program.Result {
            try await run(
                "review", "add", id, "--action", "readAs", "--value", value, "--item", item, "--by", "anna",
                "--database", database)
        }
        #expect(try await say("poem").exitCode == 64)
        #expect(try await say("menu", item: "label").exitCode == 64)
        let said = try await say("receipt")
        #expect(said.exitCode == 0, "\(said.errors)")
        #expect(try outcome("tag.jpg").domains == [.receipt])
        #expect(try outcome("tag.jpg").pageKind?.by == "anna")
        try FileManager.default.copyItem(at: sample, to: inbox.appending(path: "copy.jpg"))
        #expect(try await run("watch", inbox.path, "--once").exitCode == 0)
        #expect(try outcome("copy.jpg").domains == [.receipt])
        #expect(try await run("rejudge", "--database", database).exitCode == 0)
        #expect(try outcome("tag.jpg").domains == [.receipt])
    }

    @Test func `files with health data are readable by their owner only`() async throws {
        let inbox = folder.url.appending(path: "inbox")
        try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: barcodes.appending(path: "drops-ean8.jpg"), to: inbox.appending(path: "a.jpg"))
        #expect(try await run("watch", inbox.path, "--once").exitCode == 0)
        try await addAnna()
        for place in ["inbox.tablesight", "home"] {
            let root = folder.url.appending(path: place)
            let below = FileManager.default.enumerator(atPath: root.path)?.allObjects as? [String] ?? []
            #expect(!below.isEmpty)
            for name in below + ["."] {
                var status = stat()
                #expect(stat(root.appending(path: name).path, &status) == 0)
                #expect(status.st_mode & 0o077 == 0, "\(place)/\(name) has \(String(status.st_mode & 0o777, radix: 8))")
            }
        }
    }

    @Test func `a file name cannot inject lines into the log or the terminal`() async throws {
        let name = "inbox/a\n2026-11-22 error forged\u{1B}[2J.png"
        try folder.write(Data("no photo".utf8), to: name)
        let inbox = folder.url.appending(path: "inbox").path
        for arguments in [["watch", inbox, "--once"], ["scan", folder.url.appending(path: name).path]] {
            let result = try await program.finished(
                arguments, environment: home.merging(["TABLESIGHT_LOG_LEVEL": "debug"]) { $1 })
            let text = result.output + result.errors
            #expect(text.contains("forged"))
            #expect(!text.contains("\u{1B}"))
            #expect(!text.split(separator: "\n").contains { $0.hasPrefix("2026-11-22 error") })
        }
    }

    /// An outcome without the fields that differ between runs.
    private func core(_ json: Data) throws -> Data {
        var outcome = try JSONCoding.decode(Outcome.self, from: json)
        outcome.processing = .init()
        return try JSONCoding.encode(outcome)
    }

    @Test func `one photo has the same outcome through every interface`() async throws {
        try await addAnna()
        let record =
            #"{"code":"3017620422003","product_name":"Spread","allergens_tags":["en:milk"],"last_modified_t":1700000000}"#
        let records = try folder.write(Data((record + "\n").utf8), to: "records.jsonl")
        let catalogue = ["TABLESIGHT_CATALOGUE": folder.url.appending(path: "catalogue").path]
        let imported = try await run(
            "catalogue", "import", records.path, "--format", "off-jsonl", environment: catalogue)
        #expect(imported.exitCode == 0, "\(imported.errors)")

        let inbox = folder.url.resolvingSymlinksInPath().appending(path: "inbox")
        try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: true)
        let photo = inbox.appending(path: "two.jpg")
        try FileManager.default.copyItem(at: barcodes.appending(path: "two-codes.jpg"), to: photo)
        let scan = try await run("scan", "--profile", "anna", "--format", "json", photo.path, environment: catalogue)
        let batch = try await run("batch", "--profile", "anna", photo.path, environment: catalogue)
        #expect(try await run("watch", inbox.path, "--once", "--profile", "anna", environment: catalogue).exitCode == 0)
        let sidecar = folder.url.appending(path: "inbox.tablesight/outcomes/inbox/two.jpg.json")
        let watched = try Data(contentsOf: sidecar)
        let database = folder.url.appending(path: "inbox.tablesight/tablesight.sqlite").path
        let expected = try core(Data(scan.output.utf8))
        let again = try await run("rejudge", "--database", database, environment: catalogue)
        #expect(again.exitCode == 0, "\(again.errors)")
        #expect(again.output.isEmpty, "nothing changed: \(again.output)")

        // An outcome of another version with other verdicts is judged again.
        try makeOlder(database)
        let rejudged = try await run("rejudge", "--database", database, environment: catalogue)
        #expect(rejudged.output.contains("\"before\":\"CANNOT_TELL\""), "the change is reported: \(rejudged.errors)")
        #expect(try core(Data(contentsOf: sidecar)) == expected, "rejudge")
        #expect(try core(await fetched(from: inbox, expected, catalogue)) == expected, "API")

        #expect(String(decoding: expected, as: UTF8.self).contains("\"anna\""))
        #expect(try core(Data(batch.output.utf8)) == expected)
        #expect(try core(watched) == expected)
    }

    /// Replaces the stored outcomes by those of a version without findings.
    private func makeOlder(_ database: String) throws {
        let store = try OutcomeStore(at: URL(filePath: database))
        let (rows, _) = try store.storedRows(after: 0, limit: 10)
        try store.replace(
            rows.map { row in
                var outcome = try JSONCoding.decode(Outcome.self, from: row.outcome)
                outcome.versions.tablesight = "0.0"
                outcome.products = outcome.products?.map { product in
                    var product = product
                    product.verdicts = product.verdicts?.mapValues { verdicts in
                        verdicts.mapValues { _ in
                            AllergenVerdict(verdict: .cannotTell, risk: .unknown, probability: 0.5)
                        }
                    }
                    return product
                }
                return NewOutcome(photo: row.photo, json: try JSONCoding.encode(outcome))
            })
    }

    /// The outcome of this content from the API of a daemon.
    private func fetched(from inbox: URL, _ outcome: Data, _ environment: [String: String]) async throws -> Data {
        let id = try #require(try JSONCoding.decode(Outcome.self, from: outcome).id)
        let output = inbox.deletingLastPathComponent().appending(path: "inbox.tablesight")
        let daemon = try program.start(
            ["watch", inbox.path, "--profile", "anna", "--port", "0"], environment: home.merging(environment) { $1 })
        defer { daemon.terminate() }
        let place = output.appending(path: "api-address")
        #expect(try await eventually { FileManager.default.fileExists(atPath: place.path) })
        let address = try String(contentsOf: place, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        let token = try String(contentsOf: output.appending(path: "api-token"), encoding: .utf8)
        var request = URLRequest(url: try #require(URL(string: "\(address)/v1/outcomes/\(id)")))
        request.setValue(
            "Bearer " + token.trimmingCharacters(in: .whitespacesAndNewlines), forHTTPHeaderField: "Authorization")
        return try await URLSession(configuration: .patient).data(for: request).0
    }

    @Test func `two photos with the same name have two overlays`() async throws {
        let photos = try ["a", "b"].map { name in
            let place = folder.url.appending(path: "\(name)/code.jpg")
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: barcodes.appending(path: "drops-ean8.jpg"), to: place)
            return place.path
        }
        let seen = folder.url.appending(path: "seen")
        let result = try await program.finished(
            ["scan", "--as", "barcode", "--overlay", seen.path] + photos, environment: home)
        #expect(result.exitCode == 0, "\(result.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: seen.path).sorted()
        #expect(names == ["code.jpg.2.png", "code.jpg.png"])
    }

    @Test func `a mistyped command, allergen or language gets a suggestion`() async throws {
        let typed: [([String], String)] = [
            (["scna", "x.jpg"], "scan"), (["profile", "lst"], "list"),
            (["profile", "add", "ben", "--allergen", "penuts"], "peanuts"),
            (["profile", "add", "ben", "--allergen", "milk=sevre"], "severe"),
        ]
        for (arguments, meant) in typed {
            let result = try await program.finished(arguments, environment: home)
            #expect(result.exitCode == 64, "\(arguments)")
            #expect(result.errors.contains("did you mean \(meant)?"), "\(result.errors)")
        }
        #expect(try await run("scan", "--help").exitCode == 0)
    }

    @Test func `Ctrl-C during a batch names --resume and leaves complete rows`() async throws {
        // One photo is read, and the worker of the other one never answers.
        for words in ["read", "hang"] {
            try folder.write(Data("tablesight-test: \(words) it".utf8), to: "two/\(words).jpg")
        }
        let rows = folder.url.appending(path: "rows.ndjson")
        let errors = folder.url.appending(path: "errors")
        try Data().write(to: errors)
        let process = Process()
        process.executableURL = program.url
        process.arguments = ["batch", folder.url.appending(path: "two").path, "--jobs", "2", "--out", rows.path]
        let worker = ["TABLESIGHT_WORKER": Program("tablesight-test-worker").url.path]
        process.environment = Program.environment.merging(home.merging(worker) { $1 }) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        defer { process.terminate() }
        #expect(try await eventually { (try? Data(contentsOf: rows))?.contains(0x0A) == true })
        process.interrupt()
        #expect(try await eventually { !process.isRunning })
        #expect(process.terminationStatus == 130)
        #expect(try String(contentsOf: errors, encoding: .utf8).contains("--resume"))
        let kept = try Data(contentsOf: rows)
        #expect(kept.last == 0x0A, "no incomplete row")
        #expect(try objects(String(decoding: kept, as: UTF8.self)).count == 1)
    }

    @Test func `a person added while the daemon runs is judged from the next photo on`() async throws {
        try await addAnna()
        let inbox = folder.url.appending(path: "inbox")
        try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: true)
        let out = folder.url.appending(path: "out.ndjson")
        let daemon = try program.start(
            ["watch", inbox.path, "--profile", "household", "--format", "json", "--port", "0"], output: out,
            environment: home)
        defer { daemon.terminate() }
        func drop(_ name: String) throws {
            try FileManager.default.copyItem(
                at: barcodes.appending(path: "bar-sideways.jpg"), to: inbox.appending(path: name))
        }
        func rows() throws -> [String] {
            try String(contentsOf: out, encoding: .utf8).split(separator: "\n").map(String.init)
        }
        try drop("1.jpg")
        #expect(try await eventually { try rows().count == 1 })
        #expect(try await run("profile", "add", "ben", "--allergen", "milk").exitCode == 0)
        var count = 1
        // The daemon checks for changed people once a second.
        let isJudged = try await eventually {
            count += 1
            try drop("\(count).jpg")
            #expect(try await eventually { try rows().count == count })
            return try rows().last?.contains("\"ben\"") == true
        }
        #expect(isJudged)
        daemon.interrupt()
        #expect(try await eventually { !daemon.isRunning })
        #expect(daemon.terminationStatus == 0)
    }
}
