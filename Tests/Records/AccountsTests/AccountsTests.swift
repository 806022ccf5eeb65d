import Foundation
import Store
import Synchronization
import TestSupport
import Testing

@testable import Accounts

@Suite struct AccountsTests {
    private static let quick = PasswordHash.Parameters(cost: 4, blockSize: 8, lanes: 1)
    private let folder: TemporaryFolder
    private let store: OutcomeStore
    private let clock = TestClock()
    private let accounts: Accounts

    init() throws {
        folder = try TemporaryFolder()
        store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        accounts = Accounts(store, parameters: Self.quick) { [clock] in clock.date }
    }

    @Test func `scrypt gives the vector of RFC 7914`() throws {
        let hash = PasswordHash(
            salt: Data("NaCl".utf8),
            hash: Data([
                0xFD, 0xBA, 0xBE, 0x1C, 0x9D, 0x34, 0x72, 0x00, 0x78, 0x56, 0xE7, 0x19, 0x0D, 0x01, 0xE9, 0xFE, 0x7C,
                0x6A,
                0xD7, 0xCB, 0xC8, 0x23, 0x78, 0x30, 0xE7, 0x73, 0x76, 0x63, 0x4B, 0x37, 0x31, 0x62,
            ]), parameters: .init(cost: 10, blockSize: 8, lanes: 16))
        #expect(try hash.matches("password"))
        #expect(try !hash.matches("Password"))
    }

    @Test func `a password opens a session, and a wrong one or an unknown name is refused alike`() throws {
        try accounts.create("Ada", password: "correct horse")
        let (person, token) = try accounts.open("ada", password: "correct horse")
        #expect(person == "Ada")
        #expect(try accounts.person(ofSession: token) == "Ada")
        #expect(throws: AccountProblem.refused) { try accounts.open("Ada", password: "wrong horse") }
        #expect(throws: AccountProblem.refused) { try accounts.open("Nobody", password: "wrong horse") }
        try accounts.close(token)
        #expect(try accounts.person(ofSession: token) == nil)
    }

    @Test func `sessions end after 90 days, and at once with a new password`() throws {
        try accounts.create("Ada", password: "correct horse")
        let old = try accounts.open("Ada", password: "correct horse").token
        clock.pass(seconds: Double(Accounts.sessionSeconds) - 1)
        #expect(try accounts.person(ofSession: old) == "Ada")
        clock.pass(seconds: 1)
        #expect(try accounts.person(ofSession: old) == nil)
        let new = try accounts.open("Ada", password: "correct horse").token
        let own = try accounts.change("Ada", from: "correct horse", to: "battery staple")
        #expect(try accounts.person(ofSession: new) == nil)
        #expect(try accounts.person(ofSession: own) == "Ada", "whoever changes it stays signed in")
        #expect(throws: AccountProblem.refused) { try accounts.open("Ada", password: "correct horse") }
    }

    @Test func `more than thirty attempts in a minute are refused, with the right password too, and for unknown names`()
        throws
    {
        try accounts.create("Ada", password: "correct horse")
        for name in ["Ada", "Nobody"] {
            for _ in 0..<Accounts.attempts {
                #expect(throws: AccountProblem.refused) { try accounts.check(name, password: "wrong horse") }
                clock.pass(seconds: 1)
            }
            #expect(throws: AccountProblem.tooMany(30)) { try accounts.check(name, password: "correct horse") }
        }
        clock.pass(seconds: 60)
        #expect(try accounts.check("Ada", password: "correct horse") == "Ada")
    }

    @Test func `the current password is tried as often as one at signing in`() throws {
        try accounts.create("Ada", password: "correct horse")
        let token = try accounts.open("Ada", password: "correct horse").token
        #expect(throws: AccountProblem.bad("a password has 10 to 200 characters")) {
            try accounts.change("Ada", from: "correct horse", to: "short")
        }
        for _ in 0..<Accounts.attempts - 1 {
            #expect(throws: AccountProblem.refused) {
                try accounts.change("Ada", from: "wrong horse", to: "battery staple")
            }
        }
        #expect(throws: AccountProblem.tooMany(60)) {
            try accounts.change("Ada", from: "correct horse", to: "battery staple")
        }
        #expect(try accounts.person(ofSession: token) == "Ada", "a refused change ends nothing")
    }

    @Test func `a clock that is set back does not lock anybody out`() throws {
        try accounts.create("Ada", password: "correct horse")
        for _ in 0..<Accounts.attempts { _ = try? accounts.check("Ada", password: "wrong horse") }
        clock.pass(seconds: -86_400)
        #expect(try accounts.check("Ada", password: "correct horse") == "Ada")
    }

    @Test func `an unknown name costs the same hash as a wrong password, so that it takes as long`() throws {
        let hashes = Mutex<[PasswordHash.Parameters]>([])
        let usual = Accounts(
            store, now: { [clock] in clock.date }, hashing: { cost in hashes.withLock { $0.append(cost) } })
        try usual.create("Ada", password: "correct horse")
        for name in ["Ada", "Nobody"] {
            #expect(throws: AccountProblem.refused) { try usual.check(name, password: "wrong horse") }
        }
        #expect(hashes.withLock { $0 } == [.usual, .usual])
    }

    @Test func `names and passwords of a wrong form are refused`() throws {
        for name in ["", "  ", "---", String(repeating: "a", count: 61), "A\u{0}da"] {
            #expect(throws: AccountProblem.self) { try accounts.create(name, password: "correct horse") }
        }
        for password in ["short", String(repeating: "a", count: 201)] {
            #expect(throws: AccountProblem.self) { try accounts.create("Ada", password: password) }
        }
        try accounts.create("Ada", password: "correct horse")
        #expect(throws: AccountProblem.taken) { try accounts.create("ADA", password: "correct horse") }
    }

    @Test func `neither password nor session token is in the database`() throws {
        try accounts.create("Ada", password: "correct horse battery")
        let token = try accounts.open("Ada", password: "correct horse battery").token
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
            let data = try Data(contentsOf: folder.url.appending(path: name))
            #expect(data.range(of: Data("correct horse battery".utf8)) == nil, "\(name)")
            #expect(data.range(of: Data(token.utf8)) == nil, "\(name)")
        }
        #expect(try accounts.remove("ada"))
        #expect(try accounts.person(ofSession: token) == nil)
    }
}
