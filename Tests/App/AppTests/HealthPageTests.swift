import Core
import Foundation
import TestSupport
import Testing

@testable import App

@Suite struct HealthPageTests {
    private func html(_ minutes: [DaemonStatus.Minute], _ language: String = "en") throws -> String {
        let status = DaemonStatus(
            shortcomings: [], waiting: 3, outcomes: 5, freeBytes: 1_000_000, quarantine: [], times: [], versions: [],
            minutes: minutes)
        return try PageRendering.html(HealthPage(status, PageRendering.texts(language)), language)
    }

    @Test(arguments: ["en", "de"]) func `the page has a plot of throughput, queue and latency`(_ code: String) throws {
        let page = try html(
            [.init(photos: 0, waiting: 40), .init(photos: 12, waiting: 30, median: 571, p95: 904, p99: 1238)], code)
        #expect(page.matches(of: /<svg class="plot"/).count == 3)
        // Throughput and queue are lines; the time of one minute is a dot for each percentile.
        #expect(page.matches(of: /<polyline class="s1"/).count == 2)
        #expect(page.matches(of: /<circle class="f[123]"/).count == 3)
        for text in [">p50<", ">p95<", ">p99<", ">571<", ">1238<"] { #expect(page.contains(text), "\(text)") }
        #expect(!page.contains("{{") && !page.contains("health."))
    }

    @Test func `a daemon without photos has empty plots and no table`() throws {
        let page = try html([])
        #expect(page.matches(of: /<svg class="plot"/).count == 3)
        #expect(!page.contains("<polyline") && !page.contains("<details"))
    }

    @Test(arguments: [
        (0.0, 1.0), (4, 1), (5, 2), (8, 2), (9, 5), (21, 10), (41, 20), (1238, 500), (.infinity, 1), (-3, 1),
    ])
    func `grid lines are round numbers that reach the highest value`(highest: Double, step: Double) {
        #expect(LinePlot.step(for: highest) == step)
    }

    @Test func `a gap ends a line, and the highest value lies below the top`() throws {
        let plot = LinePlot(series: [.init(name: "", values: [1, 2, nil, 8, 8])], times: ["a", "b"])
        #expect(plot.lines.compactMap(\.points) == ["52,150.8 162,131.5", "382,16 492,16"])
        #expect(plot.names.map(\.text) == ["8"])
    }

    @Test func `names of close lines are moved apart`() throws {
        let series = ["p50", "p95", "p99"].map { LinePlot.Series(name: $0, values: [100]) }
        let heights = LinePlot(series: series, times: []).names.compactMap { Double($0.y) }
        #expect(zip(heights, heights.dropFirst()).allSatisfy { $0 - $1 >= 15 })
        #expect(heights.count == 3)
    }
}
