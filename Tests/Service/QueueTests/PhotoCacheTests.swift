import Core
import Foundation
import Glibc
import Hashing
import TestSupport
import Testing

@testable import Queue

/// Fetched photos: proved, bounded, and never those of another content.
@Suite struct PhotoCacheTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func content(_ data: Data) -> String { "sha256:" + SHA256.hexadecimal(SHA256.digest(of: data)) }

    private func keep(_ data: Data, in cache: PhotoCache) throws {
        let photo = try cache.begin()
        try photo.write(data)
        close(cache.keep(photo, as: content(data)))
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    @Test func `a kept photo is found, and one that was changed is not`() async throws {
        let cache = try PhotoCache(folder: folder.url, mostBytes: 1 << 20)
        let data = Data("photo".utf8)
        try keep(data, in: cache)
        let file = try #require(await cache.find(content(data), bytes: data.count))
        close(file)
        #expect(await cache.find(content(data), bytes: data.count + 1) == nil)
        try keep(data, in: cache)
        try Data("other".utf8).write(to: folder.url.appending(path: String(content(data).dropFirst(7))))
        #expect(await cache.find(content(data), bytes: data.count) == nil)
        #expect(try names == [])
    }

    @Test func `the oldest photos give way, and what did not arrive leaves nothing`() async throws {
        let cache = try PhotoCache(folder: folder.url, mostBytes: 2500)
        let photos = (0..<4).map { Data(repeating: UInt8($0), count: 1000) }
        for (number, data) in photos.enumerated() {
            try keep(data, in: cache)
            // The kernel's clock moves in steps of milliseconds, so two of them may have one time.
            let place = folder.url.appending(path: String(content(data).dropFirst(7))).path
            let time = Date(timeIntervalSince1970: 1_790_000_000 + Double(number))
            try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: place)
        }
        #expect(try names.count <= 2)
        let last = try #require(await cache.find(content(photos[3]), bytes: 1000))
        close(last)
        #expect(await cache.find(content(photos[0]), bytes: 1000) == nil)
        _ = try cache.begin()
        #expect(try names.allSatisfy { !$0.hasSuffix(".part") })
    }

    @Test func `a photo of a shared folder is proved, and links do not lead out of it`() async throws {
        let data = Data("shared".utf8)
        try folder.write(data, to: "inbox/a.png")
        try folder.write(Data("secret".utf8), to: "secret.png")
        let link = folder.url.appending(path: "inbox/link.png").path
        #expect(symlink(folder.url.appending(path: "secret.png").path, link) == 0)
        let source = PhotoSource(
            .share(try folder.path(below: "inbox")),
            cache: try PhotoCache(folder: folder.url.appending(path: "cache"), mostBytes: 1000))
        var job = QueueJob(
            dispatch: 1, content: content(data), bytes: data.count, versions: QueueMessageTests.versions, domain: nil,
            pieceSet: nil, reduced: false, photoLimits: nil,
            limits: .init(wallClockMs: 1, processorSeconds: 1, residentBytes: 1), patienceMs: 1000,
            shared: FilePathBytes("a.png"))
        #expect(try await source.photo(for: job).descriptor >= 0)
        job.content = content(Data("secret".utf8))
        await #expect(throws: QueueResult.Fault.self) { try await source.photo(for: job) }
        for path in ["link.png", "../secret.png", "/etc/passwd", "missing.png"] {
            job.shared = FilePathBytes(path)
            await #expect(throws: QueueResult.Fault.self, "\(path)") { try await source.photo(for: job) }
        }
    }
}
