import Core
import Foundation
import Kinds
import TestSupport
import Testing

/// Every sample and every generated menu, read by the real program.
@Suite(.serialized) struct OverlayCorpusTests {
    @Test func `no dot and no outline of an overlay lies on a recognised word`() throws {
        let samples = try ["menus", "labels", "barcodes", "boards"].flatMap { try SampleOutcomes.scan($0) }.map {
            ($0.sample.photo.lastPathComponent, $0.outcome)
        }
        let menus = try GeneratedLayouts.load().scan().map { ($0.layout.name, $0.outcome) }
        #expect(samples.count >= 27 && menus.count >= 12)
        let wording = try Wordings(from: ModelFolder(Repository.root.appending(path: "models")))["en"]
        var (dots, lines, words) = (0, 0, 0)
        for (name, outcome) in samples + menus {
            let drawing = outcome.overlay(in: wording)
            let print = outcome.readings.text?.lines.flatMap { $0.words.map(\.box) } ?? []
            words += print.count
            dots += drawing.dots.count
            for dot in drawing.dots {
                let covered = print.first { word in
                    dot.center.x + dot.radius > word.minX && dot.center.x - dot.radius < word.maxX
                        && dot.center.y + dot.radius > word.minY && dot.center.y - dot.radius < word.maxY
                }
                #expect(covered == nil, "\(name): dot \(dot.number)")
            }
            for line in drawing.lines where line.meaning == .barcode || line.meaning == .piece {
                lines += 1
                let covered = print.first { word in
                    max(line.from.x, line.to.x) >= word.minX && min(line.from.x, line.to.x) <= word.maxX
                        && max(line.from.y, line.to.y) >= word.minY && min(line.from.y, line.to.y) <= word.maxY
                }
                #expect(covered == nil, "\(name): outline")
            }
            #expect(Set(drawing.dots.map(\.number)).isSubset(of: Set(drawing.notes.compactMap(\.number))), "\(name)")
        }
        #expect(dots > 200 && words > 2000 && lines > 30, "\(dots) dots, \(words) words, \(lines) lines")
    }
}
