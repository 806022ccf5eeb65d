import Foundation
import HTTP
import Household
import Store
import TestSupport
import Testing

@testable import App
@testable import Daemon

@Suite struct DeviceTests {
    private let folder: TemporaryFolder
    private let store: OutcomeStore
    private let devices: HouseholdActions

    init() throws {
        folder = try TemporaryFolder()
        store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        devices = HouseholdActions(Household(store))
    }

    @Test func `a code pairs one device, once, however it is typed`() async throws {
        let code = try await devices { try $0.newCode(by: nil).code }
        #expect(code.wholeMatch(of: /[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}/) != nil)
        #expect(try await devices { try $0.isPairing(code) })
        let typed = " " + code.lowercased().replacing("-", with: " ")
        let token = try #require(try await devices { try $0.pair(typed, name: "Ada's phone") })
        #expect(devices.identity(ofToken: token) != nil)
        #expect(try await devices { try $0.isPairing(code) } == false)
        #expect(try await devices { try $0.pair(code, name: "another") } == nil)
        #expect(try await devices.devices().map(\.name) == ["Ada's phone"])
    }

    @Test(arguments: ["", "7KQM", "7KQM-4XR1", "7KQM-4XRTT", "0000-0000", "ÄÖÜ7-4XRT"])
    func `a text that is no code pairs nothing`(_ text: String) async throws {
        #expect(try await devices { try $0.pair(text, name: "x") } == nil)
    }

    @Test func `only the newest twenty codes wait`() async throws {
        let clock = TestClock()
        let household = Household(store) { clock.date }
        var codes: [String] = []
        for _ in 0..<30 {
            codes.append(try household.newCode().code)
            clock.pass(seconds: 1)
        }
        #expect(try codes.map { try household.isPairing($0) }.filter { $0 }.count == 20)
        #expect(try !household.isPairing(codes[9]) && household.isPairing(codes[29]))
    }

    @Test func `a revoked device is out at once, and unknown tokens were never in`() async throws {
        let code = try await devices { try $0.newCode(by: nil).code }
        let token = try #require(try await devices { try $0.pair(code, name: "phone") })
        #expect(devices.identity(ofToken: token) != nil)
        let id = try #require(try await devices.devices().first).id
        #expect(try await devices.devices().first?.seen != nil)
        try await devices.remove(device: id)
        #expect(devices.identity(ofToken: token) == nil)
        await #expect(throws: HouseholdProblem.noDevice(id)) { try await devices.remove(device: id) }
        #expect(devices.identity(ofToken: "") == nil)
        #expect(devices.identity(ofToken: String(repeating: "x", count: 5000)) == nil)
    }

    @Test func `with a device go the devices that it paired, and the codes that they made`() async throws {
        func pair(by holder: Int64?) async throws -> (token: String, id: Int64) {
            let code = try await devices { try $0.newCode(by: holder).code }
            let token = try #require(try await devices { try $0.pair(code, name: "phone") })
            return (token, try #require(devices.identity(ofToken: token)?.device))
        }
        let (guest, other) = (try await pair(by: nil), try await pair(by: nil))
        let second = try await pair(by: guest.id)
        let third = try await pair(by: second.id)
        let (open, others) = (
            try await devices { try $0.newCode(by: third.id).code }, try await devices { try $0.newCode(by: nil).code }
        )
        #expect(try await devices.devices().map(\.pairedBy) == [second.id, guest.id, nil, nil])

        try await devices.remove(device: guest.id)
        for token in [guest.token, second.token, third.token] { #expect(devices.identity(ofToken: token) == nil) }
        #expect(try await devices { try $0.pair(open, name: "late") } == nil)
        let late = try await devices { try $0.newCode(by: second.id).code }
        #expect(try await devices { try $0.pair(late, name: "late") } == nil, "it was removed while it asked")
        #expect(devices.identity(ofToken: other.token) != nil)
        #expect(try await devices { try $0.pair(others, name: "another") } != nil)
    }

    @Test func `the database holds neither codes nor tokens`() async throws {
        let code = try await devices { try $0.newCode(by: nil).code }
        let open = try await devices { try $0.newCode(by: nil).code }
        let token = try #require(try await devices { try $0.pair(code, name: "phone") })
        for file in try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil) {
            let bytes = try Data(contentsOf: file)
            for secret in [token, code, open, open.replacing("-", with: "")] {
                #expect(bytes.firstRange(of: Data(secret.utf8)) == nil, "\(file.lastPathComponent)")
            }
        }
    }
}
