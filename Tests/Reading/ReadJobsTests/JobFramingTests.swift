import Core
import Foundation
import ReadJobs
import Testing

@Suite struct JobFramingTests {
    @Test func `a job survives framing unchanged`() throws {
        let path = try #require(FilePathBytes([0xFF, 0x2F]))
        let job = ReadJob(path: path, task: .read(domain: .menu, pieceSet: "tangram"), number: 7, reduced: true)
        let frame = try JobFraming.frame(job)
        #expect(try JobFraming.bodyLength(of: frame.prefix(4)) == frame.count - 4)
        #expect(try JSONCoding.decode(ReadJob.self, from: frame.dropFirst(4)) == job)
    }

    @Test func `an excessive body length is rejected before allocation`() {
        #expect(throws: JobFraming.FramingError.tooLong(0xFFFF_FFFF)) {
            try JobFraming.bodyLength(of: [0xFF, 0xFF, 0xFF, 0xFF])
        }
        #expect(throws: JobFraming.FramingError.headerCut(3)) { try JobFraming.bodyLength(of: [0, 0, 0]) }
    }
}
