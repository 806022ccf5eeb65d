import Core
import Foundation
import GRDB
import TestSupport
import Testing

/// `tablesight backup` and `tablesight restore`, as an operator uses them.
@Suite struct RestoreTests {
    private let program = Program("tablesight")

    /// The sidecars below an output folder, by path.
    private func sidecars(_ results: URL) throws -> [String: Data] {
        let folder = results.appending(path: "outcomes")
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        let files = names.filter { $0.hasSuffix(".json") }
        return try Dictionary(
            uniqueKeysWithValues: files.map { ($0, try Data(contentsOf: folder.appending(path: $0))) })
    }

    private func delete(_ results: URL) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: results.path)
        where name == "outcomes" || name.hasPrefix("tablesight.sqlite") {
            try FileManager.default.removeItem(at: results.appending(path: name))
        }
    }

    @Test
    func `a deleted database and its sidecars come back byte for byte, and no photo is read again`() async throws {
        let live = try await LiveDaemon()
        for photo in try Sample.all(in: "barcodes").prefix(3).map(\.photo) {
            try FileManager.default.copyItem(at: photo, to: live.inbox.appending(path: photo.lastPathComponent))
        }
        let isRead = try await eventually { try sidecars(live.results).count == 3 }
        #expect(isRead)
        let before = try sidecars(live.results)

        let copy = live.folder.url.appending(path: "copy.sqlite").path
        let output = ["--output", live.results.path]
        #expect(try program.run(["backup", copy] + output).exitCode == 0, "the daemon runs meanwhile")
        let early = try program.run(["restore", copy, "--replace"] + output)
        #expect(early.exitCode == 69 && early.errors.contains("stop it"), "\(early.errors)")
        live.stop()

        try delete(live.results)
        #expect(try sidecars(live.results).isEmpty)
        let restored = try program.run(["restore", copy] + output)
        #expect(restored.exitCode == 0, "\(restored.errors)")
        #expect(restored.output == "3 outcomes restored, 3 sidecars written\n")
        #expect(try sidecars(live.results) == before)
        let database = live.results.appending(path: "tablesight.sqlite")
        let rights = try FileManager.default.attributesOfItem(atPath: database.path)[.posixPermissions] as? Int
        #expect(rights == 0o600)

        func attempts() throws -> Int? {
            try DatabaseQueue(path: database.path).read { try Int.fetchOne($0, sql: "SELECT sum(version) FROM photo") }
        }
        let versions = try attempts()
        #expect(try await program.finished(["watch", live.inbox.path, "--once", "--port", "0"]).exitCode == 0)
        #expect(try attempts() == versions, "no file is queued again")
        #expect(try sidecars(live.results) == before)
    }

    @Test(
        arguments: ["outcomes/../../victim/keys", "../victim/keys", "outcomes/link/keys", "outcomes/in/link/../keys"],
        [true, false])
    func `a copy whose paths lead out of the output folder is refused`(path: String, isRead: Bool) throws {
        let folder = try TemporaryFolder()
        let photo = try #require(try Sample.all(in: "barcodes").first).photo
        let (inbox, victim) = (folder.url.appending(path: "in"), folder.url.appending(path: "victim"))
        for place in [inbox, victim, folder.url.appending(path: "in.tablesight/outcomes/in")] {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        }
        let results = folder.url.appending(path: "in.tablesight")
        for link in ["outcomes/link", "outcomes/in/link"] {
            try FileManager.default.createSymbolicLink(at: results.appending(path: link), withDestinationURL: victim)
        }
        try FileManager.default.copyItem(at: photo, to: inbox.appending(path: "a.jpg"))
        #expect(try program.run(["watch", inbox.path, "--once", "--port", "0"]).exitCode == 0)
        let copy = folder.url.appending(path: "copy.sqlite").path
        #expect(try program.run(["backup", copy, "--output", results.path]).exitCode == 0)
        try DatabaseQueue(path: copy).write { database in
            let place = try #require(FilePathBytes(results.path)?.resolved).appending(names: path)
            try database.execute(sql: "UPDATE photo SET sidecar = ?", arguments: [Data(place.bytes)])
            if !isRead { try database.execute(sql: "DELETE FROM outcome") }
        }
        let restored = try program.run(["restore", copy, "--output", results.path, "--replace"])
        #expect(restored.exitCode == 64 && restored.errors.contains("not below"), "\(restored.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: victim.path).isEmpty)
    }

    @Test func `a file that is no backup, a copy of another folder and an existing database are refused`() throws {
        let folder = try TemporaryFolder()
        let photo = try #require(try Sample.all(in: "barcodes").first).photo
        let inbox = folder.url.appending(path: "in")
        try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: photo, to: inbox.appending(path: "a.jpg"))
        #expect(try program.run(["watch", inbox.path, "--once", "--port", "0"]).exitCode == 0)
        let results = folder.url.appending(path: "in.tablesight")
        let copy = folder.url.appending(path: "copy.sqlite").path
        #expect(try program.run(["backup", copy, "--output", results.path]).exitCode == 0)

        let exists = try program.run(["restore", copy, "--output", results.path])
        #expect(exists.exitCode == 64 && exists.errors.contains("--replace"), "\(exists.errors)")
        let other = try program.run(["restore", copy, "--output", folder.url.appending(path: "other").path])
        #expect(other.exitCode == 64 && other.errors.contains("in.tablesight"), "\(other.errors)")

        let photoCopy = try program.run(["restore", photo.path, "--output", results.path, "--replace"])
        #expect(photoCopy.exitCode == 65, "\(photoCopy.errors)")
        let foreign = folder.url.appending(path: "foreign.sqlite")
        try DatabaseQueue(path: foreign.path).write { try $0.execute(sql: "CREATE TABLE t (a)") }
        #expect(try program.run(["restore", foreign.path, "--output", results.path, "--replace"]).exitCode == 65)
        let gone = try program.run(["restore", "gone.sqlite", "--output", results.path])
        #expect(gone.exitCode == 66, "\(gone.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: results.path)
        #expect(!names.contains { $0.contains("restor") }, "nothing was changed: \(names)")

        #expect(try program.run(["restore", copy, "--output", results.path, "--replace"]).exitCode == 0)
        let kept = results.appending(path: "tablesight.sqlite.before-restore").path
        #expect(FileManager.default.fileExists(atPath: kept))
        let id = try #require(
            try DatabaseQueue(path: kept).read { try String.fetchOne($0, sql: "SELECT content FROM photo") })
        let erased = try program.run(["erase", id, "--photos", "--yes", "--output", results.path])
        #expect(erased.exitCode == 0 && erased.errors.contains("not reached: copies of `tablesight backup`"))
        #expect(!FileManager.default.fileExists(atPath: inbox.appending(path: "a.jpg").path), "--photos deletes it")
        #expect(!FileManager.default.fileExists(atPath: kept), "erase removes the copy that restore set aside")
    }
}
