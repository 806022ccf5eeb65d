import Core
import Foundation
import TestSupport
import Testing

@testable import Daemon
@testable import Engine
@testable import HTTP

/// What the runner keeps of a photo, and when it gives one up.
@Suite struct PhotoRunnerTests {
    @Test func `content whose judging ended the daemon in every attempt is quarantined, though its answer is known`()
        async throws
    {
        let run = try PhotoRun()
        try run.enqueue()
        try await run.run()
        let copy = try run.copy("b.jpg")
        try run.enqueue(copy, attempts: PhotoReading.mostAttempts)
        try await run.run([EventSink()])
        #expect(try run.store.quarantine().map(\.path) == [copy])
        #expect(try run.store.quarantine().map(\.attempts) == [PhotoReading.mostAttempts])
        #expect(try run.store.events(after: 0, limit: 9).map(\.kind) == ["quarantined"])
        #expect(run.read.all.count == 1, "\(run.read.all)")
    }

    @Test(arguments: 0..<PhotoReading.mostAttempts)
    func `a photo with attempts left is answered`(_ attempts: Int) async throws {
        let run = try PhotoRun()
        try run.enqueue(attempts: attempts)
        try await run.run([EventSink()])
        #expect(try run.store.quarantine().isEmpty)
        #expect(try run.store.events(after: 0, limit: 9).map(\.kind) == ["completed"])
    }

    @Test func `the product of a barcode is announced before the print is read, and not stored`() async throws {
        func announced(_ gtin: String) async throws -> [String] {
            var run = try PhotoRun()
            run.codes = [BarcodeReading(format: "EAN-13", text: gtin, gtin: gtin, confidence: 0.99, corners: [])]
            try run.enqueue()
            try await run.run([EventSink()])
            #expect(try run.store.events(after: 0, limit: 9).map(\.kind) == ["completed"])
            let text = String(buffer: try #require(run.progress.stages(after: 0)).text)
            let lines = text.split(separator: "\n").map(String.init)
            #expect(lines.filter { $0.contains("\"stage\":\"read\"") }.count == 1)
            return lines.prefix { !$0.contains("\"stage\":\"read\"") }.filter { $0.contains("\"type\":\"product\"") }
        }
        let products = try await announced("09520100001017")
        #expect(products.count == 1)
        #expect(products.first?.contains("Hazelnut Cocoa Spread") == true)
        #expect(try await announced("").isEmpty, "a code that names no product")
    }

    @Test(arguments: [false, true])
    func `the same bytes are read again only after a fault that passes`(_ passes: Bool) async throws {
        var run = try PhotoRun()
        run.failure.isTransient = passes
        try run.enqueue()
        try await run.run()
        let copy = try run.copy("b.jpg")
        try run.enqueue(copy)
        try await run.run()
        #expect(run.read.all.count == (passes ? 2 : 1), "\(run.read.all)")
        #expect(try run.store.outcomeJSON(forPath: copy) != nil)
    }
}
