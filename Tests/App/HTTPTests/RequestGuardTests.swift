import Foundation
import FoundationNetworking
import HTTP
import Hummingbird
import Logging
import Metrics
import ServiceLifecycle
import TestSupport
import Testing

/// The guard and the health routes, with a live server on a free port.
@Suite struct RequestGuardTests {
    /// Status and body of the answer.
    private func get(
        _ path: String, _ headers: [String: String] = [:], isAlive: Bool = true, host: String = "127.0.0.1"
    ) async throws -> (status: Int, body: String) {
        let probe = DaemonProbe(isAlive: { isAlive }, shortcomings: { ["the disk is full"] })
        let route = Route(.get, "metrics", for: .adult, "Metrics", gives: ("text/plain", "Text.")) { _ in
            Response(status: .ok, body: .init(byteBuffer: .init(string: "metric 1\n")))
        }
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let server = APIServer(
            APISettings(host: host, port: 0, token: "right", allowedHosts: ["kitchen.example"]), probe: probe,
            routes: [route], logger: Logger(label: "test")
        ) { continuation.yield($0) }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            defer { group.cancelAll() }
            var iterator = ports.makeAsyncIterator()
            let port = try #require(await iterator.next())
            var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)\(path)")))
            for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
            let (data, response) = try await URLSession(configuration: .patient).data(for: request)
            return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
        }
    }

    @Test(arguments: [
        (["Host": "192.168.1.20:8765"], 200), (["Host": "[fd00::20]:8765"], 200), (["Host": "evil.example"], 403),
        (["Host": "192.168.1.20.evil.example"], 403), (["Host": "fd00::20"], 403),
        (["Host": "1.2.3.4@evil.example"], 403),
        (["Host": "192.168.1.20:8765", "Origin": "http://192.168.1.20:8765"], 200),
        (["Host": "192.168.1.20:8765", "Origin": "http://6.6.6.6"], 403),
        (["Host": "192.168.1.20:8765", "Origin": "http://evil.example"], 403),
    ])
    func `phones call a server for the network by its address, and websites do not`(
        _ headers: [String: String], _ status: Int
    ) async throws {
        let headers = headers.merging(bearer) { $1 }
        #expect(try await get("/metrics", headers, host: "0.0.0.0").status == status)
        #expect(try await get("/metrics", headers).status == 403, "for this machine alone nothing changes")
    }

    private let bearer = ["Authorization": "Bearer right"]

    @Test func `health needs no token and reports what is wrong`() async throws {
        #expect(try await get("/healthz").status == 200)
        #expect(try await get("/healthz", isAlive: false).status == 503)
        let ready = try await get("/readyz")
        #expect(ready.status == 503)
        #expect(ready.body.contains("the disk is full"))
    }

    @Test func `metrics need the token, which is no cookie`() async throws {
        #expect(try await get("/metrics", bearer).body == "metric 1\n")
        #expect(try await get("/metrics", ["Cookie": "tablesight=right"]).status == 401)
        #expect(try await get("/metrics?token=right").status == 200)
        #expect(try await get("/metrics").status == 401)
        #expect(try await get("/metrics", ["Authorization": "Bearer wrong"]).status == 401)
    }

    @Test(arguments: [
        ("Host", "evil.example", 403), ("Host", "localhost.evil.example", 403), ("Host", "kitchen.example:80", 200),
        ("Host", "[::1].evil.example", 403), ("Host", "[::1]evil.example:80", 403), ("Host", "[::1", 403),
        ("Host", "127.0.0.1:80.evil.example", 403), ("Host", "localhost:80@evil.example", 403),
        ("Host", "[::1]:8765", 200), ("Host", "localhost:", 200),
        ("Origin", "http://[::1].evil.example", 403), ("Origin", "http://localhost:80.evil.example", 403),
        ("Origin", "http://evil.example", 403), ("Origin", "null", 403), ("Origin", "http://localhost:5173", 200),
    ])
    func `another host or origin is refused, also with the token`(header: String, value: String, status: Int)
        async throws
    {
        #expect(try await get("/metrics", bearer.merging([header: value]) { $1 }).status == status)
    }
}

@Suite struct PrometheusRegistryTests {
    @Test func `counters, gauges and timers are written as Prometheus text`() {
        let registry = PrometheusRegistry()
        registry.makeCounter(label: "jobs_total", dimensions: [("reason", "a \"b\"")]).increment(by: 2)
        registry.makeRecorder(label: "depth", dimensions: [], aggregate: false).record(3.0)
        registry.makeTimer(label: "stage_seconds", dimensions: [("stage", "text")]).recordNanoseconds(200_000_000)
        let lines = Set(registry.text.split(separator: "\n").map(String.init))
        #expect(
            lines.isSuperset(of: [
                "# TYPE jobs_total counter", #"jobs_total{reason="a \"b\""} 2.0"#, "# TYPE depth gauge", "depth 3.0",
                #"stage_seconds_bucket{stage="text",le="0.1"} 0"#, #"stage_seconds_bucket{stage="text",le="0.3"} 1"#,
                #"stage_seconds_bucket{stage="text",le="+Inf"} 1"#, #"stage_seconds_count{stage="text"} 1"#,
            ]))
    }
}
