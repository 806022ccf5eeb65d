import Foundation
import Glibc
import Intake
import TestSupport
import Testing
import Core

@Suite struct FolderEventsTests {
    private let folder: TemporaryFolder
    private let events: FolderEvents
    private let happened: AsyncStream<Void>

    init() throws {
        folder = try TemporaryFolder()
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        happened = stream
        events = try FolderEvents { continuation.yield() }
    }

    /// Waits until the reported folders satisfy the condition.
    private func dirty(until isEnough: (FolderEvents.Dirty) -> Bool) async -> FolderEvents.Dirty {
        var all = FolderEvents.Dirty()
        for await _ in happened {
            let more = events.takeDirty()
            all.folders.formUnion(more.folders)
            all.trees.formUnion(more.trees)
            all.arrived.formUnion(more.arrived)
            all.overflowed = all.overflowed || more.overflowed
            if isEnough(all) { break }
        }
        return all
    }

    @Test func `a new file marks only its own folder`() async throws {
        let (first, second) = (try folder.path, try folder.path(below: "sub"))
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "sub"), withIntermediateDirectories: true)
        #expect(events.watch(first) == .watched)
        #expect(events.watch(second) == .watched)
        try folder.write(Data([1]), to: "sub/a.jpg")
        let dirty = await dirty { !$0.folders.isEmpty }
        #expect(dirty.folders == [second])
        #expect(dirty.trees.isEmpty)
    }

    @Test func `a file that is renamed into the folder is named, a written one is not`()
        async throws
    {
        let (stage, inbox) = (try folder.path(below: "stage"), try folder.path(below: "inbox"))
        for name in ["stage", "inbox"] {
            try FileManager.default.createDirectory(
                at: folder.url.appending(path: name), withIntermediateDirectories: true)
        }
        try folder.write(Data([1]), to: "stage/a photo.jpg")
        #expect(events.watch(inbox) == .watched)
        try folder.write(Data([1]), to: "inbox/written.jpg")
        #expect(rename(stage.display + "/a photo.jpg", inbox.display + "/a photo.jpg") == 0)
        let dirty = await dirty { !$0.arrived.isEmpty }
        #expect(dirty.arrived == [inbox.appending(names: "a photo.jpg")])
    }

    @Test func `a created or removed folder marks a tree`() async throws {
        let path = try folder.path
        #expect(events.watch(path) == .watched)
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "sub"), withIntermediateDirectories: true)
        #expect(await dirty { !$0.trees.isEmpty }.trees == [path])
    }

    @Test func `a renamed folder has the path with which it was watched last`()
        async throws
    {
        try FileManager.default.createDirectory(at: folder.url.appending(path: "a"), withIntermediateDirectories: true)
        let (before, after) = (try folder.path(below: "a"), try folder.path(below: "b"))
        #expect(events.watch(before) == .watched)
        try FileManager.default.moveItem(at: folder.url.appending(path: "a"), to: folder.url.appending(path: "b"))
        #expect(events.watch(after) == .watched)
        #expect(events.watchedCount == 1)
        try folder.write(Data([1]), to: "b/c.jpg")
        #expect(await dirty { !$0.folders.isEmpty }.folders == [after])
    }

    @Test func `watching an impossible folder returns false`() throws {
        #expect(events.watch(try folder.path(below: "gone")) == .refused)
    }
}
