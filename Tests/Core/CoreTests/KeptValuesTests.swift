import Core
import Foundation
import Testing

struct KeptValuesTests {
    private struct Unreadable: Error {}

    /// Each value is the number of the call that made it.
    private func number(_ made: inout Int, _ bytes: Data) throws -> Int {
        guard !bytes.isEmpty else { throw Unreadable() }
        made += 1
        return made
    }

    @Test func `equal bytes are decoded once, and others at once`() throws {
        let values = KeptValues<Int>(most: 2)
        var made = 0
        for (bytes, expected) in [("x", 1), ("x", 1), ("y", 2), ("y", 2), ("x", 3)] {
            #expect(try values.value(of: "a", in: Data(bytes.utf8)) { try number(&made, $0) } == expected, "\(bytes)")
        }
        #expect(throws: Unreadable.self) { try values.value(of: "a", in: Data()) { try number(&made, $0) } }
        #expect(try values.value(of: "a", in: Data("x".utf8)) { try number(&made, $0) } == 3)
    }

    @Test func `the value that was not used for longest makes room, and large bytes are not kept`() throws {
        let values = KeptValues<Int>(most: 2, mostBytes: 3)
        var made = 0
        func value(_ name: String, _ bytes: String = "x") throws -> Int {
            try values.value(of: name, in: Data(bytes.utf8)) { try number(&made, $0) }
        }
        #expect(try [value("a"), value("b"), value("a"), value("c")] == [1, 2, 1, 3])
        #expect(try [value("a"), value("b")] == [1, 4])
        #expect(values.count == 2)
        #expect(try [value("d", "long"), value("d", "long"), value("a")] == [5, 6, 1])
    }
}
