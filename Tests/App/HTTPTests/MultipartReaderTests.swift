import Foundation
import Testing

@testable import HTTP

@Suite struct MultipartReaderTests {
    private static let body = """
        --edge\r
        Content-Disposition: form-data; name="note"\r
        \r
        hello\r
        --edge\r
        Content-Disposition: form-data; name="photo"; filename="a.jpg"\r
        Content-Type: image/jpeg\r
        \r
        one\r\n--edg two\r
        --edge--\r

        """

    /// The parts, with the data of each joined.
    private func parts(_ chunks: [[UInt8]]) throws -> [(name: String?, file: String?, data: String)] {
        var reader = try #require(MultipartReader(contentType: "multipart/form-data; boundary=edge"))
        var found: [(name: String?, file: String?, data: String)] = []
        for chunk in chunks {
            for event in try reader.read(chunk) {
                switch event {
                case .part(let name, let file): found.append((name, file, ""))
                case .data(let bytes): found[found.count - 1].data += String(decoding: bytes, as: UTF8.self)
                case .endOfPart: break
                }
            }
        }
        #expect(reader.isComplete)
        return found
    }

    @Test(arguments: [1, 2, 7, 1000])
    func `parts are the same however the body is cut`(size: Int) throws {
        let bytes = Array(Self.body.utf8)
        let chunks = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min(bytes.count, $0 + size)]) }
        let found = try parts(chunks)
        #expect(found.map(\.name) == ["note", "photo"])
        #expect(found.map(\.file) == [nil, "a.jpg"])
        #expect(found.map(\.data) == ["hello", "one\r\n--edg two"])
    }

    @Test func `a body that ends too early is not complete`() throws {
        var reader = try #require(MultipartReader(contentType: "multipart/form-data; boundary=\"edge\""))
        _ = try reader.read(Array(Self.body.utf8.dropLast(8)))
        #expect(!reader.isComplete)
    }

    @Test func `long headers, many parts and wrong delimiters are refused`() throws {
        func read(_ text: String) throws {
            var reader = try #require(MultipartReader(contentType: "multipart/form-data; boundary=edge"))
            _ = try reader.read(Array(text.utf8))
        }
        #expect(throws: Problem.self) { try read("--edge\r\nX: " + String(repeating: "a", count: 5000)) }
        #expect(throws: Problem.self) { try read(String(repeating: "--edge\r\nX: y\r\n\r\n\r\n", count: 40)) }
        #expect(throws: Problem.self) { try read("--edgeXX") }
        #expect(MultipartReader(contentType: "multipart/form-data") == nil)
        #expect(MultipartReader(contentType: "text/plain; boundary=edge") == nil)
    }
}
