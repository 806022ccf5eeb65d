import Core
import Foundation
import TestSupport
import Testing

@testable import Daemon
@testable import Engine

/// What the runner keeps of a photo, and when it gives one up.
@Suite struct PhotoRunnerTests {
    @Test func `content whose judging ended the daemon in every attempt is quarantined, though its answer is known`()
        async throws
    {
        let run = try PhotoRun()
        try run.enqueue()
        try await run.run()
        let copy = try run.copy("b.jpg")
        try run.enqueue(copy, attempts: PhotoReading.mostAttempts)
        try await run.run([EventSink()])
        #expect(try run.store.quarantine().map(\.path) == [copy])
        #expect(try run.store.quarantine().map(\.attempts) == [PhotoReading.mostAttempts])
        #expect(try run.store.events(after: 0, limit: 9).map(\.kind) == ["quarantined"])
        #expect(run.read.all.count == 1, "\(run.read.all)")
    }

    @Test(arguments: 0..<PhotoReading.mostAttempts)
    func `a photo with attempts left is answered`(_ attempts: Int) async throws {
        let run = try PhotoRun()
        try run.enqueue(attempts: attempts)
        try await run.run([EventSink()])
        #expect(try run.store.quarantine().isEmpty)
        #expect(try run.store.events(after: 0, limit: 9).map(\.kind) == ["completed"])
    }

    @Test(arguments: [false, true])
    func `the same bytes are read again only after a fault that passes`(_ passes: Bool) async throws {
        var run = try PhotoRun()
        run.failure.isTransient = passes
        try run.enqueue()
        try await run.run()
        let copy = try run.copy("b.jpg")
        try run.enqueue(copy)
        try await run.run()
        #expect(run.read.all.count == (passes ? 2 : 1), "\(run.read.all)")
        #expect(try run.store.outcomeJSON(forPath: copy) != nil)
    }
}
