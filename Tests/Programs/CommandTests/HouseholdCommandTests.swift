import Core
import Foundation
import Household
import Store
import TestSupport
import Testing

/// `tablesight household`, and the commands that it replaces.
@Suite struct HouseholdCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var output: URL { folder.url.appending(path: "inbox.tablesight") }
    private var database: URL { output.appending(path: "tablesight.sqlite") }

    /// Runs a command in the folder, with an empty home.
    private func run(
        _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> Program.Result {
        let home = folder.url.appending(path: "home").path
        let own = ["HOME": home, "XDG_DATA_HOME": home + "/.local/share"]
        return try await Program("tablesight").finished(arguments, environment: own.merging(environment) { $1 })
    }

    private func household(_ arguments: String...) async throws -> Program.Result {
        try await run(["household"] + arguments + ["--output", output.path])
    }

    private func records() throws -> Household { Household(try OutcomeStore(at: database, checkpoints: false)) }

    private func lines(_ result: Program.Result) -> [String] { result.output.split(separator: "\n").map(String.init) }

    // MARK: People

    @Test func `people are added, listed, changed and renamed`() async throws {
        for person in [
            ["Anna", "--allergen", "milk=severe", "--word", "kiwi"], ["Leo", "--role", "child"],
            ["Emil", "--role", "guest"],
        ] {
            let added = try await run(["household", "add"] + person + ["--output", output.path])
            #expect(added.exitCode == 0 && added.output.isEmpty && added.errors.isEmpty, "\(added.errors)")
        }
        let table = lines(try await household("list"))
        #expect(table.count == 4 && table[0].hasPrefix("NAME  ROLE"))
        #expect(table[1].hasPrefix("Anna  adult") && table[1].hasSuffix("milk (severe), “kiwi”"), "\(table)")
        #expect(table[2].contains("child") && table[3].contains("guest until "))
        let json = lines(try await household("list", "--json"))
        #expect(json.count == 3 && json[0].contains(#""name":"Anna""#) && json[0].contains(#""lock":"none""#))
        #expect(json[1].contains(#""role":"child""#) && !json[1].contains("ends"))

        let twice = try await household("add", "ANNA")
        #expect(twice.exitCode == 64 && twice.errors.contains("household edit Anna"), "\(twice.errors)")
        #expect(try await household("edit", "anna", "--without", "kiwi", "--colour", "3").exitCode == 0)
        #expect(try await household("edit", "Anna", "--colour", "9").exitCode == 64)
        #expect(try await household("rename", "Anna", "Anna Huber").exitCode == 0)
        #expect(try await household("rename", "Leo", "anna huber").exitCode == 64)
        let anna = try #require(try records().member(named: "Anna Huber"))
        #expect(anna.colour == 3 && anna.profile.words == nil && anna.profile.allergens == [.milk: .severe])
        let unknown = try await household("edit", "Carl")
        #expect(unknown.exitCode == 66 && unknown.errors.contains("Anna Huber, Leo"), "\(unknown.errors)")
    }

    @Test func `the household has a name`() async throws {
        #expect(try await household("add", "Anna").exitCode == 0)
        #expect(try await household("name").exitCode == 66)
        #expect(try await household("name", "Huber family").exitCode == 0)
        #expect(try await household("name").output == "Huber family\n")
    }

    @Test func `a removal says what the person had`() async throws {
        #expect(try await household("add", "Anna").exitCode == 0)
        for _ in 0..<2 {
            let entry = try await run([
                "diary", "add", "--quick", "450", "--name", "Lunch", "--person", "Anna", "--database", database.path,
            ])
            #expect(entry.exitCode == 0, "\(entry.errors)")
        }
        let removed = try await household("remove", "Anna", "--yes")
        #expect(removed.exitCode == 0, "\(removed.errors)")
        #expect(removed.output == "2  entries of the diary\nAnna is removed\n")
        #expect(try await household("remove", "Anna", "--yes").exitCode == 66)
        #expect(try records().members().isEmpty)
    }

    @Test func `who is removed from the user's people may stay with a daemon, and the answer says what to do`()
        async throws
    {
        #expect(try await run(["household", "add", "Anna"]).exitCode == 0)
        let removed = try await run(["household", "remove", "Anna", "--yes"])
        #expect(removed.exitCode == 0 && removed.output == "Anna is removed\n")
        #expect(removed.errors.contains("household remove NAME --output FOLDER"), "\(removed.errors)")
        #expect(try await household("add", "Anna").exitCode == 0)
        let own = try await household("remove", "Anna", "--yes")
        #expect(own.exitCode == 0 && own.errors.isEmpty, "a daemon sees the change itself: \(own.errors)")
    }

    @Test func `a forgotten PIN is removed at once`() async throws {
        #expect(try await household("add", "Anna").exitCode == 0)
        #expect(try await household("pin", "Anna").output == "Anna has no PIN\n")
        let anna = try #require(try records().member(named: "Anna"))
        try records().setPIN("4711", of: anna.id)
        try records().askRemoval(of: anna.id, by: "Ben")
        let state = try await household("pin", "Anna")
        #expect(state.output.hasPrefix("Anna has a PIN; Ben asked for its removal"), "\(state.output)")
        #expect(try await household("list").output.contains("pin"))
        #expect(try await household("pin", "Anna", "--remove").output == "the PIN of Anna is removed\n")
        #expect(try records().member(named: "Anna")?.lock == Member.Lock.none)
    }

    @Test func `people are in the database of the daemon if there is one, else in the user's`() async throws {
        // The folder of the tests has no ./inbox.tablesight.
        #expect(try await run(["household", "add", "Anna"]).exitCode == 0)
        #expect(lines(try await run(["household", "list"])).last?.hasPrefix("Anna") == true)
        #expect(!FileManager.default.fileExists(atPath: database.path))
        let other = folder.url.appending(path: "other.sqlite").path
        let named = try await run(["household", "add", "Ben"], environment: ["TABLESIGHT_PEOPLE": other])
        #expect(named.exitCode == 0 && FileManager.default.fileExists(atPath: other))
        let settings = try folder.write(Data("output: \(output.path)\n".utf8), to: "tablesight.yaml").path
        #expect(try await run(["household", "add", "Cleo", "--config", settings]).exitCode == 0)
        #expect(try records().members().map(\.name) == ["Cleo"])
    }

    // MARK: Devices

    @Test(arguments: [("192.168.1.20", "0.0.0.0"), ("no", "127.0.0.1")])
    func `a daemon that was allowed phones listens for them at later starts`(
        _ answer: String, _ host: String
    ) async throws {
        let inbox = folder.url.appending(path: "inbox")
        for place in [inbox, output] {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        }
        try Data("\(answer)\n".utf8).write(to: output.appending(path: "phones"))
        let daemon = try Program("tablesight").start(
            ["watch", inbox.path, "--output", output.path, "--port", "0"], output: folder.url.appending(path: "log"),
            environment: ["TABLESIGHT_PEOPLE": folder.url.appending(path: "people.sqlite").path])
        defer {
            daemon.interrupt()
            daemon.waitUntilExit()
        }
        func address() -> String? { try? String(contentsOf: output.appending(path: "api-address"), encoding: .utf8) }
        #expect(try await eventually { address()?.hasPrefix("http://\(host):") == true }, "\(address() ?? "none")")
    }

    @Test func `a phone is paired by the public address, listed and revoked`() async throws {
        #expect(try await household("pair").exitCode == 66)
        #expect(try await household("add", "Anna").exitCode == 0)
        let loopback = try await household("pair")
        #expect(loopback.exitCode == 0 && loopback.output.contains("\nhttp://localhost:8765/p/"), "\(loopback.errors)")
        #expect(loopback.errors.contains("on this machine") && loopback.errors.contains("watch --host"))
        let everywhere = try await run(
            ["household", "pair", "--output", output.path], environment: ["TABLESIGHT_API_HOST": "0.0.0.0"])
        #expect(everywhere.exitCode == 78 && everywhere.errors.contains("--address"), "\(everywhere.errors)")
        let pair = try await run(
            ["household", "pair", "--output", output.path],
            environment: ["TABLESIGHT_API_PUBLIC_ADDRESS": "https://kitchen.local"])
        #expect(pair.exitCode == 0 && pair.output.contains("\nhttps://kitchen.local/"), "\(pair.errors)")
        let dead = try await household("pair", "--address", "192.168.1.20")
        #expect(dead.exitCode == 78 && dead.output.isEmpty, "\(dead.output)")
        #expect(dead.errors.contains("tablesight watch --host 192.168.1.20"), "\(dead.errors)")
        #expect(try await household("pair", "--address", "http://192.168.1.20").exitCode == 0, "something forwards it")
        // What the running daemon listens on counts.
        try Data("http://0.0.0.0:8765\n".utf8).write(to: output.appending(path: "api-address"))
        let address = try await household("pair", "--address", "192.168.1.20")
        #expect(address.output.contains("\nhttp://192.168.1.20:8765/"))
        try Data("192.168.1.21\n".utf8).write(to: output.appending(path: "phones"))
        #expect(try await household("pair").output.contains("\nhttp://192.168.1.21:8765/"), "as answered before")
        try Data("no\n".utf8).write(to: output.appending(path: "phones"))
        #expect(try await household("pair").exitCode == 78)
        let code = try #require(address.output.firstMatch(of: /code ([0-9A-Z]{4}-[0-9A-Z]{4}),/)).output.1
        #expect(try records().pair(String(code), name: "Leo's phone") != nil)
        let device = try #require(try records().devices().first)
        let list = lines(try await household("devices"))
        #expect(list.count == 2 && list[1].hasPrefix("\(device.id)") && list[1].contains("Leo's phone"))
        #expect(try await household("devices", "--json").output.contains(#""name":"Leo's phone""#))
        #expect(try await household("revoke", "\(device.id)").output == "device \(device.id) is revoked\n")
        #expect(try await household("revoke", "\(device.id)").exitCode == 66)
    }

    // MARK: HTTPS

    @Test func `a certificate comes with the steps that are left`() async throws {
        let refused = try await household("certificate", "https://kitchen.local")
        #expect(refused.exitCode == 64 && refused.errors.contains("without https://"), "\(refused.errors)")
        let missing = try await run(
            ["household", "certificate", "kitchen.local", "--output", output.path], environment: ["PATH": ""])
        let made = try await household("certificate", "kitchen.local", "192.168.1.20", "KITCHEN.local")
        guard made.exitCode != 69 else {
            #expect(missing.errors.contains("sudo apt-get install openssl"))
            return print("not run without openssl")
        }
        #expect(made.exitCode == 0, "\(made.errors)")
        for part in [
            "kitchen.local, 192.168.1.20, until", "nginx-light", "api.publicAddress to https://kitchen.local",
            "api.allowedHosts: 192.168.1.20.",
            "http://kitchen.local/trust", "tablesight household pair",
        ] { #expect(made.output.contains(part), "\(part): \(made.output)") }
        let site = try String(contentsOf: output.appending(path: "https/nginx.conf"), encoding: .utf8)
        #expect(site.contains("server_name kitchen.local 192.168.1.20;") && site.contains("server 127.0.0.1:8765;"))
        let again = try await household("certificate")
        #expect(again.output.hasSuffix("Next:\n1. sudo systemctl reload nginx\n"), "\(again.output)")
        let elsewhere = try await household("certificate", "a.lan", "--folder", folder.url.appending(path: "own").path)
        #expect(elsewhere.exitCode == 0 && elsewhere.errors.contains("the app offers"), "\(elsewhere.errors)")
    }

    // MARK: Earlier names

    @Test func `earlier names work as before, and say what they are called now`() async throws {
        let place = ["--database", database.path]
        func run(_ arguments: [String], is new: String) async throws -> Program.Result {
            let result = try await self.run(arguments)
            let note = "is now `tablesight household \(new)`"
            #expect(result.errors.split(separator: "\n").first?.hasSuffix(note) == true, "\(result.errors)")
            return result
        }
        let added = try await run(["profile", "add", "anna", "--allergen", "milk=severe"] + place, is: "add")
        #expect(added.exitCode == 0 && added.output.isEmpty)
        #expect(try await run(["profile", "add", "anna", "--all"] + place, is: "add").exitCode == 64)
        #expect(try await run(["profile", "add", "ben"] + place, is: "add").exitCode == 64)
        #expect(try await run(["profile", "edit", "anna", "--word", "kiwi"] + place, is: "edit").exitCode == 0)
        let listed = try await run(["profile", "list"] + place, is: "list --json")
        let profile = try JSONCoding.decode(AllergenProfile.self, from: Data(listed.output.utf8))
        #expect(profile.name == "anna" && profile.words == ["kiwi"] && profile.allergens == [.milk: .severe])
        let link = try await run(
            ["pair", "--output", output.path, "--address", "http://192.168.1.20:8765"], is: "pair")
        #expect(link.exitCode == 0 && link.output.contains("http://192.168.1.20:8765/"))
        let devices = try await run(["pair", "--output", output.path, "--list"], is: "devices")
        #expect(devices.exitCode == 0 && devices.output.isEmpty)
        let revoked = try await run(["pair", "--output", output.path, "--revoke", "7"], is: "revoke 7")
        #expect(revoked.exitCode == 66)
        let removed = try await run(["profile", "remove", "anna", "--yes"] + place, is: "remove")
        #expect(removed.exitCode == 0 && removed.output.isEmpty)
        #expect(try await run(["profile", "remove", "anna"] + place, is: "remove").exitCode == 66)
    }

    @Test func `codes of diaries have ended`() async throws {
        let result = try await run(["diary", "code", "--person", "Ada", "--database", database.path])
        #expect(result.exitCode == 64 && result.output.isEmpty)
        #expect(result.errors.contains("household pin NAME --remove"), "\(result.errors)")
    }
}
