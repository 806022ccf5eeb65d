import Foundation
import Store
import TestSupport
import Testing
import Core

@Suite struct SidecarFileTests {
    @Test func `creates folders, writes complete files and leaves no temporary file`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.path(below: "a/b/c.json")
        try SidecarFile.write(Data("one".utf8), to: path)
        try SidecarFile.write(Data("two".utf8), to: path)
        let below = folder.url.appending(path: "a/b")
        #expect(try FileManager.default.contentsOfDirectory(atPath: below.path) == ["c.json"])
        #expect(try Data(contentsOf: below.appending(path: "c.json")) == Data("two".utf8))
    }

    @Test func `a folder that cannot be created is an I/O error that names it`() throws {
        let folder = try TemporaryFolder()
        try folder.write(Data(), to: "file")
        #expect { try SidecarFile.write(Data(), to: try folder.path(below: "file/x/c.json")) } throws: {
            ($0 as? StartupError)?.exitCode == .inputOutput && "\($0)".contains("file/x")
        }
    }

    /// Another program may replace the outcome between any two of these steps.
    @Test(arguments: 0...2, [false, true])
    func `an outcome that is replaced while its sidecar is written is written after it`(
        replacedBefore step: Int, marksWithNextPhoto: Bool
    ) throws {
        let folder = try TemporaryFolder()
        let store = try OutcomeStore(at: folder.url.appending(path: "store.sqlite"))
        let photo = try store.queued(try folder.path(below: "a.jpg"))
        let (old, new) = (Data("{}".utf8), Data("[]".utf8))
        func finished(_ json: Data) -> FinishedPhoto {
            FinishedPhoto(content: nil, asked: "auto", answer: nil, status: .completed, json: json)
        }
        #expect(try store.finish(photo, finished(old)))
        let replace = { try store.replace([NewOutcome(photo: photo.id, json: new)]) }

        if step == 0 { try replace() }
        var found: [WrittenSidecar] = []
        for (photo, json) in try store.unwrittenSidecars() {
            if step == 1 { try replace() }
            try SidecarFile.write(json + [0x0A], to: photo.sidecar)
            found.append(WrittenSidecar(photo: photo.id, json: json))
        }
        if step == 2 { try replace() }
        if marksWithNextPhoto {
            let next = try store.queued(try folder.path(below: "bb.jpg"))
            #expect(try store.finish(next, finished(old), noting: found))
        } else {
            try store.markSidecarsWritten(found)
        }

        #expect(try store.unwrittenSidecars().contains { $0.photo.id == photo.id } == (step > 0))
        #expect(try store.writeSidecars().isEmpty)
        let sidecar = try Data(contentsOf: folder.url.appending(path: "a.jpg.json"))
        #expect(sidecar == new + [0x0A])
        #expect(try store.unwrittenSidecars().isEmpty)
    }
}
