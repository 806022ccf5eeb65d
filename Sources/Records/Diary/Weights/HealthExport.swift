import CExpat
import Core
import Foundation

/// Apple Health's `export.xml`: the weights among millions of other records.
struct HealthExport {
    static let format = "apple-health"

    /// Reads the whole file in parts. Memory does not grow with the file.
    ///
    /// - Throws: ``DiaryProblem`` with the line.
    static func weights(_ source: inout ImportSource) throws(DiaryProblem) -> DailyWeights {
        let collector = Collector()
        // The texts are static, so they outlive the reader.
        let wanted = cexpat_wanted(
            root: text("HealthData"), element: text("Record"), attribute: text("type"),
            value: text("HKQuantityTypeIdentifierBodyMass"))
        let reader = cexpat_create(
            wanted,
            { context, attributes, line in
                guard let context, let attributes else { return }
                Unmanaged<Collector>.fromOpaque(context).takeUnretainedValue().add(attributes, line: line)
            }, Unmanaged.passUnretained(collector).toOpaque())
        guard let reader else { throw .badFile("the file cannot be read: memory is short") }
        defer { cexpat_destroy(reader) }

        var part = try source.next().map(HealthPrologue.withoutType)
        while let bytes = part {
            try feed(bytes, isLast: false, to: reader)
            part = try source.next()
        }
        try feed([], isLast: true, to: reader)
        return withExtendedLifetime(collector) { collector.weights }
    }

    private static func text(_ literal: StaticString) -> UnsafePointer<CChar> {
        UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    private static func feed(_ bytes: [UInt8], isLast: Bool, to reader: OpaquePointer) throws(DiaryProblem) {
        let fault = bytes.withUnsafeBytes { buffer in
            cexpat_read(
                reader, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count, isLast)
        }
        guard fault != CEXPAT_FINE else { return }
        let detail = String(cString: cexpat_detail(reader))
        throw .badFile("line \(cexpat_line(reader)): \(reason(fault, detail))")
    }

    private static func reason(_ fault: cexpat_fault, _ detail: String) -> String {
        switch fault {
        case CEXPAT_TRUNCATED: "the file ends too early: export or copy it again"
        case CEXPAT_ENCODING: "the file is not in UTF-8, as an Apple Health export is"
        case CEXPAT_DOCTYPE: "a document type declaration stands where an Apple Health export has none"
        case CEXPAT_ROOT where detail == "ClinicalDocument":
            "this is the clinical document of the export: choose export.xml, not export_cda.xml"
        case CEXPAT_ROOT:
            "the first element is “\(detail.prefix(40))”, not HealthData: choose the export.xml of Apple Health"
        case CEXPAT_DEEP: "elements lie more than \(cexpat_most_depth) deep, unlike those of an Apple Health export"
        case CEXPAT_LONG: "a tag has more than \(cexpat_most_tag >> 20) MiB"
        case CEXPAT_MEMORY: "reading the file needs more than \(cexpat_most_memory >> 20) MiB of memory"
        default: "the XML is damaged: \(detail)"
        }
    }

    private final class Collector {
        var weights = DailyWeights()

        /// - Parameter attributes: names and values in turn, then null.
        func add(_ attributes: UnsafePointer<UnsafePointer<CChar>?>, line: UInt64) {
            var (unit, date, value) = ("", "", "")
            var pair = attributes
            while let name = pair[0], let text = pair[1] {
                switch String(cString: name) {
                case "unit": unit = String(cString: text)
                case "startDate": date = String(cString: text)
                case "value": value = String(cString: text)
                default: break
                }
                pair += 2
            }
            let place = "line \(line)"
            guard let known = WeightUnit(unit) else {
                return weights.reject("“\(unit.prefix(20))” is not kg, g, lb or st", place: place)
            }
            guard let amount = NumberFormat.ofEachNumber.value(value) else {
                return weights.reject("“\(value.prefix(20))” is not a weight", place: place)
            }
            guard let measured = MeasuredTime(health: date) else {
                return weights.reject(
                    "“\(date.prefix(30))” is not a time such as 2026-11-22 07:12:33 +0100", place: place)
            }
            weights.add(known.kilograms(amount), on: measured.day, at: measured.instant, place: place)
        }
    }
}
