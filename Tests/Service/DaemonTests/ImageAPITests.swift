import Core
import Foundation
import Household
import Store
import TestSupport
import Testing

/// Uploads, history, people, reviews and deletion over the API of a real daemon.
@Suite(.serialized) struct ImageAPITests {
    @Test func `the same bytes have the same id, as body and as form`() async throws {
        let daemon = try await LiveDaemon()
        defer { daemon.stop() }
        let photo = try Data(contentsOf: Repository.samples.appending(path: "barcodes/spread-ean13.jpg"))
        let key = ["Content-Type": "image/jpeg", "Idempotency-Key": "k1"]
        let first = try await daemon.call("POST", "/v1/images", photo, key)
        #expect(first.status == 202)
        let id = try #require((first.json["images"] as? [[String: Any]])?.first?["id"] as? String)
        #expect(first.header("Location") == "/v1/images/\(id)")

        let edge = "edge77"
        var form = Data("--\(edge)\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"x.jpg\"\r\n\r\n".utf8)
        form += photo + Data("\r\n--\(edge)--\r\n".utf8)
        let again = try await daemon.call(
            "POST", "/v1/images", form, ["Content-Type": "multipart/form-data; boundary=\(edge)"])
        #expect((again.json["images"] as? [[String: Any]])?.first?["id"] as? String == id)
        #expect(
            try await eventually {
                try await daemon.call("GET", "/v1/images/\(id)").json["state"] as? String == "done"
            })
        let done = try await daemon.call("POST", "/v1/images", photo, key)
        #expect(done.status == 200, "the outcome exists already")

        let other = try await daemon.call("POST", "/v1/images", Data([0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]), key)
        #expect(other.status == 422, "the key named other bytes")
        #expect(other.header("Content-Type") == "application/problem+json")
        let uploads = try FileManager.default.contentsOfDirectory(atPath: daemon.inbox.appending(path: "uploads").path)
        #expect(uploads.count == 1, "\(uploads)")

