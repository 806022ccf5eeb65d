import Foundation
import Store
import TestSupport
import Testing

@testable import Household

@Suite("PINs")
struct LockTests {
    static let quick = SecretHash.Parameters(cost: 4, blockSize: 8, lanes: 1)
    private let folder: TemporaryFolder
    private let clock = TestClock()
    private let household: Household
    private let maria: Member
    private let phone: Device

    init() throws {
        folder = try TemporaryFolder()
        let store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        household = Household(store, parameters: Self.quick) { [clock] in clock.date }
        maria = try household.add(NewMember("Maria"))
        let token = try household.addDevice(name: "Phone")
        phone = try #require(try household.device(ofToken: token))
    }

    private func lock() throws -> Member.Lock? { try household.member(maria.id)?.lock }

    @Test func `scrypt gives the vector of RFC 7914`() throws {
        let hash = SecretHash(
            salt: Data("NaCl".utf8),
            hash: Data([
                0xFD, 0xBA, 0xBE, 0x1C, 0x9D, 0x34, 0x72, 0x00, 0x78, 0x56, 0xE7, 0x19, 0x0D, 0x01, 0xE9, 0xFE, 0x7C,
                0x6A,
                0xD7, 0xCB, 0xC8, 0x23, 0x78, 0x30, 0xE7, 0x73, 0x76, 0x63, 0x4B, 0x37, 0x31, 0x62,
            ]), parameters: .init(cost: 10, blockSize: 8, lanes: 16))
        #expect(try hash.matches("password"))
        #expect(try !hash.matches("Password"))
    }

    @Test(arguments: ["", "123", "123456789", "12a4", "１２３４", "12 4"])
    func `a PIN has four to eight digits`(pin: String) throws {
        #expect(throws: HouseholdProblem.self) { try household.setPIN(pin, of: maria.id) }
        #expect(try lock() == Member.Lock.none)
    }

    @Test func `a PIN closes the pages everywhere but on the device where it was set`() throws {
        let other = try #require(try household.device(ofToken: household.addDevice(name: "Tablet")))
        for device in [phone, other] { try household.use(device.id, by: maria.id, opens: true) }
        try household.setPIN("1234", of: maria.id, on: phone.id)
        let devices = try household.devices()
        #expect(devices.first { $0.id == phone.id }?.openUntil != nil)
        #expect(devices.first { $0.id == other.id }?.openUntil == nil)
        #expect(try lock() == .pin)
        try household.check("1234", of: maria.id, on: other.id)
        #expect(throws: HouseholdProblem.refused) { try household.check("1235", of: maria.id, on: other.id) }
        try household.removePIN(of: maria.id)
        #expect(try lock() == Member.Lock.none)
    }

    @Test func `after five wrong PINs a device waits, longer each time, and others do not`() throws {
        try household.setPIN("1234", of: maria.id)
        for _ in 0..<5 {
            #expect(throws: HouseholdProblem.refused) { try household.check("0000", of: maria.id, on: phone.id) }
        }
        #expect(throws: HouseholdProblem.tooMany(60)) { try household.check("1234", of: maria.id, on: phone.id) }
        try household.check("1234", of: maria.id, on: phone.id + 1)
        clock.pass(seconds: 60)
        #expect(throws: HouseholdProblem.refused) { try household.check("0000", of: maria.id, on: phone.id) }
        #expect(throws: HouseholdProblem.tooMany(120)) { try household.check("1234", of: maria.id, on: phone.id) }
        clock.pass(seconds: 120)
        try household.check("1234", of: maria.id, on: phone.id)
        #expect(throws: HouseholdProblem.refused, "a right PIN ends the count") {
            try household.check("0000", of: maria.id, on: phone.id)
        }
    }

    @Test func `all devices together try a hundred wrong PINs in a day`() throws {
        try household.setPIN("1234", of: maria.id)
        for number in 0..<100 {
            #expect(throws: HouseholdProblem.refused) {
                try household.check("0000", of: maria.id, on: 1000 + Int64(number))
            }
        }
        #expect(throws: HouseholdProblem.self) { try household.check("1234", of: maria.id, on: phone.id) }
        clock.pass(seconds: 86_400)
        try household.check("1234", of: maria.id, on: phone.id)
    }

    @Test func `a PIN whose removal was asked for opens after a day, unless the owner types it`() throws {
        try household.setPIN("1234", of: maria.id)
        try household.askRemoval(of: maria.id, by: "Jonas")
        let seen = try #require(try household.member(maria.id)?.removal)
        #expect(seen.askedBy == "Jonas")
        clock.pass(seconds: 80_000)
        try household.askRemoval(of: maria.id, by: "Ruth")
        #expect(try household.member(maria.id)?.removal == seen, "asking again changes nothing")
        #expect(throws: HouseholdProblem.refused) { try household.check("0000", of: maria.id, on: phone.id) }
        try household.check("1234", of: maria.id, on: phone.id)
        #expect(try household.member(maria.id)?.removal == nil)
        clock.pass(seconds: 86_400)
        #expect(try lock() == .pin)
        try household.askRemoval(of: maria.id, by: "Jonas")
        clock.pass(seconds: 86_399)
        #expect(try lock() == .pin)
        #expect(try household.cancelRemoval(of: maria.id))
        try household.askRemoval(of: maria.id, by: "Jonas")
        clock.pass(seconds: 86_400)
        #expect(try lock() == Member.Lock.none)
        #expect(try !household.cancelRemoval(of: maria.id), "what is removed does not come back")
        try household.check("anything", of: maria.id, on: phone.id)
    }

    @Test func `nobody asks for the removal of a PIN that is not there`() throws {
        #expect(throws: HouseholdProblem.self) { try household.askRemoval(of: maria.id, by: "Jonas") }
    }
}
