import Core
import Foundation
import Household
import HTTP
import Intake
import Store
import Synchronization
import TestSupport
import Testing

@testable import App
@testable import Daemon

/// An upload whose size nobody declared: its parts are counted as they arrive.
@Suite struct UploadFileTests {
    private static let limit = 64
    private static let head: [UInt8] = [0xFF, 0xD8, 0xFF]
    private let folder: TemporaryFolder
    private let notes = Notes()

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Data(), to: "uploads/.keep")
    }

    private func upload(hasRoom: @escaping @Sendable () -> Bool = { true }) throws -> UploadFile {
        let notes = notes
        let place = try folder.path(below: "uploads")
        return try UploadFile(
            in: try #require(OpenFolder.open(place, below: place)), limit: Self.limit,
            on: ThreadExecutor(label: "uploads"), hasRoom: hasRoom,
            store: { _, name, content, ending, _ in
                notes.add("\(name.hasPrefix(UploadFile.prefix)) \(ending)")
                return PhotoStatus(id: content, state: .queued, outcome: nil, paths: [])
            }, ended: { notes.add("ended") })
    }

    private var names: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.url.appending(path: "uploads").path)
                .filter { $0 != ".keep" }
        }
    }

    private static func code(_ work: () async throws -> Void) async -> String? {
        do {
            try await work()
            return nil
        } catch {
            return (error as? Problem)?.code ?? "\(error)"
        }
    }

    /// Sizes of the parts of a photo, and whether it is accepted.
    @Test(arguments: [
        ([limit], true), ([limit + 1], false), ([40, limit - 40], true), ([40, limit - 39], false),
        (Array(repeating: 1, count: limit), true), (Array(repeating: 1, count: limit + 1), false),
    ])
    func `parts are accepted up to the limit, whatever their sizes`(_ sizes: [Int], _ isAccepted: Bool) async throws {
        let file = try upload()
        let all = Self.head + Array(repeating: 7, count: sizes.reduce(0, +) - Self.head.count)
        var start = 0
        let code = await Self.code {
            for size in sizes {
                try await file.write(Array(all[start..<(start + size)]))
                start += size
            }
            _ = try await file.finish(key: nil)
        }
        #expect(code == (isAccepted ? nil : "tooLarge"))
        await file.cancel()
        #expect(notes.all == (isAccepted ? ["true jpg", "ended"] : ["ended"]))
        #expect(try names == [])
    }

    @Test func `bytes that are no photo are refused, and their file is removed`() async throws {
        let file = try upload()
        let code = await Self.code {
            try await file.write(Array("hello".utf8))
            _ = try await file.finish(key: nil)
        }
        #expect(code == "badFormat" && notes.all == ["ended"])
        #expect(try names == [])
    }

    @Test func `an upload stops when the disk is full`() async throws {
        let questions = Mutex(0)
        let file = try upload {
            questions.withLock { asked in
                asked += 1
                return asked < 3
            }
        }
        let code = await Self.code {
            try await file.write(Self.head)
            try await file.write([1])
        }
        #expect(code == "diskFull")
        await file.cancel()
        #expect(try names == [])
    }
}
