import Foundation
import FoundationNetworking

/// A daemon as a real process in a temporary folder, and its API.
package final class LiveDaemon {
    /// What the daemon did not do.
    package struct Unexpected: Error, CustomStringConvertible {
        package let description: String
        init(_ description: String) { self.description = description }
    }

    package struct Reply {
        package var status: Int
        package var data: Data
        package var headers: [String: String]
        package var text: String { String(decoding: data, as: UTF8.self) }
        package var json: [String: Any] { (try? JSONSerialization.jsonObject(with: data) as? [String: Any]) ?? [:] }

        package func header(_ name: String) -> String? { headers[name.lowercased()] }
    }

    package let folder: TemporaryFolder
    package let inbox: URL
    package let results: URL
    private let daemon: Process
    package private(set) var address = ""
    package private(set) var token = ""

    /// - Parameter arguments: more arguments of `watch`.
    package init(_ arguments: [String] = [], environment: [String: String] = [:]) async throws {
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

    package func stop() {
        daemon.interrupt()
        daemon.waitUntilExit()
    }

    private func text(of name: String) async throws -> String {
        let file = results.appending(path: name)
        guard try await eventually({ (try? Data(contentsOf: file))?.isEmpty == false }) else {
            throw Unexpected("\(name) is missing")
        }
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// - Parameter headers: replace the token where they name `Authorization` or `Cookie`.
    package func call(
        _ method: String, _ path: String, _ body: Data? = nil, _ headers: [String: String] = [:]
    ) async throws -> Reply {
        guard let url = URL(string: address + path) else { throw Unexpected("no address: \(path)") }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body
        if headers["Authorization"] == nil, headers["Cookie"] == nil {
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        }
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let session = URLSession(configuration: .patient)
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(for: request)
        guard let http = response as? HTTPURLResponse else { throw Unexpected("\(response)") }
        let fields = http.allHeaderFields.map { ("\($0.key)".lowercased(), "\($0.value)") }
        return Reply(
            status: http.statusCode, data: data, headers: Dictionary(fields, uniquingKeysWith: { first, _ in first }))
    }

    /// The cookie of a browser that opened the link with the daemon's key, used by this member of the household.
    package func cookie(of member: String? = nil) async throws -> String {
        let signedIn = try await call("GET", "/?token=\(token)", nil, ["Accept": "text/html", "Cookie": "none=0"])
        guard let cookie = signedIn.header("Set-Cookie")?.split(separator: ";").first.map(String.init) else {
            throw Unexpected("no cookie: \(signedIn.text)")
        }
        guard let member else { return cookie }
        let body = try JSONSerialization.data(withJSONObject: ["member": member])
        let chosen = try await call("PUT", "/v1/session", body, ["Origin": address, "Cookie": cookie])
        guard chosen.status == 200 else { throw Unexpected(chosen.text) }
        return cookie
    }

    /// Sends a photo and waits for its outcome.
    ///
    /// - Returns: the id.
    package func upload(_ photo: URL) async throws -> String {
        let sent = try await call("POST", "/v1/images", try Data(contentsOf: photo), ["Content-Type": "image/jpeg"])
        guard [200, 202].contains(sent.status), let images = sent.json["images"] as? [[String: Any]],
            let id = images.first?["id"] as? String
        else { throw Unexpected(sent.text) }
        guard try await eventually({ try await call("GET", "/v1/outcomes/\(id)").status == 200 }) else {
            throw Unexpected("\(id) has no outcome")
        }
        return id
    }

    /// The files below the temporary folder that hold these bytes.
    package func files(holding bytes: Data) throws -> [String] {
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
