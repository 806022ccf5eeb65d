import Core
import Foundation
import Foods
import Store
import TestSupport
import Testing

@testable import Diary

/// Weights of Apple Health's export.xml.
@Suite struct HealthExportTests {
    private let folder: TemporaryFolder
    private let diary: Diary

    init() throws {
        folder = try TemporaryFolder()
        diary = Diary(try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite")))
        try diary.save(.init(name: "Ada", zone: "Europe/Berlin"))
    }

    /// The beginning of an export, with the declaration of some elements.
    private static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE HealthData [
        <!-- HealthKit Export Version: 13; "quotes", a ]> and an apostrophe's end -->
        <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout)*)>
        <!ATTLIST HealthData
          locale CDATA #REQUIRED
        >
        <!ATTLIST Record
          type          CDATA #REQUIRED
          unit          CDATA #IMPLIED
        >
        ]>
        <HealthData locale="de_DE">
         <ExportDate value="2026-11-22 10:00:00 +0100"/>

        """

    private static func weight(_ value: String, _ date: String, unit: String = "kg") -> String {
        """
         <Record type="HKQuantityTypeIdentifierBodyMass" sourceName="Scale &amp; Co" unit="\(unit)" \
        creationDate="2026-01-01 00:00:00 +0100" startDate="\(date)" endDate="\(date)" value="\(value)">
          <MetadataEntry key="HKWasUserEntered" value="1"/>
         </Record>

        """
    }

    private static func export(_ records: String...) -> Data {
        Data((head + records.joined() + "</HealthData>\n").utf8)
    }

    private func imported(_ file: Data) throws -> ImportReport { try diary.importFile(file, into: "Ada") }

    private func weights() throws -> [String] {
        try diary.weights(of: "Ada").map { "\($0.day) \($0.kilograms)" }
    }

    /// The reason with which a file is refused.
    private func reason(_ file: Data) throws -> String {
        let problem = try #require(throws: DiaryProblem.self) { try imported(file) }
        #expect(try weights() == [])
        return problem.detail
    }

    private func reason(_ text: String) throws -> String { try reason(Data(text.utf8)) }

    // MARK: Weights

    @Test func `units become kilograms, and records of other types are left out`() throws {
        let report = try imported(
            Self.export(
                Self.weight("72.5", "2024-03-05 07:12:33 +0100"),
                Self.weight("160.5", "2024-03-06 07:12:33 +0100", unit: "lb"),
                Self.weight("11.5", "2024-03-07 07:12:33 +0100", unit: "st"),
                Self.weight("72400", "2024-03-08 07:12:33 +0100", unit: "g"),
                """
                 <Record type="HKQuantityTypeIdentifierHeartRate" unit="count/min" startDate="2024-03-09 07:00:00 +0100" \
                value="61"/>

                """))
        #expect(try weights() == ["2024-03-05 72.5", "2024-03-06 72.802", "2024-03-07 73.028", "2024-03-08 72.4"])
        #expect(report.format == "apple-health" && report.weights == 4 && report.entries == 0)
        #expect(report.rejected == 0 && report.kept == 0 && report.repeats == 0)
    }

    @Test func `the earliest weight of a day counts, on the day of the record's own offset`() throws {
        let report = try imported(
            Self.export(
                Self.weight("74", "2024-03-05 21:00:00 +0100"), Self.weight("72", "2024-03-05 06:30:00 +0100"),
                Self.weight("73", "2024-03-05 06:30:00 +0100"),
                // In Berlin it is the next day, and the day before.
                Self.weight("71", "2024-03-06 22:30:00 -0800"), Self.weight("70", "2024-03-08 00:30:00 +1300"),
                // The eighth begins in Auckland; the second one is later although its clock shows less.
                Self.weight("69", "2024-03-08 00:10:00 +0100")))
        #expect(try weights() == ["2024-03-05 72", "2024-03-06 71", "2024-03-08 70"])
        #expect(report.weights == 3 && report.repeats == 3)
    }

    @Test func `a second import changes nothing, and stored weights stay`() throws {
        let typed = try #require(Day("2024-03-05"))
        try diary.setWeight(80, on: typed, of: "Ada")
        let file = Self.export(
            Self.weight("72.5", "2024-03-05 07:00:00 +0100"), Self.weight("72.4", "2024-03-06 07:00:00 +0100"))
        let first = try imported(file)
        #expect(first.weights == 1 && first.kept == 1)
        #expect(try weights() == ["2024-03-05 80", "2024-03-06 72.4"])
        let second = try imported(file)
        #expect(second.weights == 0 && second.kept == 2)
        #expect(try weights() == ["2024-03-05 80", "2024-03-06 72.4"])
    }

    @Test func `records that cannot be used are named with their line`() throws {
        let report = try imported(
            Self.export(
                Self.weight("7.25", "2024-03-05 07:00:00 +0100"), Self.weight("72.5", "yesterday"),
                Self.weight("72.5", "2024-03-05 07:00:00"), Self.weight("72.5", "2024-02-30 07:00:00 +0100"),
                Self.weight("1e3", "2024-03-05 07:00:00 +0100"),
                Self.weight("72", "2024-03-05 07:00:00 +0100", unit: "oz"),
                Self.weight("72", "2100-01-01 07:00:00 +0100"), Self.weight("72", "2024-03-09 07:00:00 +0100")))
        #expect(try weights() == ["2024-03-09 72"])
        #expect(report.rejected == 7)
        let time = "is not a time such as 2026-11-22 07:12:33 +0100"
        #expect(
            report.reasons == [
                "line 15: a weight must be from 20 to 400 kg", "line 18: “yesterday” \(time)",
                "line 21: “2024-03-05 07:00:00” \(time)", "line 24: “2024-02-30 07:00:00 +0100” \(time)",
                "line 27: “1e3” is not a weight", "line 30: “oz” is not kg, g, lb or st",
                "line 33: the day of a weight must be from 1970 to 2099",
            ])
    }

    @Test func `only ten reasons are kept of thousands of records that cannot be used`() throws {
        let records = (0..<3000).map { _ in Self.weight("1", "2024-03-05 07:00:00 +0100") }
        let report = try imported(Self.export(records.joined()))
        #expect(report.rejected == 3000 && report.reasons.count == 10)
    }

    // MARK: What Apple writes

    @Test func `the damaged document type of iOS 16 does not matter`() throws {
        let damaged = Self.head.replacing(
            "<!ATTLIST Record",
            with: "<!ATTLIST VisionPrescription\n  type CDATA #REQUIRED\n<!ELEMENT Eye EMPTY>\n<!ATTLIST")
        let record = Self.weight("72.5", "2024-03-05 07:12:33 +0100")
        _ = try imported(Data((damaged + record + "</HealthData>").utf8))
        #expect(try weights() == ["2024-03-05 72.5"])
    }

    @Test func `control characters in the name of a device do not matter`() throws {
        let record = Self.weight("72.5", "2024-03-05 07:12:33 +0100").replacing("Scale &amp;", with: "Scale\u{0B}\u{1}")
        _ = try imported(Self.export(record))
        #expect(try weights() == ["2024-03-05 72.5"])
    }

    @Test func `a byte order mark and no document type are fine`() throws {
        let text = "\u{FEFF}<HealthData>" + Self.weight("72.5", "2024-03-05 07:12:33 +0100") + "</HealthData>"
        _ = try imported(Data(text.utf8))
        #expect(try weights() == ["2024-03-05 72.5"])
    }

    @Test func `a record may lie across the parts that are read`() throws {
        let filler = #" <Record type="HKQuantityTypeIdentifierStepCount" unit="count" value="1"/>\#n"#
        let day = try #require(Day("2020-01-01"))
        let records = (0..<400).map { number in
            String(repeating: filler, count: number % 17)
                + Self.weight("72.\(number)", "\(Day(number: day.number + number)) 07:00:00 +0100")
        }
        let file = folder.url.appending(path: "export.xml")
        try Self.export(records.joined()).write(to: file)
        let input = try FileHandle(forReadingFrom: file)
        defer { try? input.close() }
        let report = try diary.importFile(
            in: ImportSource(input.fileDescriptor) { _, _ in }, into: "Ada")
        #expect(report.weights == 400 && report.rejected == 0)
        #expect(try diary.weights(of: "Ada").last?.kilograms == Decimal(string: "72.399"))
    }

    // MARK: Hostile and wrong files

    @Test func `entities are refused with their line`() throws {
        let bomb = """
            <?xml version="1.0"?>
            <!DOCTYPE HealthData [
            <!ENTITY a "aaaaaaaaaa">
            <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
            ]>
            <HealthData locale="&b;"/>
            """
        #expect(try reason(bomb) == "line 3: the file declares entities, which an Apple Health export does not")
        let external = bomb.replacing("\"aaaaaaaaaa\"", with: "SYSTEM \"file:///etc/passwd\"")
        #expect(try reason(external) == "line 3: the file declares entities, which an Apple Health export does not")
        let parameter = bomb.replacing("<!ENTITY a", with: "<!ENTITY % a")
        #expect(try reason(parameter).contains("entities"))
        let long = bomb.replacing("aaaaaaaaaa", with: String(repeating: "a", count: 100_000))
        #expect(try reason(long).contains("entities"))
        #expect(try reason("<HealthData>&b;</HealthData>") == "line 1: the XML is damaged: undefined entity")
    }

    @Test(arguments: [
        #"<!DOCTYPE HealthData SYSTEM "http://example.org/health.dtd">"#,
        #"<!DOCTYPE HealthData PUBLIC "-//X//Y" "health.dtd" [ <!ELEMENT HealthData ANY> ]>"#,
    ])
    func `a document type in another file is refused`(type: String) throws {
        let text = "<?xml version=\"1.0\"?>\n\(type)\n<HealthData/>"
        #expect(try reason(text) == "line 2: the document type refers to another file; the import opens none")
    }

    @Test func `a document type that does not end, or stands far behind, is refused`() throws {
        let endless = "<!DOCTYPE HealthData [\n" + String(repeating: "<!ELEMENT a ANY>\n", count: 9000)
        #expect(try reason(endless + "]><HealthData/>").contains("does not end within 64 KiB"))
        #expect(try reason("<!DOCTYPE HealthData").contains("does not end within 64 KiB"))
        // The comment hides the first one from the import; the second reaches the parser.
        let hidden = "<!-- <!DOCTYPE a [ ]> -->\n<!DOCTYPE HealthData [ <!ENTITY b \"c\"> ]>\n<HealthData/>"
        #expect(try reason(hidden).contains("line 2: a document type declaration stands where"))
    }

    @Test func `deep nesting is refused`() throws {
        let deep = "<HealthData>\n" + String(repeating: "<a>", count: 100_000)
        #expect(try reason(deep) == "line 2: elements lie more than 32 deep, unlike those of an Apple Health export")
    }

    @Test func `an attribute of 10 MB is refused`() throws {
        let file = Self.head + "<Record type=\"" + String(repeating: "x", count: 10 << 20) + "\"/></HealthData>"
        #expect(try reason(file) == "line 15: a tag has more than 1 MiB")
    }

    @Test func `millions of different names do not fill the memory`() throws {
        let names = (0..<600_000).map { "<a\($0)/>" }.joined()
        let reason = try reason("<HealthData>\(names)</HealthData>")
        #expect(reason == "line 1: reading the file needs more than 32 MiB of memory")
    }

    @Test func `a file that ends too early stores nothing`() throws {
        let whole = Self.export(Self.weight("72.5", "2024-03-05 07:12:33 +0100"))
        for length in [whole.count - 15, whole.count - 60, Self.head.utf8.count] {
            #expect(try reason(whole.prefix(length)).contains("ends too early"), "\(length)")
        }
        #expect(try reason("<?xml version=\"1.0\"?>\n").contains("ends too early"))
    }

    @Test func `other XML is refused with the name of its first element`() throws {
        #expect(try reason("<gpx><trk/></gpx>").contains("“gpx”, not HealthData: choose the export.xml"))
        #expect(try reason("<!DOCTYPE html>\n<html></html>").hasPrefix("line 2: the first element is “html”"))
        #expect(try reason("<ClinicalDocument/>").contains("choose export.xml, not export_cda.xml"))
        #expect(try reason("<HealthData><a></b></HealthData>") == "line 1: the XML is damaged: mismatched tag")
        #expect(try reason("<HealthData/><HealthData/>").contains("junk after document element"))
    }

    @Test func `files in other encodings are refused`() throws {
        let notUTF8 = "the file is not in UTF-8, as an Apple Health export is"
        let latin = Data("<HealthData>\n<a b=\"".utf8) + [0xE4] + Data("\"/></HealthData>".utf8)
        #expect(try reason(latin) == "line 2: \(notUTF8)")
        let declared = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><HealthData/>"
        #expect(try reason(declared) == "line 1: \(notUTF8)")
        for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16] {
            let file = try #require("<HealthData/>".data(using: encoding))
            #expect(try reason(file) == "the file is not in UTF-8: save it as UTF-8")
        }
    }

    @Test func `archives are refused with what to do`() throws {
        let zip = Data([0x50, 0x4B, 0x03, 0x04, 0x14, 0])
        #expect(try reason(zip) == "this is a ZIP file: unpack it, and choose the file export.xml in it")
        #expect(try reason(Data([0x1F, 0x8B, 8])).contains("unpack it"))
    }

    @Test func `damaged exports are read or refused, without a crash`() throws {
        var dice = Dice(7)
        let whole = Array(Self.export(Self.weight("72.5", "2024-03-05 07:12:33 +0100")))
        let letters = Array("<>!-[]\"'=&;/ \n\u{0}x".utf8)
        for _ in 0..<1500 {
            var file = whole
            for _ in 0...dice.roll(4) { file[dice.roll(file.count)] = dice.pick(letters) }
            if dice.roll(3) == 0 { file.removeLast(dice.roll(file.count)) }
            do { _ = try imported(Data(file)) } catch DiaryProblem.badFile {}
        }
        #expect(try weights().count <= 2)
    }
}
