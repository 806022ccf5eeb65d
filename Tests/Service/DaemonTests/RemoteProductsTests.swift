import Foundation
import TestSupport
import Testing
import Core

/// The real programs request products that no import has from a loopback server.
@Suite struct RemoteProductsTests {
    private let folder: TemporaryFolder
    private let program = Program("tablesight")
    /// The number on the sample photo parcel-upca, which is in no catalogue of this repository.
    private let number = "0036000291452"

    init() throws {
        folder = try TemporaryFolder()
        nobody = try ClosedPort()
    }

    private let nobody: ClosedPort

    private func environment(_ server: StubServer?) -> [String: String] {
        [
            "TABLESIGHT_CATALOGUE": folder.url.appending(path: "catalogue").path,
            "TABLESIGHT_REMOTE_ADDRESS": "http://127.0.0.1:\(server?.port ?? nobody.number)",
            "TABLESIGHT_REMOTE_CONTACT": "cook@kitchen.example",
        ]
    }

    private var answer: String {
        StubServer.answer(
            "200 OK",
            """
            {"code":"\(number)","status":1,"product":{"code":"\(number)","product_name":"Parcel Tissues","brands":"Examplia",\
            "allergens_tags":[],"last_modified_t":1700000000}}
            """)
    }

    private func run(_ arguments: [String], _ server: StubServer?) throws -> Program.Result {
        try program.run(arguments, environment: environment(server))
    }

    @Test func `lookup sends no request without --remote, caches answers and reports cached ones`() throws {
        let server = try StubServer(.says(answer))
        let silent = try run(["lookup", number], server)
        #expect(silent.exitCode == 1)
        #expect(server.asked.isEmpty)
        let asked = try run(["lookup", "--remote", number], server)
        #expect(asked.exitCode == 0)
        #expect(asked.output.contains(#""name":"Parcel Tissues""#))
        #expect(asked.output.contains(#""retrieved":""#))
        #expect(server.asked.count == 1)
        #expect(server.asked.first?.contains("(cook@kitchen.example)") == true)
        let kept = try run(["lookup", number], server)
        #expect(kept.output == asked.output)
        #expect(server.asked.count == 1)
    }

    @Test func `a missing contact and a missing answer are reported`() throws {
        var environment = environment(nil)
        environment["TABLESIGHT_REMOTE_CONTACT"] = " "
        let nameless = try program.run(["lookup", "--remote", number], environment: environment)
        #expect(nameless.exitCode == 78)
        #expect(nameless.errors.contains("remote.contact"))
        let offline = try run(["lookup", "--remote", number], nil)
        #expect(offline.exitCode == 1)
        #expect(offline.errors.contains("could not be reached"))
    }

    /// - Parameter wait: seconds for which an outcome waits for the server.
    private func watch(_ server: StubServer, enabled: Bool, wait: Int) throws -> Outcome {
        let inbox = folder.url.appending(path: "inbox")
        try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: true)
        let sample = try #require(
            Sample.all(in: "barcodes").first { $0.photo.lastPathComponent.hasPrefix("parcel-upca") })
        try FileManager.default.copyItem(at: sample.photo, to: inbox.appending(path: "photo.jpg"))
        var environment = environment(server)
        if enabled { environment["TABLESIGHT_REMOTE_ENABLED"] = "true" }
        environment["TABLESIGHT_REMOTE_WAIT_SECONDS"] = "\(wait)"
        let result = try program.run(["watch", inbox.path, "--once", "--format", "json"], environment: environment)
        #expect(result.exitCode == 0, "\(result.errors)")
        return try JSONCoding.decode(Outcome.self, from: Data(result.output.utf8))
    }

    @Test func `the daemon requests a code's product if that is enabled`() throws {
        let server = try StubServer(.says(answer))
        let outcome = try watch(server, enabled: true, wait: 60)
        #expect(outcome.products?.map(\.name) == ["Parcel Tissues"])
        #expect(outcome.products?.first?.trust == .crowd)
        #expect(outcome.products?.first?.retrieved != nil)
        #expect(outcome.versions.catalogue?.contains("remote@") == true)
    }

    @Test func `the daemon sends no requests by default`() throws {
        let server = try StubServer(.says(answer))
        let outcome = try watch(server, enabled: false, wait: 60)
        #expect(outcome.products?.map(\.reason) == ["notInCatalogue"])
        #expect(server.asked.isEmpty)
    }

    @Test func `a silent server delays an outcome briefly, and the outcome reports it`() throws {
        let server = try StubServer(.stalls(""))
        let outcome = try watch(server, enabled: true, wait: 1)
        #expect(outcome.status == .completed)
        #expect(outcome.products?.map(\.reason) == ["remoteUnavailable"])
    }

    @Test func `judging again keeps that no server answered`() throws {
        let server = try StubServer(.stalls(""))
        _ = try watch(server, enabled: true, wait: 1)
        let home = ["XDG_CONFIG_HOME": folder.url.path, "XDG_DATA_HOME": folder.url.path, "HOME": folder.url.path]
        let database = folder.url.appending(path: "inbox.tablesight/tablesight.sqlite").path
        let added = try program.run(
            ["profile", "add", "anna", "--allergen", "peanuts", "--database", database], environment: home)
        #expect(added.exitCode == 0, "\(added.errors)")
        let rejudged = try program.run(
            ["rejudge", "--database", database, "--profile", "anna"], environment: home.merging(environment(nil)) { $1 }
        )
        #expect(rejudged.exitCode == 0, "\(rejudged.errors)")
        let sidecar = folder.url.appending(path: "inbox.tablesight/outcomes/inbox/photo.jpg.json")
        let outcome = try JSONCoding.decode(Outcome.self, from: Data(contentsOf: sidecar))
        #expect(outcome.household?["anna"] != nil)
        #expect(outcome.products?.map(\.reason) == ["remoteUnavailable"])
    }
}
