import Foundation
import ReadJobs
import Testing

@Suite struct CrashJournalTests {
    private static let (given, held) = (Int64(1) << 60, Int64(1) << 61)

    private func bytes(_ numbers: Int64...) -> Data {
        Data(numbers.flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } })
    }

    @Test func `a begun job is a suspect unless its worker survived`() {
        let journal = CrashJournal(
            daemon: bytes(Self.given, 7, Self.given + 1, 8, Self.given + 2, 9),
            workers: [0: bytes(8), 1: bytes(9, -9), 2: Data()])
        #expect(journal.begun == [7, 8, 9])
        #expect(journal.isSuspect(7))
        #expect(!journal.isSuspect(8))
        #expect(!journal.isSuspect(9), "it was on its way to the worker")
        #expect(!journal.isSuspect(1), "it had not begun")
    }

    @Test func `a job that was begun again after its end is a suspect`() {
        let twice = bytes(Self.given, 7, Self.given, 8)
        #expect(!CrashJournal(daemon: twice, workers: [0: bytes(8, -8, 9, -9)]).isSuspect(7), "its worker went on")
        let again = bytes(Self.given, 7, Self.given, 7)
        #expect(CrashJournal(daemon: again, workers: [0: bytes(8, -8, 8)]).isSuspect(7))
    }

    @Test func `a worker that a photo has taken over charges no other job`() {
        // Worker 0 has job 7, after job 6. Worker 1 has job 8, and had job 5, which worker 2 has now.
        let daemon = bytes(
            Self.given, 6, Self.given, 7, Self.given + 1, 5, Self.given + 1, 8, Self.given + 2, 5, Self.held + 6)
        let honest = CrashJournal(daemon: daemon, workers: [0: bytes(8), 1: bytes(9, -9), 2: bytes(6, -6)])
        let forged = bytes(9, 6, 7, .min, Self.held + 8, Self.given + 1, 8, 100, 8)
        let taken = CrashJournal(
            daemon: daemon, workers: [0: forged, 1: bytes(6, 9, -9), 2: bytes(6, -6), 3: bytes(9)])
        #expect(taken == honest)
        #expect(taken.unsurvived == [7])
        #expect(!taken.daemonCrashed)
    }

    @Test func `if the daemon crashed, a surviving worker clears no job`() {
        let (held, given) = (Self.held, Self.given)
        let marks = bytes(given, 7, held + 3, held + 4, -held - 4)
        let journal = CrashJournal(daemon: marks + bytes(.min), workers: [0: bytes(8, -8)])
        #expect(journal.daemonCrashed)
        #expect(journal.isSuspect(7))
        #expect(journal.isSuspect(3), "the daemon was processing its stored readings")
        #expect(!journal.isSuspect(4), "the daemon was done with it")
        #expect(!CrashJournal(daemon: marks, workers: [0: bytes(8, -8)]).isSuspect(3), "it was killed from outside")
    }

    @Test func `an empty or incomplete file gives no suspects`() {
        #expect(CrashJournal(daemon: []) == CrashJournal())
        #expect(CrashJournal(daemon: bytes(Self.given, 7).dropLast()) == CrashJournal())
        #expect(CrashJournal(daemon: bytes(.min)).begun.isEmpty)
        #expect(CrashJournal(daemon: bytes(Self.given, 7), workers: [0: bytes(8).dropLast()]).unsurvived.isEmpty)
    }
}
