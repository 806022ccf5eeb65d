import Foundation
import HTTPTypes
import Hummingbird
import TestSupport
import Testing

@testable import HTTP

/// Cookies of the app.
@Suite struct CookieTests {
    private func request(_ proto: String?) throws -> Request {
        var head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1", path: "/")
        if let proto { head.headerFields[try #require(HTTPField.Name("X-Forwarded-Proto"))] = proto }
        return Request(head: head, body: .init(buffer: .init()))
    }

    @Test func `behind TLS a cookie is sent over TLS only, and without it also without`() throws {
        for (proto, ending) in [("https", "; Secure"), ("HTTPS", "; Secure"), ("http", ""), (nil, "")] {
            var response = Response(status: .ok)
            response.setCookie("a", "b", seconds: 60, for: try request(proto))
            #expect(
                response.headers[values: .setCookie]
                    == ["a=b; Path=/; Max-Age=60; HttpOnly; SameSite=Strict\(ending)"])
        }
    }

    @Test func `all cookies are made in one place`() throws {
        let sources = Repository.root.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var makers: [String] = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            if text.contains(".setCookie]") || text.contains(": .setCookie") || text.contains("\"Set-Cookie\"") {
                makers.append(file.lastPathComponent)
            }
        }
        #expect(makers == ["Cookies.swift"])
    }
}
