import HTTPTypes
import Hummingbird
import Testing

@testable import HTTPAPI

@Suite struct DiaryKeysTests {
    private func keys(_ fields: [String: String]) throws -> [String] {
        var head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1", path: "/")
        for (name, value) in fields { head.headerFields[try #require(HTTPField.Name(name))] = value }
        return Request(head: head, body: .init(buffer: .init())).diaryKeys
    }

    @Test func `keys come from the header and from the app's cookie, the header's first`() throws {
        #expect(try keys([:]) == [])
        #expect(try keys(["Tablesight-Diary-Key": "a1, b2"]) == ["a1", "b2"])
        #expect(try keys(["Cookie": "tablesight=token; tablesight-diary=c3.d4"]) == ["c3", "d4"])
        #expect(try keys(["Tablesight-Diary-Key": "a1", "Cookie": "tablesight-diary=c3"]) == ["a1", "c3"])
    }

    @Test func `a text that is no key is left out, and so is what exceeds the limit`() throws {
        #expect(try keys(["Tablesight-Diary-Key": "' OR 1=1,ok,\(String(repeating: "x", count: 101))"]) == ["ok"])
        let many = (0..<20).map { "k\($0)" }.joined(separator: ".")
        #expect(try keys(["Cookie": "tablesight-diary=\(many)"]).count == DiaryKeys.most)
    }
}
