import Testing

@testable import Daemon

@Suite struct DaemonHealthTests {
    /// Each condition of a daemon that is ready, with its value when it fails.
    private static let faults: [(WritableKeyPath<DaemonHealth.State, Bool> & Sendable, Bool)] = [
        (\.databaseIsWritable, false), (\.diskHasRoom, false), (\.diskIsAboveMark, false), (\.watcherIsLive, false),
        (\.workerAnswers, false), (\.queueIsConnected, false), (\.hasScanned, false), (\.hasFailed, true),
    ]

    private static var ready: DaemonHealth.State {
        var state = DaemonHealth.State()
        for (condition, failed) in faults { state[keyPath: condition] = !failed }
        return state
    }

    @Test func `a daemon is ready when no condition fails`() { #expect(Self.ready.shortcomings.isEmpty) }

    @Test(arguments: faults.indices)
    func `each condition alone keeps the daemon from being ready, with one reason`(_ index: Int) {
        let (condition, failed) = Self.faults[index]
        var state = Self.ready
        state[keyPath: condition] = failed
        #expect(state.shortcomings.count == 1, "\(condition)")
    }
}
