import Core
import Foundation
import Hashing
import Foods
import TestSupport
import Testing

@Suite struct `Evidence release` {
    @Test func `the shipped release has no dangling, duplicate or expired reference`() throws {
        let files = try Shipped.files
        #expect(files.problems.map { "\($0.record): \($0.detail)" } == [])
        let counts = try EvidenceRelease(files).counts
        #expect(counts.statements > 400 && counts.verified > 350 && counts.documents > 200)
    }

    @Test func `the hashes of the manifest are those of the files`() throws {
        let files = try Shipped.files
        #expect(files.manifest.files.count == 5)
        var lines = ""
        for (name, hash) in files.manifest.files.sorted(by: { $0.key < $1.key }) {
            let data = try Data(contentsOf: Repository.models.appending(path: "risk/\(name)"))
            #expect(SHA256.hexadecimal(SHA256.digest(of: data)) == hash, "\(name): run scripts/make-evidence --seal")
            lines += "\(hash)  \(name)\n"
        }
        #expect(SHA256.hexadecimal(SHA256.digest(of: Array(lines.utf8))) == files.manifest.hash)
        #expect(try EvidenceRelease(files).version.hasPrefix(files.manifest.version + "#"))
    }

    /// The first problem after a change of the shipped release.
    private func problem(after change: (inout EvidenceRelease.Files) -> Void) throws -> String? {
        var files = try Shipped.files
        change(&files)
        let problems = files.problems
        if !problems.isEmpty { #expect(throws: StartupError.self) { try EvidenceRelease(files) } }
        return problems.first.map { "\($0.record): \($0.detail)" }
    }

    @Test func `a citation that leads nowhere is refused`() throws {
        let found = try problem { $0.evidence.statements[0].citations = ["doi:10.1/nothing"] }
        #expect(found?.contains("cites doi:10.1/nothing, which is missing") == true)
    }

    @Test func `an id that is listed twice is refused`() throws {
        let found = try problem { $0.evidence.statements.append($0.evidence.statements[0]) }
        #expect(found?.contains("listed twice") == true)
        let document = try problem { $0.evidence.citations.append($0.evidence.citations[0]) }
        #expect(document?.contains("listed twice") == true)
    }

    @Test func `an expired record is refused on the day after`() throws {
        let found = try problem { $0.evidence.statements[0].expires = "2020-01-01" }
        #expect(found?.contains("expired on 2020-01-01") == true)
        let valid = try problem { $0.evidence.statements[0].expires = $0.manifest.date }
        #expect(valid == nil)
    }

    @Test func `a statement in force on a superseded document is refused`() throws {
        let found = try problem { files in
            let cited = files.evidence.statements[0].citations[0]
            guard let index = files.evidence.citations.firstIndex(where: { $0.id == cited }) else { return }
            files.evidence.citations[index].supersededBy = files.evidence.citations.first { $0.id != cited }?.id
        }
        #expect(found?.contains("is superseded by") == true)
    }

    @Test func `a search is no document`() throws {
        let found = try problem {
            $0.evidence.citations[0].url = "https://pubmed.ncbi.nlm.nih.gov/search?term=salt"
        }
        #expect(found?.contains("a search is no document") == true)
    }

    @Test func `a subject without a name and a missing sentence are refused`() throws {
        #expect(try problem { $0.evidence.statements[0].subjects = ["E9999"] }?.contains("E9999") == true)
        #expect(try problem { $0.evidence.statements[0].sentence = "none" }?.contains("no sentence none") == true)
    }

    @Test func `a use without a name and a second definition of an ingredient are refused`() throws {
        let files = try Shipped.files
        let number = try #require(files.evidence.statements.firstIndex { $0.kind == "definition" })
        let use = try problem { $0.evidence.statements[number].uses = ["stirring"] }
        #expect(use?.contains("the use stirring has no name") == true)
        let second = try problem { files in
            var copy = files.evidence.statements[number]
            copy.id += "-2"
            files.evidence.statements.append(copy)
        }
        #expect(second?.contains("more than one definition") == true)
    }

    @Test func `a verified statement needs a verified document and the place where it was read`() throws {
        #expect(try problem { $0.evidence.statements[0].readIn = [] }?.contains("readIn") == true)
        let found = try problem { files in
            let cited = files.evidence.statements[0].citations[0]
            guard let index = files.evidence.citations.firstIndex(where: { $0.id == cited }) else { return }
            files.evidence.citations[index].verified = false
        }
        #expect(found?.contains("is not") == true)
    }

    @Test func `a comparison names new, removed and changed records with their fields`() throws {
        let old = try Shipped.files
        var new = old
        new.evidence.statements[0].value = 4
        new.evidence.statements[1].id = "another"
        new.manifest.version = "2027-01-01.1"
        let changes = old.changes(to: new)
        #expect(changes.contains("+ another"))
        #expect(changes.contains("- \(old.evidence.statements[1].id)"))
        #expect(changes.contains("~ \(old.evidence.statements[0].id): value"))
        #expect(changes.first?.hasPrefix("version ") == true)
        #expect(old.changes(to: old).isEmpty)
    }

    @Test func `a curator finds the records of an additive with their documents`() throws {
        let release = try Shipped.risk.release
        let shown = release.shown("e250")
        #expect(shown.contains { $0.statement.id == "efsa-nitrite-2017" })
        #expect(shown.allSatisfy { !$0.citations.isEmpty && !$0.sentence.isEmpty })
        #expect(release.shown("nothing").isEmpty)
    }
}
