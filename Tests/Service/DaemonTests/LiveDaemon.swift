import Foundation
import FoundationNetworking
import TestSupport
import Testing

/// A daemon as a real process in a temporary folder, and its API.
final class LiveDaemon {
    struct Reply {
        var status: Int
        var data: Data
        var headers: [String: String]
        var text: String { String(decoding: data, as: UTF8.self) }
        var json: [String: Any] { (try? JSONSerialization.jsonObject(with: data) as? [String: Any]) ?? [:] }

        func header(_ name: String) -> String? { headers[name.lowercased()] }
    }

    let folder: TemporaryFolder
    let inbox: URL
    let results: URL
    private let daemon: Process
    private(set) var address = ""
    private(set) var token = ""

    /// - Parameter arguments: more arguments of `watch`.
    init(_ arguments: [String] = [], environment: [String: String] = [:]) async throws {
        folder = try TemporaryFolder()
        inbox = folder.url.appending(path: "inbox")
        results = folder.url.appending(path: "inbox.tablesight")
        try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: true)
        let people = ["TABLESIGHT_PEOPLE": folder.url.appending(path: "people.sqlite").path]
        daemon = try Program("tablesight").start(
            ["watch", inbox.path, "--port", "0"] + arguments, output: folder.url.appending(path: "out"),
            environment: people.merging(environment) { $1 })
        address = try await text(of: "api-address")
        token = try await text(of: "api-token")
    }

    func stop() {
        daemon.interrupt()
        daemon.waitUntilExit()
    }

    private func text(of name: String) async throws -> String {
        let file = results.appending(path: name)
        let found = try await eventually { (try? Data(contentsOf: file))?.isEmpty == false }
        #expect(found, "\(name) is missing")
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// - Parameter headers: replace the token where they name `Authorization` or `Cookie`.
    func call(
        _ method: String, _ path: String, _ body: Data? = nil, _ headers: [String: String] = [:]
    ) async throws -> Reply {
        var request = URLRequest(url: try #require(URL(string: address + path)))
        request.httpMethod = method
        request.httpBody = body
        if headers["Authorization"] == nil, headers["Cookie"] == nil {
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        }
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let session = URLSession(configuration: .patient)
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(for: request)
        let http = try #require(response as? HTTPURLResponse)
        let fields = http.allHeaderFields.map { ("\($0.key)".lowercased(), "\($0.value)") }
        return Reply(
            status: http.statusCode, data: data, headers: Dictionary(fields, uniquingKeysWith: { first, _ in first }))
    }

    /// The cookie of a browser that opened the link with the daemon's key, used by this member of the household.
    func cookie(of member: String? = nil) async throws -> String {
        let signedIn = try await call("GET", "/?token=\(token)", nil, ["Accept": "text/html", "Cookie": "none=0"])
        let cookie = try #require(signedIn.header("Set-Cookie")?.split(separator: ";").first.map(String.init))
        guard let member else { return cookie }
        let body = try JSONSerialization.data(withJSONObject: ["member": member])
        let chosen = try await call("PUT", "/v1/session", body, ["Origin": address, "Cookie": cookie])
        #expect(chosen.status == 200, "\(chosen.text)")
        return cookie
    }

    /// Sends a photo and waits for its outcome.
    ///
    /// - Returns: the id.
    func upload(_ photo: URL) async throws -> String {
        let sent = try await call("POST", "/v1/images", try Data(contentsOf: photo), ["Content-Type": "image/jpeg"])
        #expect([200, 202].contains(sent.status), "\(sent.text)")
        let images = try #require(sent.json["images"] as? [[String: Any]])
        let id = try #require(images.first?["id"] as? String)
        #expect(try await eventually { try await call("GET", "/v1/outcomes/\(id)").status == 200 })
        return id
    }

    /// The files below the temporary folder that hold these bytes.
    func files(holding bytes: Data) throws -> [String] {
        let all = FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: nil)?.allObjects ?? []
        return try all.compactMap { $0 as? URL }.filter { url in
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), !isFolder.boolValue,
                url.pathExtension != "sock"
            else { return false }
            return try Data(contentsOf: url).range(of: bytes) != nil
        }.map(\.lastPathComponent)
    }
}
