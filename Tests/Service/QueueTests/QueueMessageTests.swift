import Core
import Foundation
import Hashing
import Testing

@testable import Queue

/// Messages of the queue come from other machines: what is no valid job or result is refused with a reason.
@Suite struct QueueMessageTests {
    static let versions = ReaderVersions(program: "0.1.0", readers: "abc")
    static let content = "sha256:" + String(repeating: "a", count: 64)

    private let job = QueueJob(
        dispatch: 7, content: content, bytes: 10, versions: versions, domain: .menu, pieceSet: nil, reduced: false,
        photoLimits: nil, limits: .init(wallClockMs: 1000, processorSeconds: 1, residentBytes: 1), patienceMs: 5000)

    private func result(_ worker: String = "kitchen-2", text: String = "ok") -> QueueResult {
        QueueResult(
            dispatch: 7, key: job.key, content: Self.content, versions: Self.versions, worker: worker,
            answer: ReadAnswer(models: ["test": text]))
    }

    @Test func `a job and a result survive the way`() throws {
        #expect(QueueJob(message: try JSONCoding.encode(job)) == job)
        let message = try result().message()
        #expect(try QueueResult(message: message) == result())
    }

    @Test func `the key is the same for another publication, and another for other work`() {
        var again = job
        again.dispatch = 8
        #expect(again.key == job.key)
        again.reduced = true
        #expect(again.key != job.key)
    }

    @Test func `an answer of 4 MiB fits into a usual message`() throws {
        let corner = Point(10, 20)
        let box = Quad(topLeft: corner, topRight: corner, bottomRight: corner, bottomLeft: corner)
        let line = TextLine(text: "Tomatensuppe mit Croutons", confidence: 0.9, box: box, words: [])
        let text = TextReading(languages: ["de"], lines: Array(repeating: line, count: 30_000))
        var long = result()
        long.answer = ReadAnswer(readings: Readings(text: text))
        #expect(try JSONCoding.encode(long).count > 3 << 20)
        #expect(try long.message().count < 1 << 20)
    }

    @Test func `noise, bombs and forged values are refused`() throws {
        var random = SystemRandomNumberGenerator()
        let noise = Data((0..<(4 << 20)).map { _ in UInt8.random(in: 0...255, using: &random) })
        #expect(throws: QueueResult.Refusal.self) { try QueueResult(message: noise) }
        #expect(throws: QueueResult.Refusal.size) { try QueueResult(message: Data()) }
        #expect(throws: QueueResult.Refusal.size) { try QueueResult(message: Data(count: 5 << 20)) }
        // A small message that claims, or unpacks to, more than a result may have.
        let message = try result().message()
        #expect(throws: QueueResult.Refusal.size) {
            try QueueResult(message: Data([0x7F, 0xFF, 0xFF, 0xFF]) + message.dropFirst(4))
        }
        #expect(throws: QueueResult.Refusal.compression) {
            try QueueResult(message: Data([0, 0, 0, 9]) + message.dropFirst(4))
        }
        #expect(throws: QueueResult.Refusal.values) { try QueueResult(message: try result("a b\n").message()) }
        var both = result()
        both.fault = .init(.crash)
        #expect(throws: QueueResult.Refusal.values) { try QueueResult(message: try both.message()) }
        #expect(QueueJob(message: noise) == nil)
        var forged = job
        forged.limits.wallClockMs = 0
        #expect(QueueJob(message: try JSONCoding.encode(forged)) == nil)
    }
}

/// Addresses and credentials: nothing secret in an address, nothing that others can read.
@Suite struct QueueServerTests {
    @Test(arguments: [
        ("nats://localhost", true), ("nats://127.0.0.1:4333", true), ("nats://[::1]:4222", true),
        ("tls://queue.example", false), ("nats://127.0.0.1.evil.example", false), ("nats://10.0.0.5", false),
    ])
    func `only loopback addresses are loopback`(text: String, isLoopback: Bool) throws {
        #expect(try QueueAddress(text).isLoopback == isLoopback)
    }

    @Test(arguments: ["", "localhost", "http://localhost", "nats://", "nats://me:secret@host", "nats://host/x"])
    func `other addresses are refused`(text: String) {
        #expect(throws: StartupError.self) { try QueueAddress(text) }
    }

    @Test func `an NKey's public key follows from its seed`() throws {
        // A pair of the nkeys documentation.
        let seed = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY"
        #expect(seed.count == NKey.length)
        #expect(NKey.publicKey(ofSeed: seed) == "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4")
        #expect(NKey.publicKey(ofSeed: seed.replacing("KFSN", with: "KFSM")) == nil)
        let pair = try #require(NKey.make())
        #expect(NKey.publicKey(ofSeed: pair.seed) == pair.publicKey)
        #expect(pair.seed.hasPrefix("SU") && pair.publicKey.hasPrefix("U"))
    }

    @Test func `credentials are read from files that only their owner can read`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "queue-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "credentials").path
        func write(_ text: String, mode: Int = 0o600) throws {
            try Data(text.utf8).write(to: URL(filePath: file))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        }
        try write("worker\ns3cret:with@signs\n")
        #expect(try QueueCredentials(file: file) == .user("worker", password: "s3cret:with@signs"))
        let pair = try #require(NKey.make())
        try write(pair.seed + "\n")
        #expect(try QueueCredentials(file: file) == .nkey(pair.publicKey, seedFile: file))
        try write("only one line")
        #expect(throws: StartupError.self) { try QueueCredentials(file: file) }
        try write("worker\nsecret\n", mode: 0o644)
        #expect(throws: StartupError.self) { try QueueCredentials(file: file) }
    }
}
