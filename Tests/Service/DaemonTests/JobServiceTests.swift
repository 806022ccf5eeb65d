import Synchronization
import Testing
import Core

@testable import App
@testable import Daemon

@Suite struct JobServiceTests {
    @Test func `the first failing runner ends the others at once, and its error is thrown`() async {
        let failed = Mutex(0)
        await #expect {
            try await JobService.runAll([
                { try await Task.sleep(for: .seconds(3600)) },
                { throw StartupError(.inputOutput, "a sync failed") },
                { for await _ in AsyncStream<Void>(unfolding: { try? await Task.sleep(for: .seconds(3600)) }) {} },
            ]) { failed.withLock { $0 += 1 } }
        } throws: {
            ($0 as? StartupError)?.exitCode == .inputOutput
        }
        #expect(failed.withLock { $0 } == 1)
    }

    @Test func `runners that end normally are awaited`() async throws {
        let ended = Mutex(0)
        try await JobService.runAll((0..<3).map { _ in { ended.withLock { $0 += 1 } } }) {
            ended.withLock { $0 = -100 }
        }
        #expect(ended.withLock { $0 } == 3)
    }
}
