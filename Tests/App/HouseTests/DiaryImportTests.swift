import Catalogue
import Diary
import Foundation
import TestSupport
import Testing

@testable import App
@testable import HTTP

/// Files of weights over HTTP: from a client of the API and from the page Diary.
@Suite(.serialized) struct DiaryImportTests {
    private let house: House
    private let ada: String

    init() async throws {
        house = try await House.furnished().house
        ada = try house.device(of: "Ada", opens: true)
    }

    static let export = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE HealthData [
        <!ELEMENT HealthData (ExportDate,Me,(Record)*)>
        <!ATTLIST Record
          type          CDATA #REQUIRED
        >
        ]>
        <HealthData locale="de_DE">
         <Record type="HKQuantityTypeIdentifierBodyMass" unit="kg" startDate="2024-03-05 07:12:33 +0100" value="72.5"/>
         <Record type="HKQuantityTypeIdentifierBodyMass" unit="kg" startDate="2024-03-05 21:12:33 +0100" value="73"/>
         <Record type="HKQuantityTypeIdentifierBodyMass" unit="kg" startDate="2024-03-06 07:12:33 +0100" value="7"/>
        </HealthData>
        """

    /// The weights of 2024; the furnished house has one of a later year.
    private func weights() async throws -> [String] {
        let reply = try await house.call("GET", "/v1/people/Ada/weights", as: ada)
        return reply.array.filter { ($0["date"] as? String)?.hasPrefix("2024") == true }
            .map { "\($0["date"] ?? "") \($0["weight"] ?? "")" }
    }

    /// Sends a file as the form of the page does.
    private func form(_ file: Data, language: String = "en") async throws -> House.Reply {
        let head =
            "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"export.xml\"\r\n"
            + "Content-Type: text/xml\r\n\r\n"
        return try await house.send(
            "POST", "/diary/import", Data(head.utf8) + file + Data("\r\n--edge--\r\n".utf8),
            [
                "Accept": "text/html", "Origin": "http://\(House.host)", "Cookie": "tablesight=\(ada)",
                "Content-Type": "multipart/form-data; boundary=edge", "Accept-Language": language,
            ])
    }

    @Test func `the API imports an export once, and says what it kept`() async throws {
        let first = try await house.call(
            "POST", "/v1/people/Ada/import", Self.export, as: ada, headers: ["Content-Type": "application/xml"])
        #expect(first.status == 200, "\(first.text)")
        #expect(first.json["format"] as? String == "apple-health")
        let counts = ["weights", "kept", "repeats", "rejected"]
        #expect(counts.map { first.json[$0] as? Int } == [1, 0, 1, 1])
        #expect(first.json["reasons"] as? [String] == ["line 11: a weight must be from 20 to 400 kg"])
        let second = try await house.call("POST", "/v1/people/Ada/import", Self.export, as: ada)
        #expect(counts.map { second.json[$0] as? Int } == [0, 1, 1, 1])
        #expect(try await weights() == ["2024-03-05 72.5"])
    }

    @Test func `the page imports an export, and names what it takes`() async throws {
        let page = try await house.browse("GET", "/diary", cookie: ada)
        #expect(page.text.contains("export.xml of Apple Health"))
        let english = try await form(Data(Self.export.utf8))
        #expect(english.status == 200)
        #expect(
            english.text.contains(
                "1 weight imported, 0 days kept their weight, 1 later weight of a day left out, 1 row left out"))
        #expect(english.text.contains("line 11: a weight must be from 20 to 400 kg"))
        let german = try await form(Data(Self.export.utf8), language: "de")
        #expect(german.text.contains("0 Gewichte importiert, 1 Tag behielt ihr Gewicht"))
        #expect(try await weights() == ["2024-03-05 72.5"])
    }

    @Test func `a refused file is named with the reason, and nothing of it stays`() async throws {
        let zip = Data([0x50, 0x4B, 0x03, 0x04, 0x14, 0])
        let german = try await form(zip, language: "de")
        #expect(german.status == 400 && german.text.contains("Entpacke sie und wähle darin die Datei export.xml."))
        let bomb = Self.export.replacing("<!ATTLIST Record", with: "<!ENTITY a \"b\"><!ATTLIST Record")
        let refused = try await form(Data(bomb.utf8))
        #expect(refused.status == 400 && refused.text.contains("line 4: the file declares entities"))
        let api = try await house.call("POST", "/v1/people/Ada/import", bomb, as: ada)
        #expect(api.status == 400 && api.code == "badFile", "\(api.text)")
        #expect(try await weights() == [])
        let left = try FileManager.default.contentsOfDirectory(atPath: house.folder.url.appending(path: "out").path)
        #expect(left.filter { $0.hasPrefix(".import-") } == [])
    }

    @Test func `announced bytes above the limit are refused before they are sent`() async throws {
        for (path, type) in [
            ("/v1/people/Ada/import", "application/xml"), ("/diary/import", "multipart/form-data; boundary=e"),
        ] {
            for length in [2 << 30, .max, .min, -1] {
                let reply = try await house.send(
                    "POST", path, Data("<".utf8),
                    ["Authorization": "Bearer \(ada)", "Content-Type": type, "Content-Length": "\(length)"])
                #expect(
                    reply.status == (length < 0 ? 400 : 413) || length > 0 && reply.status == 507,
                    "\(path): \(reply.text.prefix(300))")
            }
        }
    }

    @Test func `JSON and tables have a limit of 16 MiB, because they are read as a whole`() async throws {
        let json = "{\"schema\":\"" + String(repeating: " ", count: 17 << 20)
        let reply = try await house.call("POST", "/v1/people/Ada/import", json, as: ada)
        #expect(reply.status == 400 && reply.text.contains("16 MiB"), "\(reply.text)")
        let table = "Date,Weight (kg)\n" + String(repeating: "\n", count: 17 << 20)
        let long = try await house.call("POST", "/v1/people/Ada/import", table, as: ada)
        #expect(long.status == 400 && long.text.contains("16 MiB"), "\(long.text)")
    }

    @Test func `three imports at the same time are too many, and a finished one makes room`() async throws {
        let slots = DiaryUpload.Slots()
        let actions = DiaryActions(house.store, catalogue: Catalogue(folder: house.folder.url.appending(path: "none")))
        let diary = try #require(try await actions.openStored("Ada", begins: false))
        func upload(_ bytes: Int = 0) throws -> DiaryUpload {
            try DiaryUpload(into: diary, of: actions, announced: bytes, in: slots)
        }
        var uploads = try (0..<2).map { _ in try upload() }
        let problem = #expect(throws: Problem.self) { try upload() }
        #expect(problem?.status.code == 429)
        uploads.removeLast()
        uploads.append(try upload())
        uploads.removeLast()
        #expect(throws: Problem.self) { try upload(.max / 2) }
        withExtendedLifetime(uploads) {}
    }

    @Test func `the daemon takes an export of several parts over a socket`() async throws {
        let daemon = try await LiveDaemon()
        defer { daemon.stop() }
        let added = try await daemon.call(
            "PUT", "/v1/people/Ada", Data(#"{"allergens":{}}"#.utf8), ["Content-Type": "application/json"])
        #expect([200, 201].contains(added.status), "\(added.text)")
        let steps = #" <Record type="HKQuantityTypeIdentifierStepCount" unit="count" value="1"/>\#n"#
        let file = Self.export.replacing(
            " <Record type=\"HKQuantityTypeIdentifierBodyMass\"",
            with: String(repeating: steps, count: 20_000) + " <Record type=\"HKQuantityTypeIdentifierBodyMass\"")
        let cookie = try await daemon.cookie(of: "Ada")
        let reply = try await daemon.call(
            "POST", "/v1/people/Ada/import", Data(file.utf8),
            ["Cookie": cookie, "Origin": daemon.address, "Content-Type": "application/xml"])
        #expect(reply.status == 200 && reply.json["weights"] as? Int == 1, "\(reply.text)")
        #expect(reply.json["reasons"] as? [String] == ["line 60011: a weight must be from 20 to 400 kg"])
        let left = try FileManager.default.contentsOfDirectory(atPath: daemon.results.path)
        #expect(left.contains { $0.hasSuffix(".sqlite") } && !left.contains { $0.hasPrefix(".import-") }, "\(left)")
    }
}
