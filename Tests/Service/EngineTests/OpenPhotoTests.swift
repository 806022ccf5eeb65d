import Foundation
import Glibc
import TestSupport
import Testing
import Core

@testable import Engine

@Suite struct OpenPhotoTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private func open(_ file: URL) throws -> OpenPhoto { try OpenPhoto.open(try #require(FilePathBytes(file.path))) }

    @Test func `an unchanged file has the hash of its bytes`() async throws {
        let content = try await open(try folder.write(Data("photo".utf8), to: "a.png")).content()
        #expect(content.id == "sha256:55c64d0fcd6f9d5f7c828093857e3fdfda68478bb4e9bd24d481ef391c7804e8", "sha256sum")
        #expect(content.bytes == 5)
    }

    @Test func `a file that changes during hashing has no identity`() async throws {
        for grows in [false, true] {
            let file = try folder.write(Data(), to: "a.png")
            let descriptor = Glibc.open(file.path, O_RDWR)
            defer { close(descriptor) }
            #expect(ftruncate(descriptor, 1 << 20) == 0)
            // The kernel's clock moves in steps of milliseconds, so a change is later only than an old time.
            var times = [timespec(tv_sec: 1_790_000_000, tv_nsec: 0), timespec(tv_sec: 1_790_000_000, tv_nsec: 0)]
            #expect(futimens(descriptor, &times) == 0)
            let photo = try open(file)
            await #expect(throws: OpenPhoto.Unproved.self) {
                _ = try await photo.content { _ in pwrite(descriptor, "x", 1, grows ? 1 << 20 : 0) }
            }
        }
    }

    @Test func `other bytes of the same version are not what was hashed`() async throws {
        let photo = try open(try folder.write(Data("photo".utf8), to: "a.png"))
        var content = try await photo.content()
        #expect(await photo.stillHolds(content))
        // Bytes that were written within one step of the kernel's clock leave the version as it was.
        content.id = "sha256:" + String(repeating: "0", count: 64)
        #expect(await !photo.stillHolds(content))
    }
}
