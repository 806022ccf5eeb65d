import Glibc
import Intake
import Testing
import Core

@Suite struct FileIdentityTests {
    @Test(
        arguments: [
            (1_800_000_000, 1_800_000_000_000_000_007), (13_569_465_600, Int64.max), (Int.max, .max), (Int.min, .min),
        ] as [(Int, Int64)])
    func `times are clamped to 64 bits of nanoseconds`(seconds: Int, expected: Int64) {
        var status = stat()
        status.st_mtim = timespec(tv_sec: seconds, tv_nsec: 7)
        status.st_ctim = status.st_mtim
        #expect(FileIdentity(status).modified == expected)
        #expect(FileIdentity(status).changed == expected)
    }
}
