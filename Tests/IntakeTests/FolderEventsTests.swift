import Foundation
import Intake
import TestSupport
import Testing

@Suite struct FolderEventsTests {
    @Test(.timeLimit(.minutes(1))) func `a file that lands in a watched folder is an event`() async throws {
        let folder = try TemporaryFolder()
        let (happened, continuation) = AsyncStream.makeStream(of: Void.self)
        let events = try FolderEvents { continuation.yield() }
        #expect(events.watch([try folder.path]).isEmpty)
        try folder.write(Data([1]), to: "a.jpg")
        var iterator = happened.makeAsyncIterator()
        #expect(await iterator.next() != nil)
    }

    @Test func `a folder that cannot be watched is answered`() throws {
        let folder = try TemporaryFolder()
        let events = try FolderEvents {}
        let gone = try folder.path(below: "gone")
        #expect(events.watch([gone]) == [gone])
    }
}
