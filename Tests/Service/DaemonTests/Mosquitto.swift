import Foundation
import Glibc
import TestSupport
import Testing

/// A broker of its own for one test, on the loopback. It keeps its port when it is started again.
final class Mosquitto {
    static let program = ["/usr/sbin/mosquitto", "/usr/bin/mosquitto", "/usr/local/sbin/mosquitto"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    /// Without them, tests of the broker are skipped with this reason.
    static let isInstalled = program != nil && FileManager.default.isExecutableFile(atPath: "/usr/bin/mosquitto_sub")
    static let reason: Comment = "mosquitto is not installed: scripts/setup --with-mqtt"

    let port: Int
    private let folder: TemporaryFolder
    private var broker: Process?
    private var subscriber: Process?

    /// - Parameter settings: lines of its configuration besides the listener; nil admits everybody.
    init(_ settings: String? = nil) throws {
        folder = try TemporaryFolder()
        port = try Self.freePort()
        let lines = settings ?? "allow_anonymous true"
        // Run as root, it would change to a user that cannot read the test's files.
        try "user root\nlistener \(port) 127.0.0.1\n\(lines)\n".write(
            to: folder.url.appending(path: "conf"), atomically: false, encoding: .utf8)
    }

    deinit {
        kill()
        // Without its broker it waits to connect again and does not see SIGTERM.
        if let subscriber, subscriber.isRunning { Glibc.kill(subscriber.processIdentifier, SIGKILL) }
    }

    func start() async throws {
        let process = Process()
        process.executableURL = URL(filePath: try #require(Self.program))
        process.arguments = ["-c", folder.url.appending(path: "conf").path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        broker = process
        #expect(try await eventually { Self.isOpen(port) })
    }

    func kill() {
        guard let broker, broker.isRunning else { return }
        Glibc.kill(broker.processIdentifier, SIGKILL)
        broker.waitUntilExit()
    }

    /// Subscribes to everything, until the test ends.
    func subscribe() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/mosquitto_sub")
        process.arguments = ["-p", "\(port)", "-t", "#", "-q", "1", "-F", "%r %t %p", "-c", "-i", "subscriber"]
        let file = folder.url.appending(path: "received")
        try Data().write(to: file)
        process.standardOutput = try FileHandle(forWritingTo: file)
        process.standardError = FileHandle.nullDevice
        try process.run()
        subscriber = process
    }

    /// Each received message as `RETAINED TOPIC PAYLOAD`, in order.
    func received() throws -> [String] {
        try String(contentsOf: folder.url.appending(path: "received"), encoding: .utf8).split(separator: "\n")
            .map(String.init)
    }

    /// The last payload on this topic; empty if there is none.
    func last(_ topic: String) throws -> String {
        let line = try received().last { $0.dropFirst(2).hasPrefix(topic + " ") }
        return line.map { String($0.dropFirst(topic.count + 3)) } ?? ""
    }

    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = in_port_t(port).bigEndian
        return address
    }

    private static func with<Result>(
        _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }

    /// A port below those that connections get by themselves.
    private static func freePort() throws -> Int {
        for _ in 0..<100 {
            let port = Int.random(in: 20_000..<32_000)
            let one = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(one) }
            var address = address(port)
            if with(&address, { bind(one, $0, $1) }) == 0 { return port }
        }
        throw POSIXError(.EADDRINUSE)
    }

    private static func isOpen(_ port: Int) -> Bool {
        let one = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(one) }
        var address = address(port)
        return with(&address) { connect(one, $0, $1) } == 0
    }
}
