import Foundation
import Glibc
import Intake
import TestSupport
import Testing
import Vocabulary

@Suite struct SettlingTests {
    private let start = ContinuousClock.now
    private func file(_ name: String, size: Int64 = 1) throws -> FoundFile {
        let path = try #require(FilePathBytes(name))
        return FoundFile(
            path: path, relativePath: path,
            identity: FileIdentity(device: 1, inode: 2, size: size, modified: 3, changed: 4))
    }

    @Test func `a file is taken once it stayed the same for the interval, not before`() throws {
        var settling = Settling(interval: .seconds(1), hasWriter: { _ in false })
        let photo = try file("a.jpg")
        #expect(settling.settled([photo], at: start).isEmpty)
        #expect(settling.settled([photo], at: start + .milliseconds(999)).isEmpty)
        #expect(settling.isWaiting)
        #expect(settling.settled([photo], at: start + .seconds(1)) == [photo])
        #expect(!settling.isWaiting)
    }

    @Test func `a file that grows begins anew`() throws {
        var settling = Settling(interval: .seconds(1), hasWriter: { _ in false })
        _ = settling.settled([try file("a.jpg")], at: start)
        #expect(settling.settled([try file("a.jpg", size: 2)], at: start + .seconds(5)).isEmpty)
        #expect(settling.settled([try file("a.jpg", size: 2)], at: start + .seconds(6)).count == 1)
    }

    @Test func `a file that somebody still writes waits, however long it stays the same`() throws {
        var settling = Settling(interval: .seconds(1), hasWriter: { $0.display == "a.jpg" })
        _ = settling.settled([try file("a.jpg"), try file("b.jpg")], at: start)
        let ready = settling.settled([try file("a.jpg"), try file("b.jpg")], at: start + .seconds(100))
        #expect(ready.map(\.path.display) == ["b.jpg"])
    }

    @Test func `a file that vanished is forgotten`() throws {
        var settling = Settling(interval: .seconds(1), hasWriter: { _ in false })
        _ = settling.settled([try file("a.jpg")], at: start)
        _ = settling.settled([], at: start + .seconds(1))
        #expect(!settling.isWaiting)
    }

    @Test func `the kernel says whether anyone has the file open for writing`() throws {
        let folder = try TemporaryFolder()
        let url = try folder.write(Data([1]), to: "a.jpg")
        let path = try folder.path(below: "a.jpg")
        #expect(!Settling.isBeingWritten(path))
        let writer = open(url.path, O_WRONLY)
        #expect(writer >= 0)
        #expect(Settling.isBeingWritten(path))
        close(writer)
        #expect(!Settling.isBeingWritten(path))
    }
}
