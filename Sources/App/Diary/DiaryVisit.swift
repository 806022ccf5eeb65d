import Core
import Diary
import Foundation
import HTTP
import HTTPTypes
import Hummingbird

/// Whose diary a request may see, and how.
struct DiaryVisit {
    /// The person whose diary is shown.
    var person: String
    /// The person who uses the device.
    var own: String
    var mayWrite: Bool

    /// Names the diary in addresses, if it is somebody else's.
    var suffix: String {
        guard person != own else { return "" }
        return "&person=" + person.escaped
    }

    /// The same as the whole query of an address.
    var query: String { suffix.isEmpty ? "" : "?" + suffix.dropFirst() }
}

extension WebRoutes {
    /// A page of a diary. While the diary is locked, the page that asks for the PIN; while nobody uses the device, the
    /// one that asks who it is.
    func diaryPage(
        _ request: Request, _ context: APIContext, section: String, writes: Bool = false,
        _ body: (DiaryVisit) async throws -> Response
    ) async throws -> Response {
        try await orPage(request, section: section) {
            let identity = try context.known()
            guard let own = identity.member else { return Self.seeOther(Self.whoPage(for: request)) }
            let wanted = FormBody(queryOf: request)["person"]
            let (person, level): (String, DiaryLevel)
            do {
                (person, level) = try await diary.access(to: wanted.isEmpty ? nil : wanted, for: identity)
            } catch let problem as Problem where problem.code == "locked" {
                return Self.seeOther(Self.whoPage(for: request, asksPINOf: own.name))
            }
            guard level == .own || !writes else {
                throw Problem(403, "readOnly", "\(person) lets you read this diary, not change it")
            }
            return try await body(DiaryVisit(person: person, own: own.name, mayWrite: level == .own))
        }
    }

    /// The address of the page that asks who it is, or for a PIN, and leads back to this page.
    static func whoPage(for request: Request, asksPINOf name: String? = nil) -> String {
        let asked = request.uri.path + (request.uri.query.map { "?\($0)" } ?? "")
        let next = "next=" + (request.method == .get ? asked : "/today").escaped
        return name.map { "/who/pin?member=\($0.escaped)&\(next)" } ?? "/who?\(next)"
    }

    // MARK: Settings

    func diarySettings(
        _ request: Request, _ visit: DiaryVisit, message: String? = nil, error: Problem? = nil
    ) async throws -> Response {
        let texts = try language(request).texts
        let person = try await diary.person(visit.person)
        let readers = try await diary.readers(of: visit.person)
        let possible = try await diary.possibleReaders(of: visit.person)
        let others = readers.filter { reader in !possible.contains(reader) }
        var values: Values = [
            "person": visit.person, "zone": person.zone, "suffix": visit.suffix, "query": visit.query,
            "isOwn": visit.person == visit.own,
            "household": (possible + others).map { name -> Values in
                [
                    "name": name, "isReader": readers.contains(name),
                    "allow": texts.text("diary.reader.allow", ["name": name]),
                    "forbid": texts.text("diary.reader.forbid", ["name": name]),
                ]
            },
            "hasHousehold": !(possible + others).isEmpty,
            "readable": try await diary.readable(by: visit.own).map { name -> Values in
                ["name": name, "address": name.escaped]
            },
        ]
        if let message { values["message"] = message }
        if let error { values["error"] = error.detail }
        return try page(
            request, "diary", section: "today", heading: texts.text("diary.head", ["name": visit.person]), values,
            status: error?.status ?? .ok)
    }

    /// The addresses below `/diary`.
    func addDiarySettings(to routes: RouterGroup<APIContext>) {
        routes.get("diary") { request, context in
            try await diaryPage(request, context, section: "today", writes: true) {
                try await diarySettings(request, $0)
            }
        }
        routes.post("diary/reader") { request, context in
            try await diaryPage(request, context, section: "today", writes: true) { visit in
                let form = try await FormBody(request)
                try await diary.setReader(form["name"], of: visit.person, isAllowed: form["allowed"] == "yes")
                return Self.seeOther("/diary")
            }
        }
        routes.post("diary/zone") { request, context in
            try await diaryPage(request, context, section: "today", writes: true) { visit in
                let texts = try language(request).texts
                do {
                    try await diary.setZone(try await FormBody(request)["zone"], of: visit.person)
                    return try await diarySettings(request, visit, message: texts.text("diary.zone.saved"))
                } catch let problem as Problem where problem.status.code < 500 {
                    return try await diarySettings(request, visit, error: problem)
                }
            }
        }
        routes.post("diary/delete") { request, context in
            try await diaryPage(request, context, section: "today", writes: true) { visit in
                guard try await FormBody(request)["name"] == visit.person else {
                    let problem = Problem(400, "badRequest", "type the name of the person to delete the diary")
                    return try await diarySettings(request, visit, error: problem)
                }
                try await diary.remove(visit.person)
                return Self.seeOther("/today")
            }
        }
        routes.get("diary/export") { request, context in
            try await diaryPage(request, context, section: "today", writes: true) { visit in
                let isCSV = FormBody(queryOf: request)["format"] == "csv"
                let data = try await diary.exported(visit.person, asCSV: isCSV)
                var response = Response(
                    status: .ok,
                    headers: [
                        .contentType: isCSV ? "text/csv; charset=utf-8" : "application/json",
                        .cacheControl: "private, no-store",
                    ], body: .init(byteBuffer: .init(data: data)))
                response.headers[.contentDisposition] = "attachment; filename=\"diary.\(isCSV ? "csv" : "json")\""
                return response
            }
        }
        routes.post("diary/import") { request, context in
            try await diaryPage(request, context, section: "today", writes: true) { visit in
                let texts = try language(request).texts
                do {
                    let report = try await diary.restore(try await request.file(upTo: 16 << 20), into: visit.person)
                    let counts = [
                        "entries": "\(report.entries)", "weights": "\(report.weights)",
                        "rejected": "\(report.rejected)",
                    ]
                    let text = ([texts.text("diary.imported", counts)] + report.reasons).joined(separator: " · ")
                    return try await diarySettings(request, visit, message: text)
                } catch let problem as Problem where problem.status.code < 500 {
                    return try await diarySettings(request, visit, error: problem)
                }
            }
        }
    }
}
