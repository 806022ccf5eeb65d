import JobChannel
import Testing

@Suite struct CrashJournalTests {
    private func bytes(_ numbers: Int64...) -> [UInt8] {
        numbers.flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } }
    }

    @Test func `a job that was begun and has no last word is suspect, one whose worker was well is not`() {
        let words = CrashJournal(bytes(8, 9, -9))
        #expect(words.begun == [7, 8])
        #expect(words.survived == [8])
        #expect(words.isSuspect(7))
        #expect(!words.isSuspect(8))
        #expect(!words.isSuspect(1), "it was never begun")
    }

    @Test func `where the daemon itself was at fault, a worker that was well clears nobody`() {
        let held = Int64(1) << 61
        let words = CrashJournal(bytes(8, -8, held + 3, held + 4, -held - 4, .min))
        #expect(words.daemonCrashed)
        #expect(words.isSuspect(7))
        #expect(words.isSuspect(3), "the daemon worked on its stored readings")
        #expect(!words.isSuspect(4), "it was done with them")
        #expect(!CrashJournal(bytes(8, -8, held + 3)).isSuspect(3), "somebody killed the daemon meanwhile")
    }

    @Test func `an empty or torn file is held against nobody`() {
        #expect(CrashJournal([]) == CrashJournal())
        #expect(CrashJournal(bytes(8).dropLast()) == CrashJournal())
        #expect(CrashJournal(bytes(.min)).begun.isEmpty)
    }
}
