import Foundation
import HTTPAPI
import Store
import TestSupport
import Testing

@testable import Daemon

@Suite struct DeviceTests {
    private let folder: TemporaryFolder
    private let store: OutcomeStore
    private let devices: DeviceService

    init() throws {
        folder = try TemporaryFolder()
        store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        devices = DeviceService(store)
    }

    @Test func `a code pairs one device, once, however it is typed`() async throws {
        let code = try await devices.newCode(by: .key).code
        #expect(code.wholeMatch(of: /[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}/) != nil)
        #expect(try await devices.isOpen(code))
        let typed = " " + code.lowercased().replacing("-", with: " ")
        let token = try #require(try await devices.pair(typed, name: "Ada's phone"))
        #expect(devices.device(of: token) != nil)
        #expect(try await devices.isOpen(code) == false)
        #expect(try await devices.pair(code, name: "another") == nil)
        #expect(try await devices.devices().map(\.name) == ["Ada's phone"])
    }

    @Test(arguments: ["", "7KQM", "7KQM-4XR1", "7KQM-4XRTT", "0000-0000", "ÄÖÜ7-4XRT"])
    func `a text that is no code pairs nothing`(_ text: String) async throws {
        #expect(try await devices.pair(text, name: "x") == nil)
    }

    @Test func `a code is forgotten when its time is over, and only the newest twenty wait`() async throws {
        let digest = [UInt8](repeating: 7, count: 32)
        try store.addPairing(digest, expires: 100, now: 0)
        #expect(try store.isPairing(digest, now: 99))
        #expect(try store.isPairing(digest, now: 100) == false)
        #expect(try store.pair(digest, name: "late", token: digest, now: 100) == nil)
        for number in 0..<30 { try store.addPairing([UInt8(number)], expires: 1000 + Int64(number), now: 0) }
        #expect(try store.isPairing([9], now: 0) == false)
        #expect(try store.isPairing([29], now: 0))
    }

    @Test func `a revoked device is out at once, and unknown tokens were never in`() async throws {
        let code = try await devices.newCode(by: .key).code
        let token = try #require(try await devices.pair(code, name: "phone"))
        #expect(devices.device(of: token) != nil)
        let id = try #require(try await devices.devices().first).id
        #expect(try await devices.devices().first?.seen != nil)
        #expect(try await devices.remove(device: id))
        #expect(devices.device(of: token) == nil)
        #expect(try await devices.remove(device: id) == false)
        #expect(devices.device(of: "") == nil)
        #expect(devices.device(of: String(repeating: "x", count: 5000)) == nil)
    }

    @Test func `with a device go the devices that it paired, and the codes that they made`() async throws {
        func pair(by holder: TokenHolder) async throws -> (token: String, id: Int64) {
            let token = try #require(
                try await devices.pair(try await devices.newCode(by: holder).code, name: "phone"))
            return (token, try #require(devices.device(of: token)))
        }
        let (guest, other) = (try await pair(by: .key), try await pair(by: .key))
        let second = try await pair(by: .device(guest.id))
        let third = try await pair(by: .device(second.id))
        let (open, others) = (
            try await devices.newCode(by: .device(third.id)).code, try await devices.newCode(by: .key).code
        )
        #expect(try await devices.devices().map(\.pairedBy) == [second.id, guest.id, nil, nil])

        #expect(try await devices.remove(device: guest.id))
        for token in [guest.token, second.token, third.token] { #expect(devices.device(of: token) == nil) }
        #expect(try await devices.pair(open, name: "late") == nil)
        let late = try await devices.newCode(by: .device(second.id)).code
        #expect(try await devices.pair(late, name: "late") == nil, "it was removed while it asked")
        #expect(devices.device(of: other.token) != nil)
        #expect(try await devices.pair(others, name: "another") != nil)
    }

    @Test func `the database holds neither codes nor tokens`() async throws {
        let code = try await devices.newCode(by: .key).code
        let open = try await devices.newCode(by: .key).code
        let token = try #require(try await devices.pair(code, name: "phone"))
        for file in try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil) {
            let bytes = try Data(contentsOf: file)
            for secret in [token, code, open, open.replacing("-", with: "")] {
                #expect(bytes.firstRange(of: Data(secret.utf8)) == nil, "\(file.lastPathComponent)")
            }
        }
    }
}
