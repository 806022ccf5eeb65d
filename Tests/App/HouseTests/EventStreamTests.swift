import Foundation
import Household
import TestSupport
import Testing

@testable import Store

@Suite struct EventStreamTests {
    private let house: House

    init() throws {
        house = try House()
        try house.household.add(NewMember("Ada"))
    }

    private func publish(_ name: String) throws {
        try house.store.publish([NewEvent(id: name, kind: "completed", body: Data("{}".utf8), receivers: [])])
    }

    @Test func `a line that breaks before the first event loses none`() async throws {
        try publish("before")
        let phone = try house.device(of: "Ada")
        let first = try await house.stream("/v1/events", as: phone)
        #expect(try await eventually { first.text.contains("connected") })
        first.task.cancel()
        #expect(!first.text.contains("completed"))
        let number = try #require(first.text.firstMatch(of: /(?m)^id: (\d+)$/)).output.1
        try publish("between")
        let second = try await house.stream("/v1/events?since=\(number)", as: phone)
        defer { second.task.cancel() }
        #expect(try await eventually { second.text.contains("event: completed") })
    }
}
