import Foundation
import Glibc
import Intake
import Synchronization
import TestSupport
import Testing
import Core

@Suite struct SettlingTests {
    /// State of each path, in place of the kernel.
    private final class Kernel: Sendable {
        let observations = Mutex<[String: Settling.Observation]>([:])

        func set(_ name: String, _ observation: Settling.Observation) {
            observations.withLock { $0[name] = observation }
        }
    }

    private let start = ContinuousClock.now
    private let kernel = Kernel()

    private func settling() -> Settling {
        let kernel = kernel
        return Settling(interval: .seconds(1), patience: .seconds(10)) { path in
            kernel.observations.withLock { $0[path.display] } ?? .gone
        }
    }

    private func identity(size: Int64 = 1) -> FileIdentity { Self.identity(size: size) }

    private static func identity(size: Int64 = 1) -> FileIdentity {
        FileIdentity(device: 1, inode: 2, size: size, modified: 3, changed: 4)
    }

    private func path(_ name: String) throws -> FilePathBytes { try #require(FilePathBytes(name)) }

    @Test func `a file is complete after it did not change for the interval`() throws {
        var settling = settling()
        kernel.set("a.jpg", .still(identity()))
        settling.note(try path("a.jpg"), identity(), at: start)
        #expect(settling.takeSettled(at: start + .milliseconds(999)).isEmpty)
        #expect(settling.isWaiting)
        #expect(settling.takeSettled(at: start + .seconds(1)).map(\.path.display) == ["a.jpg"])
        #expect(!settling.isWaiting)
    }

    @Test func `a file that was renamed into place is complete at once, unless it is being written`() throws {
        var settling = settling()
        kernel.set("a.jpg", .still(identity()))
        kernel.set("b.jpg", .written(identity()))
        settling.note(try path("a.jpg"), identity(), at: start, isWhole: true)
        settling.note(try path("b.jpg"), identity(), at: start, isWhole: true)
        #expect(settling.takeSettled(at: start).map(\.path.display) == ["a.jpg"])
        kernel.set("b.jpg", .still(identity()))
        #expect(settling.takeSettled(at: start + .milliseconds(999)).isEmpty)
        #expect(settling.takeSettled(at: start + .seconds(1)).map(\.path.display) == ["b.jpg"])
    }

    @Test func `files beyond the capacity are left out, and taken by a scan when few are waiting`() throws {
        var settling = Settling(interval: .seconds(1), capacity: 2) { _ in .still(Self.identity()) }
        for name in ["a.jpg", "b.jpg", "c.jpg"] { settling.note(try path(name), identity(), at: start) }
        #expect(settling.waitingCount == 2)
        #expect(settling.hasLeftOut)
        var takesMore = settling.takesMore()
        #expect(!takesMore, "two are waiting")
        #expect(settling.takeSettled(at: start + .seconds(1)).count == 2)
        takesMore = settling.takesMore()
        #expect(takesMore)
        takesMore = settling.takesMore()
        #expect(!takesMore)
        settling.note(try path("c.jpg"), identity(), at: start + .seconds(1))
        #expect(settling.takeSettled(at: start + .seconds(2)).map(\.path.display) == ["c.jpg"])
    }

    @Test func `a growing file starts again, whether a scan or an observation sees it`() throws {
        var settling = settling()
        settling.note(try path("a.jpg"), identity(), at: start)
        settling.note(try path("a.jpg"), identity(size: 2), at: start + .milliseconds(900))
        kernel.set("a.jpg", .still(identity(size: 3)))
        #expect(settling.takeSettled(at: start + .seconds(1)).isEmpty)
        #expect(settling.takeSettled(at: start + .seconds(2)).isEmpty, "the observation has another size")
        #expect(settling.takeSettled(at: start + .seconds(3)).map(\.identity.size) == [3])
    }

    @Test func `a file that is open for writing waits, even without changes`() throws {
        var settling = settling()
        kernel.set("a.jpg", .written(identity()))
        kernel.set("b.jpg", .still(identity()))
        for name in ["a.jpg", "b.jpg"] { settling.note(try path(name), identity(), at: start) }
        #expect(settling.takeSettled(at: start + .seconds(100)).map(\.path.display) == ["b.jpg"])
        kernel.set("a.jpg", .still(identity()))
        #expect(settling.takeSettled(at: start + .seconds(102)).map(\.path.display) == ["a.jpg"])
    }

    @Test func `an unreadable file is waited for and then taken`() throws {
        var settling = settling()
        kernel.set("a.jpg", .denied(identity()))
        settling.note(try path("a.jpg"), identity(), at: start)
        #expect(settling.takeSettled(at: start + .seconds(9)).isEmpty)
        #expect(settling.takeSettled(at: start + .seconds(10)).count == 1)
    }

    @Test func `a folder with many files does not delay one with few`() throws {
        var settling = settling()
        let names = (1...50).map { "/many/\($0).jpg" } + ["/few/1.jpg"]
        for name in names {
            kernel.set(name, .still(identity()))
            settling.note(try path(name), identity(), at: start)
        }
        let first = settling.takeSettled(at: start + .seconds(1), limit: 10).map(\.path.display)
        #expect(first.count == 10)
        #expect(first.contains("/few/1.jpg"))
        #expect(settling.takeSettled(at: start + .seconds(1)).count == 41, "no file is lost")
    }

    @Test func `a deleted file is dropped`() throws {
        var settling = settling()
        settling.note(try path("a.jpg"), identity(), at: start)
        #expect(settling.takeSettled(at: start + .seconds(1)).isEmpty)
        #expect(!settling.isWaiting)
    }

    @Test func `a read lease shows whether the file is open for writing`() throws {
        let folder = try TemporaryFolder()
        let url = try folder.write(Data([1]), to: "sub/a.jpg")
        let (root, path) = (try folder.path, try folder.path(below: "sub/a.jpg"))
        func isStill() -> Bool { if case .still = Settling.observe(at: path, below: root) { true } else { false } }
        #expect(isStill())
        let writer = open(url.path, O_WRONLY)
        #expect(writer >= 0)
        guard case .written = Settling.observe(at: path, below: root) else {
            Issue.record("a file with a writer is not complete")
            return
        }
        close(writer)
        #expect(isStill())
        #expect(Settling.observe(at: try folder.path(below: "gone.jpg"), below: root) == .gone)
    }

    @Test func `links are not followed in any part of the path`() throws {
        let folder = try TemporaryFolder()
        try folder.write(Data([1]), to: "outside/a.jpg")
        let inbox = folder.url.appending(path: "inbox")
        try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: inbox.appending(path: "tree"), withDestinationURL: folder.url.appending(path: "outside"))
        try FileManager.default.createSymbolicLink(
            at: inbox.appending(path: "a.jpg"), withDestinationURL: folder.url.appending(path: "outside/a.jpg"))
        let root = try folder.path(below: "inbox")
        for name in ["inbox/tree/a.jpg", "inbox/a.jpg", "inbox/../outside/a.jpg"] {
            #expect(FolderAccess.open(try folder.path(below: name), below: root) < 0, "\(name)")
        }
    }

    @Test func `versions of a known file are distinguished`() throws {
        let known = KnownFiles()
        let path = try path("/in/a.jpg")
        known.insert(path, identity())
        #expect(known.contains(path, identity()))
        #expect(!known.contains(path, identity(size: 2)))
        #expect(!known.contains(try self.path("/in/b.jpg"), identity()))
        known.forget(path)
        #expect(!known.contains(path, identity()))
    }
}
