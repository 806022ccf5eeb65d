import Foundation
import TestSupport
import Testing

@testable import Daemon
@testable import Store

/// Paths in the database are those of whoever wrote it: a restored copy may be anybody's.
@Suite(.serialized) struct StoredPathTests {
    @Test(arguments: ["victim/keys", "out/outcomes/../../victim/keys", "out/outcomes/link/keys"])
    func `a deleted photo takes only files of the output folder with it`(path: String) async throws {
        let house = try await House.furnished().house
        let victim = try house.folder.write(Data("secret".utf8), to: "victim/keys")
        let outcomes = house.folder.url.appending(path: "out/outcomes")
        try FileManager.default.createDirectory(at: outcomes, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: outcomes.appending(path: "link"), withDestinationURL: victim.deletingLastPathComponent())
        let stored = Data(house.folder.url.appending(path: path).path.utf8)
        try house.store.write { try $0.execute(sql: "UPDATE photo SET sidecar = ?", arguments: [stored]) }
        let reply = try await house.call("DELETE", "/v1/images/\(House.Things.photo)", as: House.key)
        #expect(reply.status == 200, "\(reply.text)")
        #expect(FileManager.default.fileExists(atPath: victim.path))
    }
}
