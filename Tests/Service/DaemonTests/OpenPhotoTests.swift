import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing
import Core

@testable import Daemon

@Suite struct OpenPhotoTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private func open(_ file: URL) throws -> OpenPhoto { try OpenPhoto.open(try #require(FilePathBytes(file.path))) }

    @Test func `an unchanged file has the hash of its bytes`() async throws {
        let content = try await open(try folder.write(Data("photo".utf8), to: "a.png")).content()
        #expect(content.id == "sha256:55c64d0fcd6f9d5f7c828093857e3fdfda68478bb4e9bd24d481ef391c7804e8", "sha256sum")
        #expect(content.bytes == 5)
    }

    @Test(.timeLimit(.minutes(15)))
    func `a file that changes during hashing has no identity`() async throws {
        for grows in [false, true] {
            let file = try folder.write(Data(), to: "a.png")
            let descriptor = Glibc.open(file.path, O_RDWR)
            defer { close(descriptor) }
            // Sparse, and large enough that hashing is still running while this test writes.
            let size = off_t(128 << 20)
            #expect(ftruncate(descriptor, size) == 0)
            let photo = try open(file)
            let isDone = Mutex(false)
            let writer = Thread {
                var place = size
                while !isDone.withLock({ $0 }) {
                    if grows { place += 1 }
                    pwrite(descriptor, "x", 1, grows ? place : 0)
                    usleep(1000)
                }
            }
            writer.start()
            await #expect(throws: (any Error).self) { _ = try await photo.content() }
            isDone.withLock { $0 = true }
            while !writer.isFinished { usleep(1000) }
        }
    }
}
