import Allergens
import Benchmark
import Foundation
import PhotoReading
import Core

// The samples of the repository, so that everybody measures the same.
private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
private let models = ModelFolder(root.appending(path: "models"))

let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.cpuTotal, .wallClock, .peakMemoryResident], warmupIterations: 2, maxDuration: .seconds(6),
        maxIterations: 2000)

    read("Photo of a menu, text", "samples/menus/pub-english.jpg", as: .menu)
    read("Photo of a label, text", "samples/labels/nussriegel.jpg", as: .label)
    read("Photo of a packet, barcodes", "samples/barcodes/spread-ean13.jpg", as: .barcode)
    read("Photo of a board, pieces", "samples/boards/coloured-square.jpg", as: .board)

    judge(
        "Label of 41 ingredients, judged", .label,
        Array(repeating: "sugar, wheat flour (12 %), whey", count: 13).joined(separator: ", ") + ".")
    judge(
        "Menu line with its legend, judged", .menuLine,
        "Käsespätzle mit Röstzwiebeln (A, C, G) 11,50 €\nA Gluten, C Eier, G Milch")
}

private func read(_ name: String, _ photo: String, as domain: Outcome.Domain) {
    Benchmark(name) { benchmark, reader in
        let path = root.appending(path: photo).path
        guard let bytes = FilePathBytes(path) else { return benchmark.error("no path: \(path)") }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return benchmark.error("\(path) cannot be opened: run scripts/make-samples") }
        defer { close(descriptor) }
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            let answer = reader.perform(
                ReadJob(path: bytes, task: .read(domain: domain, pieceSet: nil)), photo: descriptor, picture: nil)
            if let failure = answer.failure { return benchmark.error("\(photo): \(failure.detail)") }
            blackHole(answer)
        }
        benchmark.stopMeasurement()
    } setup: {
        try PhotoReader(models: models)
    }
}

private func judge(_ name: String, _ kind: AllergenInterpreter.TextKind, _ text: String) {
    Benchmark(name, configuration: .init(scalingFactor: .kilo)) { benchmark, judge in
        for _ in benchmark.scaledIterations {
            blackHole(try judge.judgement(of: TextJudge.Case(id: name, kind: kind, text: text)))
        }
    } setup: {
        try TextJudge(try AllergenInterpreter(models: models), language: nil, regime: nil, profile: nil)
    }
}
