import Foundation
import TestSupport
import Testing

/// A child's tangram through the API of a real daemon, with photos of the samples as pictures of a camera.
@Suite struct PlayTests {
    private func json(_ value: Any) throws -> Data { try JSONSerialization.data(withJSONObject: value) }

    private func number(_ value: Any?) -> Int { (value as? NSNumber)?.intValue ?? -1 }

    @Test func `pictures of a child lay a figure, and wrong pictures, figures and people are refused`()
        async throws
    {
        let daemon = try await LiveDaemon()
        defer { daemon.stop() }
        let leo = ["Tablesight-Member": "Leo"]
        let made = try await daemon.call("PUT", "/v1/people/Leo", try json(["allergens": [:], "role": "child"]))
        #expect(made.status < 300, "\(made.text)")
        let begun = try await daemon.call(
            "POST", "/v1/plays", try json(["game": "tangram", "puzzle": "square"]), leo)
        #expect(begun.status == 201 || begun.status == 200, "\(begun.text)")
        let play = number(begun.json["play"])
        let picture = try Data(contentsOf: Repository.samples.appending(path: "boards/coloured-square.jpg"))
        var view: [String: Any] = [:]
        // A worker that starts may leave a picture out.
        for _ in 0..<40 where (view["last"] as? [String: Any]).map({ !"\($0)".contains("levelComplete") }) ?? true {
            let read = try await daemon.call("POST", "/v1/plays/\(play)/frames", picture, leo)
            try #require(read.status == 200, "\(read.text)")
            view = read.json
            try await Task.sleep(for: .milliseconds(150))
        }
        #expect(number(view["seen"]) == 7)
        let parts = ((view["figure"] as? [String: Any])?["parts"] as? [[String: Any]]) ?? []
        #expect(parts.count == 7)
        let shown = try await daemon.call("GET", "/v1/plays/\(play)", nil, leo)
        #expect(shown.json["isSolved"] as? Bool == true, "\(shown.text.prefix(800))")
        let refused = try await daemon.call("POST", "/v1/plays/\(play)/frames", Data("no picture".utf8), leo)
        #expect(refused.status == 422)
        let unknown = try await daemon.call("POST", "/v1/plays", try json(["game": "tangram", "puzzle": "moon"]), leo)
        #expect(unknown.status == 400)
        let other = try await daemon.call("GET", "/v1/plays/\(play)", nil, ["Tablesight-Member": "Nobody"])
        #expect(other.status == 403, "nobody of this name is in the house")
    }
}
