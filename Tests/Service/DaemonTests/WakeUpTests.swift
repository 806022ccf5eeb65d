import Testing
@testable import App
@testable import Daemon

@Suite struct WakeUpTests {
    @Test func `A ring ends the wait, also one from before`() async {
        let wakeUp = WakeUp()
        wakeUp.ring()
        await wakeUp.next(within: .seconds(3600))
        async let waiting: Void = wakeUp.next(within: .seconds(3600))
        wakeUp.ring()
        await waiting
    }

    @Test func `Without a ring the wait ends after its limit`() async {
        let began = ContinuousClock.now
        await WakeUp().next(within: .milliseconds(30))
        #expect(began.duration(to: .now) >= .milliseconds(30))
    }
}
