import Foundation
import TestSupport
import Testing

/// Whoever is added, changed or removed in one place is judged by every other place at once.
@Suite(.serialized) struct HouseholdDoorTests {
    /// Where people are added, changed and removed.
    private enum Writer { case command, api, page }

    private struct House {
        let daemon: LiveDaemon
        let cookie: String
        let photo: String

        var database: [String] { ["--database", daemon.results.appending(path: "tablesight.sqlite").path] }

        func run(_ arguments: [String]) throws -> Program.Result {
            let result = try Program("tablesight").run(arguments + database)
            #expect(result.exitCode == 0, "\(arguments): \(result.errors)")
            return result
        }

        private func form(_ path: String, _ fields: String) async throws {
            let headers = ["Cookie": cookie, "Origin": daemon.address]
            let reply = try await daemon.call("POST", path, Data(fields.utf8), headers)
            #expect(reply.status == 200, "\(path): \(reply.text)")
        }

        /// Leo is warned of this allergen from now on.
        func warn(_ writer: Writer, of allergen: String, isNew: Bool) async throws {
            switch writer {
            case .command:
                let former = allergen == "gluten" ? "milk" : "gluten"
                _ = try run(
                    ["profile", isNew ? "add" : "edit", "Leo", "--allergen", "\(allergen)=severe"]
                        + (isNew ? [] : ["--without", former]))
            case .api:
                let body = Data("{\"allergens\":{\"\(allergen)\":\"severe\"}}".utf8)
                #expect(try await daemon.call("PUT", "/v1/people/Leo", body).status < 300)
            case .page:
                try await form("/people", "stored=\(isNew ? "" : "Leo")&name=Leo&a.\(allergen)=severe&role=child")
            }
        }

        func remove(_ writer: Writer) async throws {
            switch writer {
            case .command: _ = try run(["profile", "remove", "Leo", "--yes"])
            case .api: #expect(try await daemon.call("DELETE", "/v1/people/Leo").status == 200)
            case .page: try await form("/people/delete", "name=Leo")
            }
        }

        /// What each place says that warns Leo; nil where there is no Leo.
        func judged() async throws -> [String: String?] {
            let outcome = try await daemon.call("GET", "/v1/outcomes/\(photo)").json
            let verdicts = ((outcome["label"] as? [String: Any])?["verdicts"] as? [String: Any])?["Leo"]
            let data = try await daemon.call("GET", "/v1/people").data
            let people = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
            let leo = people.first { $0["name"] as? String == "Leo" }?["allergens"] as? [String: Any]
            let page = try await daemon.call("GET", "/people?name=Leo", nil, ["Cookie": cookie]).text
            let listed = try run(["profile", "list"]).output.split(separator: "\n").first { $0.contains("\"Leo\"") }
            return [
                "watcher": (verdicts as? [String: Any])?.keys.first, "api": leo?.keys.first,
                "page": Self.chosen(in: page),
                "command": listed.flatMap { line in ["gluten", "milk"].first { line.contains("\"\($0)\"") } },
            ]
        }

        /// The allergen whose severe level is chosen in the form of a page.
        private static func chosen(in page: String) -> String? {
            guard page.contains("Leo") else { return nil }
            return ["gluten", "milk"].first { allergen in
                guard let start = page.range(of: "name=\"a.\(allergen)\"") else { return false }
                let end = page[start.upperBound...].range(of: "</select>")?.lowerBound ?? page.endIndex
                return page[start.upperBound..<end].contains("value=\"severe\" selected")
            }
        }
    }

    @Test func `somebody who comes and goes between two looks of the daemon is gone everywhere`() async throws {
        let (daemon, house) = try await Self.house()
        defer { daemon.stop() }
        for _ in 0..<5 {
            try await house.warn(.api, of: "gluten", isNew: true)
            try await house.remove(.command)
            #expect(try await eventually { try await house.judged().values.allSatisfy { $0 == nil } })
        }
    }

    private static func house() async throws -> (LiveDaemon, House) {
        let daemon = try await LiveDaemon()
        let maria = Data(#"{"allergens":{"nuts":"mild"}}"#.utf8)
        #expect(try await daemon.call("PUT", "/v1/people/Maria", maria).status == 201)
        let photo = try await daemon.upload(Repository.samples.appending(path: "labels/oat-cookies.jpg"))
        return (daemon, House(daemon: daemon, cookie: try await daemon.cookie(of: "Maria"), photo: photo))
    }

    @Test func `people added, changed and removed in each place are judged by all others at once`() async throws {
        let (daemon, house) = try await Self.house()
        defer { daemon.stop() }
        func expect(_ allergen: String?, _ what: String) async throws {
            var last: [String: String?] = [:]
            let isSame = try await eventually {
                last = try await house.judged()
                return last.values.allSatisfy { $0 == allergen }
            }
            #expect(isSame, "\(what): \(last)")
        }
        // Each place adds, changes and removes once, and each time all places are asked.
        let turns: [[Writer]] = [[.command, .api, .page], [.api, .page, .command], [.page, .command, .api]]
        for turn in turns {
            try await house.warn(turn[0], of: "gluten", isNew: true)
            try await expect("gluten", "added by \(turn[0])")
            try await house.warn(turn[1], of: "milk", isNew: false)
            try await expect("milk", "changed by \(turn[1])")
            try await house.remove(turn[2])
            try await expect(nil, "removed by \(turn[2])")
        }
    }
}
