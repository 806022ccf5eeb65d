import Core
import Foundation
import TestSupport
import Testing

@testable import PhotoReading

@Suite struct PieceTableTests {
    @Test func `a piece set with a mistake keeps no other set from being used`() throws {
        let folder = try TemporaryFolder()
        let sets = Repository.models.appending(path: "piece-sets")
        for name in ["tangram.json", "tangram-mono.json"] {
            try folder.write(Data(contentsOf: sets.appending(path: name)), to: "piece-sets/\(name)")
        }
        for (name, text) in [("broken", "{"), ("empty", ""), ("other", "{\"pieces\": 7}"), ("bytes", "\u{0}\u{1}")] {
            try folder.write(Data(text.utf8), to: "piece-sets/\(name).json")
        }
        let table = try PieceTable(models: ModelFolder(folder.url))
        let raster = try #require(
            Raster(width: 64, height: 64, format: .rgb8, bytes: [UInt8](repeating: 200, count: 64 * 64 * 3)))
        #expect(try table.frame(of: raster, set: "tangram").pieces.isEmpty)
        for name in ["broken", "empty", "other", "bytes"] {
            let failure = #expect(throws: ItemFailure.self) { try table.frame(of: raster, set: name) }
            #expect(failure?.detail.contains("\(name).json") == true, "\(failure?.detail ?? "")")
        }
    }
}
