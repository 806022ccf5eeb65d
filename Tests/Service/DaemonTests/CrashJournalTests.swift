import JobChannel
import Testing

@Suite struct CrashJournalTests {
    private func bytes(_ numbers: Int64...) -> [UInt8] {
        numbers.flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } }
    }

    @Test func `a begun job is a suspect unless its worker survived`() {
        let journal = CrashJournal(bytes(8, 9, -9))
        #expect(journal.begun == [7, 8])
        #expect(journal.survived == [8])
        #expect(journal.isSuspect(7))
        #expect(!journal.isSuspect(8))
        #expect(!journal.isSuspect(1), "it had not begun")
    }

    @Test func `a job that was begun again after its end is a suspect`() {
        #expect(!CrashJournal(bytes(8, -8, 9, -9)).isSuspect(7), "its worker went on to another job")
        #expect(CrashJournal(bytes(8, -8, 8)).isSuspect(7))
    }

    @Test func `if the daemon crashed, a surviving worker clears no job`() {
        let held = Int64(1) << 61
        let journal = CrashJournal(bytes(8, -8, held + 3, held + 4, -held - 4, .min))
        #expect(journal.daemonCrashed)
        #expect(journal.isSuspect(7))
        #expect(journal.isSuspect(3), "the daemon was processing its stored readings")
        #expect(!journal.isSuspect(4), "the daemon was done with it")
        #expect(!CrashJournal(bytes(8, -8, held + 3)).isSuspect(3), "the daemon was killed from outside")
    }

    @Test func `an empty or incomplete file gives no suspects`() {
        #expect(CrashJournal([]) == CrashJournal())
        #expect(CrashJournal(bytes(8).dropLast()) == CrashJournal())
        #expect(CrashJournal(bytes(.min)).begun.isEmpty)
    }
}
