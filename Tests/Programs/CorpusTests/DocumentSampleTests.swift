import Core
import Foundation
import TestSupport
import Testing

/// Runs the samples of documents through the real program and checks lower bounds; raise them when reading improves.
@Suite(.serialized) struct DocumentSampleTests {
    @Test func `documents are recognised and give their values`() throws {
        var values = Tally()
        var domains = Tally()
        var wrong = 0
        for (sample, outcome) in try SampleOutcomes.scan("documents") {
            let domain = sample.expected.domains?.first ?? ""
            domains.count(outcome.domains.map(\.rawValue).contains(domain), "\(sample): \(outcome.domains)")
            #expect(!outcome.domains.contains(.menu), "\(sample) is no menu")
            let read = outcome.documentValues
            for (path, expected) in (sample.expected.values ?? [:]).sorted(by: { $0.key < $1.key }) {
                let isRight = read[path].map(SampleOutcomes.plain) == SampleOutcomes.plain(expected)
                values.count(isRight, "\(sample): \(path) \(read[path] ?? "-")")
                if !isRight, read[path] != nil { wrong += 1 }
            }
        }
        domains.expect(minimumCorrect: 8, of: 8)
        values.expect(minimumCorrect: 43, of: 44)
        #expect(wrong == 0)
    }

    @Test func `nutrition facts of labels have the basis that is printed`() throws {
        var values = Tally()
        for (sample, outcome) in try SampleOutcomes.scan("labels") {
            let (read, expected) = (outcome.documentValues, sample.expected.values ?? [:])
            for (path, value) in expected.sorted(by: { $0.key < $1.key }) {
                values.count(read[path] == value, "\(sample): \(path) \(read[path] ?? "-")")
            }
            for path in read.keys where path.hasPrefix("nutrition.") && !expected.isEmpty {
                #expect(expected[path] != nil, "\(sample): \(path) is not printed")
            }
        }
        values.expect(minimumCorrect: 30, of: 30)
    }
}

extension Outcome {
    /// The values of documents by path.
    fileprivate var documentValues: [String: String] {
        var values: [String: String?] = [:]
        if let receipt {
            values["receipt.merchant"] = receipt.merchant?.value
            values["receipt.date"] = receipt.date?.value
            values["receipt.total"] = receipt.total?.value
            values["receipt.currency"] = receipt.currency?.value
            values["receipt.items"] = receipt.items.map(\.amount.value).joined(separator: " ")
        }
        if let tag = priceTag {
            values["priceTag.product"] = tag.product?.value
            values["priceTag.price"] = tag.price?.value
            values["priceTag.currency"] = tag.currency?.value
            values["priceTag.unitPrice"] = tag.unitPrice?.value
            values["priceTag.unit"] = tag.unit?.value
            values["priceTag.gtin"] = tag.gtin?.value
        }
        for basis in label?.nutrition?.basis ?? [] {
            let all: [(String, ReadValue?)] = [
                ("energyKJ", basis.energyKJ), ("energyKcal", basis.energyKcal), ("fat", basis.fat),
                ("saturatedFat", basis.saturatedFat), ("carbohydrate", basis.carbohydrate), ("sugars", basis.sugars),
                ("fibre", basis.fibre), ("protein", basis.protein), ("salt", basis.salt), ("sodium", basis.sodium),
                ("servingSize", basis.servingSize),
            ]
            for (name, value) in all { values["nutrition.\(basis.per).\(name)"] = value?.value }
        }
        for date in label?.dates ?? [] { values["dates.\(date.kind.rawValue)"] = date.value }
        return values.compactMapValues(\.self)
    }
}
