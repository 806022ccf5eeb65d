import Foundation
import TestSupport
import Testing
import Core

@testable import Streaming

struct PictureStreamTests {
    /// All pictures of a stream that arrives in chunks of this size.
    private func pictures(_ data: Data, inPiecesOf size: Int) throws -> [PictureStream.Picture] {
        var rest = data
        var stream = PictureStream {
            let piece = Data(rest.prefix(size))
            rest = Data(rest.dropFirst(size))
            return piece
        }
        var all: [PictureStream.Picture] = []
        while let picture = try stream.next() { all.append(picture) }
        return all
    }

    @Test(arguments: [4096, 65536, 1 << 24])
    func `pictures keep their bytes`(size: Int) throws {
        let photos = try Sample.all(in: "boards").prefix(4).map { try Data(contentsOf: $0.photo) }
        let found = try pictures(photos.reduce(Data(), +), inPiecesOf: size)
        #expect(found.map(\.data) == Array(photos))
        #expect(Set(found.map(\.fileExtension)) == ["jpg"])
    }

    @Test func `frames of a video have their time`() throws {
        let frame = { (time: Int) in Data("P6\n# t_ns=\(time)\n2 3\n255\n".utf8) + Data(repeating: 7, count: 18) }
        let found = try pictures(frame(0) + frame(33_000_000), inPiecesOf: 5)
        #expect(found.map(\.time) == [0, 33_000_000])
        #expect(found.map(\.data.count) == [frame(0).count, frame(33_000_000).count])
    }

    @Test func `an incomplete picture and other bytes are errors`() throws {
        let photo = try Data(contentsOf: Sample.all(in: "boards")[0].photo)
        #expect(throws: StartupError.self) { try pictures(photo.dropLast(500), inPiecesOf: 4096) }
        #expect(throws: StartupError.self) { try pictures(Data("hello, world".utf8), inPiecesOf: 4096) }
    }
}
