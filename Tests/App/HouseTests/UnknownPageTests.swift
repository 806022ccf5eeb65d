import Testing

@testable import App

@Suite(.serialized) struct UnknownPageTests {
    @Test func `a browser at an address that does not exist gets a page, and a program JSON`() async throws {
        let house = try await House.furnished().house
        let phone = try house.device(of: "Ada", opens: true)
        for cookie in [phone, nil] {
            let page = try await house.browse("GET", "/nowhere/at/all", cookie: cookie)
            #expect(page.status == 404 && page.headers[.contentType]?.hasPrefix("text/html") == true, "\(page.text)")
            #expect(page.text.contains("There is no such page") && page.text.contains("href=\"/\""))
        }
        let german = try await house.browse(
            "GET", "/nirgends", cookie: phone, headers: ["Accept-Language": "de"])
        #expect(german.text.contains("Diese Seite gibt es nicht"))
        for path in ["/nowhere", "/v1/nowhere"] {
            let reply = try await house.call("GET", path, as: phone)
            #expect(reply.status == 404 && reply.code == "notFound", "\(reply.text)")
        }
        #expect(try await house.browse("GET", "/v1/nowhere", cookie: phone).code == "notFound")
    }
}
