import Foundation
import TestSupport
import Testing

@testable import Daemon

/// What `tablesight doctor` says at its end.
@Suite struct NextStepTests {
    private func finding(_ part: String, remedy: String?, isNeeded: Bool) -> Doctor.Finding {
        Doctor.Finding(
            part: part, state: remedy == nil ? .present : .missing, detail: "", remedy: remedy, isNeeded: isNeeded)
    }

    private func commands(_ findings: [Doctor.Finding], people: [String]? = [], hasProducts: Bool = false) -> [String] {
        Doctor.nextSteps(findings, people: people, hasProducts: hasProducts).map(\.command)
    }

    @Test func `parts that are needed come alone, with one command for all packages`() {
        let findings = [
            finding("tesseract", remedy: "sudo apt-get install libtesseract5", isNeeded: true),
            finding("zbar", remedy: "sudo apt-get install libzbar0", isNeeded: true),
            finding("tesseract, German", remedy: "sudo apt-get install libtesseract5", isNeeded: true),
            finding("networks", remedy: "scripts/fetch-models", isNeeded: true),
            finding("queue client", remedy: "sudo apt-get install libnats3.4", isNeeded: false),
        ]
        #expect(commands(findings) == ["sudo apt-get install libtesseract5 libzbar0", "scripts/fetch-models"])
    }

    @Test func `a fresh home is led to a person, to products and to a folder; what is optional comes last`() {
        let findings = [
            finding("models", remedy: nil, isNeeded: true),
            finding("queue client", remedy: "sudo apt-get install libnats3.4", isNeeded: false),
        ]
        #expect(
            commands(findings) == [
                "tablesight household add NAME --allergen milk=severe", "tablesight catalogue", "tablesight watch",
                "sudo apt-get install libnats3.4",
            ])
    }

    @Test func `what is there is not asked for, and people who cannot be read are not missing`() {
        #expect(commands([], people: ["Mia"], hasProducts: true) == ["tablesight watch"])
        #expect(commands([], people: nil, hasProducts: true) == ["tablesight watch"])
    }

    @Test func `doctor leads a fresh home to the next step, and the catalogue says where products are found`()
        async throws
    {
        let folder = try TemporaryFolder()
        func run(_ arguments: String...) async throws -> Program.Result {
            try await Program("tablesight").finished(
                arguments,
                environment: ["XDG_DATA_HOME": folder.url.appending(path: "home").path, "HOME": folder.url.path])
        }
        let fresh = try await run("doctor")
        let next = try #require(fresh.output.components(separatedBy: "next:\n").dropFirst().first, "\(fresh.output)")
        for command in ["tablesight household add NAME", "tablesight catalogue ", "tablesight watch "] {
            #expect(next.contains("\n  " + command) || next.hasPrefix("  " + command), "\(command): \(next)")
        }
        #expect(next.contains("photos are judged for everyone"), "as `scan` judges them: \(next)")
        #expect(try await run("household", "add", "anna").exitCode == 0)
        #expect(!(try await run("doctor")).output.contains("household add NAME"))

        let catalogue = try await run("catalogue")
        #expect(catalogue.exitCode == 0, "\(catalogue.errors)")
        #expect(catalogue.output.contains("tablesight catalogue import openfoodfacts-products.jsonl.gz\n"))
        #expect(catalogue.output.contains("about 1.2 GB"), "\(catalogue.output)")
        #expect(catalogue.output.contains("Nothing is imported"), "\(catalogue.output)")
    }
}