        let outcome = try await daemon.call("GET", "/v1/outcomes/\(id)")
        let tag = try #require(outcome.header("ETag"))
        #expect(try await daemon.call("GET", "/v1/outcomes/\(id)", nil, ["If-None-Match": tag]).status == 304)
        let picture = try await daemon.call("GET", "/v1/outcomes/\(id)/image?side=160")
        #expect(picture.status == 200)
        #expect(picture.data.starts(with: [0xFF, 0xD8, 0xFF]), "a JPEG")
        #expect(try await daemon.call("GET", "/v1/outcomes/\(id)/overlay.png").data.starts(with: [0x89, 0x50]))
    }

    /// Width and height of a JPEG, from its frame header.
    private func size(_ jpeg: Data) -> (width: Int, height: Int)? {
        let bytes = [UInt8](jpeg)
        var at = 2
        while at + 9 < bytes.count, bytes[at] == 0xFF {
            if (0xC0...0xC2).contains(bytes[at + 1]) {
                return (Int(bytes[at + 7]) << 8 | Int(bytes[at + 8]), Int(bytes[at + 5]) << 8 | Int(bytes[at + 6]))
            }
            at += 2 + (Int(bytes[at + 2]) << 8 | Int(bytes[at + 3]))
        }
        return nil
    }

    @Test func `the thumbnail of a photo on its side is upright by its print`() async throws {
        let daemon = try await LiveDaemon()
        defer { daemon.stop() }
        let id = try await daemon.upload(Repository.samples.appending(path: "menus/pub-english.jpg"))
        let turned = try Data(contentsOf: Repository.samples.appending(path: "menus/pub-english.jpg")).onItsSide
        let side = daemon.folder.url.appending(path: "side.jpg")
        try turned.write(to: side)
        let other = try await daemon.upload(side)
        func sizes(_ id: String) async throws -> [Bool?] {
            var upright: [Bool?] = []
            for side in [160, 1600] {
                let picture = try await daemon.call("GET", "/v1/outcomes/\(id)/image?side=\(side)")
                upright.append(size(picture.data).map { $0.height > $0.width })
            }
            return upright
        }
        #expect(try await sizes(id) == [true, true])
        let both = try await sizes(other)
        #expect(both == [true, false], "\(both): places on the page's photo are those of the readings")
    }

    @Test func `uploads and deletions follow no link out of the watched folder`() async throws {
        let daemon = try await LiveDaemon()
        defer { daemon.stop() }
        let manager = FileManager.default
        let outside = daemon.folder.url.appending(path: "outside")
        let (uploads, moved) = (daemon.inbox.appending(path: "uploads"), daemon.folder.url.appending(path: "moved"))
        try manager.createDirectory(at: outside, withIntermediateDirectories: true)
        let photo = Repository.samples.appending(path: "barcodes/spread-ean13.jpg")
        let type = ["Content-Type": "image/jpeg"]

        try manager.createSymbolicLink(at: uploads, withDestinationURL: outside)
        let refused = try await daemon.call("POST", "/v1/images", try Data(contentsOf: photo), type)
        #expect(refused.status == 503)
        #expect(refused.json["code"] as? String == "noFolder")
        #expect(try manager.contentsOfDirectory(atPath: outside.path) == [])
        try manager.removeItem(at: uploads)

        let id = try await daemon.upload(photo)
        let name = try #require(try manager.contentsOfDirectory(atPath: uploads.path).first)
        try Data("of somebody else".utf8).write(to: outside.appending(path: name))
        try manager.moveItem(at: uploads, to: moved)
        try manager.createSymbolicLink(at: uploads, withDestinationURL: outside)
        let deletion = try await daemon.call("DELETE", "/v1/images/\(id)")
        #expect(deletion.status == 200)
        #expect(deletion.json["deleted"] as? [String] == [])
        #expect(try manager.contentsOfDirectory(atPath: outside.path) == [name])
    }

    @Test func `what is no photo, too large or unknown is refused with problem details`() async throws {
        let file = try TemporaryFolder()
        let settings = file.url.appending(path: "settings.yaml")
        try Data("photos:\n  fileMiB: 1\n".utf8).write(to: settings)
        let daemon = try await LiveDaemon(["--config", settings.path])
        defer { daemon.stop() }
        func problem(_ reply: LiveDaemon.Reply) -> String? {
            reply.header("Content-Type") == "application/problem+json" ? reply.json["code"] as? String : nil
        }
        let text = try await daemon.call("POST", "/v1/images", Data("hello".utf8), ["Content-Type": "text/plain"])
        #expect(text.status == 415)
        #expect(text.json["formats"] as? [String] != nil)
        let bytes = try await daemon.call("POST", "/v1/images", Data("hello".utf8), ["Content-Type": "image/jpeg"])
        #expect(bytes.status == 415)
        let big = try await daemon.call(
            "POST", "/v1/images", Data([0xFF, 0xD8, 0xFF]) + Data(count: 2 << 20), ["Content-Type": "image/jpeg"])
        #expect(big.status == 413)
        #expect(big.json["limitBytes"] as? Int == 1 << 20)
        let unknown = "sha256:" + String(repeating: "0", count: 64)
        let paths = [
            "/v1/images/\(unknown)", "/v1/outcomes/\(unknown)", "/v1/outcomes/\(unknown)/image", "/v1/nothing",
        ]
        for path in paths {
            let reply = try await daemon.call("GET", path)
            #expect(reply.status == 404, "\(path)")
            #expect(problem(reply) == "notFound", "\(path)")
        }
        #expect(problem(try await daemon.call("GET", "/v1/history?limit=0")) == "badRequest")
        let soup = try await daemon.call("GET", "/v1/history?domain=soup")
        #expect(problem(soup) == "badRequest")
        #expect((soup.json["detail"] as? String)?.contains("domain must be one of menu, label") == true)
        let since = try await daemon.call("GET", "/v1/history?since=soon")
        #expect(since.json["detail"] as? String == "since must be a date such as 2026-11-08")
        #expect(problem(try await daemon.call("GET", "/v1/history?cursor=!!")) == "badRequest")
        #expect(problem(try await daemon.call("GET", "/v1/people", nil, ["Authorization": "Bearer no"])) == "noToken")
        let left = try? FileManager.default.contentsOfDirectory(atPath: daemon.inbox.appending(path: "uploads").path)
        #expect(left?.isEmpty != false, "refused uploads leave no file: \(left ?? [])")
    }

    @Test func `a full queue answers 429 with the time to wait`() async throws {
        let file = try TemporaryFolder()
        let settings = file.url.appending(path: "settings.yaml")
        try Data("api:\n  mostWaiting: 1\n".utf8).write(to: settings)
        // A worker that never answers, so that the queue cannot become empty meanwhile.
        let worker = file.url.appending(path: "worker")
        try Data("#!/bin/sh\nexec '\(Program("tablesight-test-worker").url.path)' hang\n".utf8).write(to: worker)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: worker.path)
        let daemon = try await LiveDaemon(
            ["--config", settings.path],
            environment: [
                "TABLESIGHT_WORKER": worker.path, "TABLESIGHT_WORKERS_COUNT": "1",
                "TABLESIGHT_WORKERS_WALL_CLOCK_SECONDS": "3600",
            ])
        defer { daemon.stop() }
        let photos = try Sample.all(in: "barcodes").map(\.photo).prefix(4)
        var statuses: [Int] = []
        for photo in photos {
            let reply = try await daemon.call(
                "POST", "/v1/images", try Data(contentsOf: photo), ["Content-Type": "image/jpeg"])
            statuses.append(reply.status)
            if reply.status == 429 { #expect(reply.header("Retry-After") == "30") }
        }
        #expect(statuses.first == 202)
        #expect(statuses.contains(429))
    }

    @Test func `a person's allergens change the stored verdicts and are announced`() async throws {
        let daemon = try await LiveDaemon()
        defer { daemon.stop() }
        let id = try await daemon.upload(Repository.samples.appending(path: "labels/oat-cookies.jpg"))
        let saved = try await daemon.call(
            "PUT", "/v1/people/Ada", Data(#"{"allergens":{"milk":"severe"},"language":"en"}"#.utf8))
        #expect(saved.status == 201, "\(saved.text)")
        #expect(
            try await eventually {
                let household = try await daemon.call("GET", "/v1/outcomes/\(id)").json["household"] as? [String: Any]
                return household.map { Array($0.keys) } == ["Ada"]
            }, "the stored photo is judged for Ada only")
        let wrong = try await daemon.call("PUT", "/v1/people/Bo", Data(#"{"allergens":{"stone":"high"}}"#.utf8))
        #expect(wrong.status == 400)
        #expect(try await daemon.call("GET", "/v1/history?person=Ada").json["total"] as? Int == 1)
        #expect(try await daemon.call("GET", "/v1/history?person=Bo").json["total"] as? Int == 0)
        let removed = try await daemon.call("DELETE", "/v1/people/Ada")
        #expect(removed.status == 200)
        #expect(removed.json["removed"] as? String == "Ada")
        #expect(removed.json["diaryEntries"] as? Int == 0, "it says what there was")
        #expect(try await daemon.call("DELETE", "/v1/people/Ada").status == 404)
    }

    @Test
    func `who is judged for is shown, and who is added in the app is judged for, also on old photos`() async throws {
        let folder = try TemporaryFolder()
        let people = folder.url.appending(path: "people.sqlite")
        let anna = AllergenProfile(name: "anna", allergens: [.milk: .severe])
        try Household(OutcomeStore(at: people)).add(NewMember("anna", profile: anna))
        let daemon = try await LiveDaemon(["--profile", "anna"], environment: ["TABLESIGHT_PEOPLE": people.path])
        defer { daemon.stop() }
        let id = try await daemon.upload(Repository.samples.appending(path: "labels/oat-cookies.jpg"))
        func judged() async throws -> [String] {
            let household = try await daemon.call("GET", "/v1/outcomes/\(id)").json["household"] as? [String: Any]
            return household.map { $0.keys.sorted() } ?? []
        }
        func shown() async throws -> [String: Bool] {
            let data = try await daemon.call("GET", "/v1/people").data
            let all = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
            return Dictionary(
                all.map { ($0["name"] as? String ?? "", $0["readOnly"] as? Bool ?? false) }, uniquingKeysWith: { $1 })
        }
        #expect(try await eventually { try await judged() == ["anna"] })
        #expect(try await shown() == ["anna": false], "taken over from the user's people")
        let page = try await daemon.call("GET", "/people", nil, ["Cookie": try await daemon.cookie(of: "anna")]).text
        #expect(page.contains("anna"))
        #expect(!page.contains("Nobody is stored"))
        #expect(
            try await daemon.call("PUT", "/v1/people/Leo", Data(#"{"allergens":{"gluten":"severe"}}"#.utf8)).status
                == 201)
        #expect(try await eventually { try await judged() == ["Leo", "anna"] }, "the stored photo too")
        #expect(try await shown() == ["anna": false, "Leo": false])
        #expect(try await daemon.call("DELETE", "/v1/people/ANNA").status == 200)
        #expect(try await eventually { try await judged() == ["Leo"] }, "whatever the setting says")
        #expect(try await daemon.call("DELETE", "/v1/people/Leo").status == 200)
        #expect(try await eventually { try await judged() == ["everyone"] })
    }

    @Test func `a review changes the verdict and keeps the program's own`() async throws {
        let daemon = try await LiveDaemon()
        defer { daemon.stop() }
        let id = try await daemon.upload(Repository.samples.appending(path: "labels/oat-cookies.jpg"))
        let body = #"{"id":"\#(id)","item":"label","allergen":"celery","action":"edit","value":"CONTAINS","by":"Ada"}"#
        let reply = try await daemon.call("POST", "/v1/reviews", Data(body.utf8))
        #expect(reply.status == 201, "\(reply.text)")
        let outcome = try await daemon.call("GET", "/v1/outcomes/\(id)").json
        let verdicts = (outcome["label"] as? [String: Any])?["verdicts"] as? [String: [String: [String: Any]]]
        let celery = try #require(verdicts?["everyone"]?["celery"])
        #expect(celery["verdict"] as? String == "CONTAINS")
        #expect(celery["by"] as? String == "Ada")
        #expect((celery["system"] as? [String: Any])?["verdict"] as? String != "CONTAINS")
        let unknown = body.replacing("\"label\"", with: "\"soup\"")
        #expect(try await daemon.call("POST", "/v1/reviews", Data(unknown.utf8)).status == 404)
    }

    @Test func `a deleted upload leaves no bytes`() async throws {
        let daemon = try await LiveDaemon(["--overlays"])
        defer { daemon.stop() }
        let photo = Repository.samples.appending(path: "labels/oat-cookies.jpg")
        let id = try await daemon.upload(photo)
        _ = try await daemon.call("GET", "/v1/outcomes/\(id)/image")
        let hash = Data(id.dropFirst("sha256:".count).utf8)
        let original = try Data(contentsOf: photo)
        let part = original[(original.count / 2)..<(original.count / 2 + 64)]
        #expect(try !daemon.files(holding: hash).isEmpty)
        #expect(try !daemon.files(holding: part).isEmpty)
        let reply = try await daemon.call("DELETE", "/v1/images/\(id)")
        #expect(reply.status == 200)
        #expect((reply.json["deleted"] as? [String])?.count == 1)
        #expect(try daemon.files(holding: hash).filter { $0 != "out" }.isEmpty)
        #expect(try daemon.files(holding: part).isEmpty)
        #expect(try await daemon.call("GET", "/v1/outcomes/\(id)").status == 404)
        #expect(try await daemon.call("GET", "/v1/history").json["total"] as? Int == 0)
        #expect(try await daemon.call("DELETE", "/v1/images/\(id)").status == 404)
    }

    @Test func `a cookie needs the server's own origin to change something`() async throws {
        let daemon = try await LiveDaemon()
        defer { daemon.stop() }
        let cookie = ["Cookie": try await daemon.cookie()]
        func status(_ more: [String: String]) async throws -> Int {
            try await daemon.call("DELETE", "/v1/people/Nobody", nil, cookie.merging(more) { $1 }).status
        }
        #expect(try await status([:]) == 403)
        #expect(try await status(["Origin": "http://127.0.0.1:1"]) == 403, "another port is another origin")
        #expect(try await status(["Origin": "http://evil.example"]) == 403)
        #expect(try await status(["Origin": daemon.address]) == 404)
        let page = try await daemon.call("GET", "/", nil, cookie)
        #expect(page.status == 200)
        #expect(page.header("X-Content-Type-Options") == "nosniff")
        let policy = try #require(page.header("Content-Security-Policy"))
        #expect(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"))
        #expect(try await daemon.call("GET", "/v1/people", nil, cookie).status == 200)
    }
}

extension Data {
    /// A JPEG without Exif with the orientation of a camera that was held on its side.
    fileprivate var onItsSide: Data {
        let tiff: [UInt8] =
            Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
        let body = Array("Exif".utf8) + [0, 0] + tiff
        return prefix(2) + [0xFF, 0xE1, 0, UInt8(body.count + 2)] + body + dropFirst(2)
    }
}
