import Core
import Diary
import Foundation
import HTTPAPI
import HTTPTypes
import Hummingbird

/// Whose diary a request may see, and how.
struct DiaryVisit {
    /// The keys that open diaries of their own, each with its person; the first one is of the person shown by default.
    var own: [(key: String, person: String)]
    /// The person whose diary is shown.
    var person: String
    var mayWrite: Bool

    /// Names the diary in addresses, if it is not the first one.
    var suffix: String {
        guard person != own.first?.person else { return "" }
        return "&person=" + (person.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    }

    static let cookieSeconds = 31_536_000
}

extension Response {
    /// With the cookie that keeps these keys of diaries.
    fileprivate func keeping(diaries keys: [String], for request: Request) -> Response {
        var response = self
        response.setCookie(
            DiaryKeys.cookie, keys.prefix(DiaryKeys.most).joined(separator: "."), seconds: DiaryVisit.cookieSeconds,
            for: request)
        return response
    }
}

extension WebRoutes {
    /// Checks the keys of a request.
    ///
    /// - Returns: nil if no key opens a diary.
    /// - Throws: `Problem` 404 for a diary of somebody else, 403 for a change of one that may only be read.
    func visit(_ request: Request, writes: Bool = false) async throws -> DiaryVisit? {
        let keys = request.diaryKeys
        let owners = try await diary.owners(keys)
        let own = zip(keys, owners).compactMap { key, owner in owner.map { (key: key, person: $0) } }
        guard let first = own.first else { return nil }
        let wanted = FormBody(queryOf: request)["person"]
        let level = try await diary.level(own.map(\.key), of: wanted.isEmpty ? first.person : wanted)
        guard level != .none else {
            throw Problem(
                404, "noDiary", "no key of this device opens the diary of \(String(wanted.prefix(60)).printable)")
        }
        // As it is stored: the name in the address may be spelled in another way.
        let person = wanted.isEmpty ? first.person : try await diary.person(wanted).name
        switch level {
        case .none, .own: return DiaryVisit(own: own, person: person, mayWrite: true)
        case .read:
            guard !writes else { throw Problem(403, "readOnly", "\(person) lets you read this diary, not change it") }
            return DiaryVisit(own: own, person: person, mayWrite: false)
        }
    }

    /// A page of a diary; without a key the page that opens one.
    func diaryPage(
        _ request: Request, section: String, writes: Bool = false, _ body: (DiaryVisit) async throws -> Response
    ) async throws -> Response {
        try await orPage(request, section: section) {
            guard let visit = try await visit(request, writes: writes) else {
                guard request.method == .get else { return Self.seeOther("/diary/open") }
                return try await openPage(request)
            }
            return try await body(visit)
        }
    }

    // MARK: Opening

    func openPage(_ request: Request, name: String = "", error: Problem? = nil) async throws -> Response {
        let texts = try language(request).texts
        let names = try await diary.names()
        var values: Values = [
            "names": names, "zone": TimeZone.current.identifier,
            "name": name.isEmpty && names.count == 1 ? names[0] : name,
        ]
        if let error { values["error"] = error.code == "conflict" ? texts.text("open.code.wrong") : error.detail }
        return try page(
            request, "diaryopen", section: "today", heading: texts.text("open.head"), values,
            status: error?.status ?? .ok)
    }

    func openDiary(_ request: Request, _ context: APIContext) async throws -> Response {
        let form = try await FormBody(request)
        let code = form["code"].isEmpty ? nil : form["code"]
        do {
            let zone = form["zone"].isEmpty ? TimeZone.current.identifier : form["zone"]
            guard
                let key = try await diary.open(
                    form["name"], zone: zone, code: code, from: context.guesser(request))
            else {
                throw Problem(409, "conflict", "this diary is open on another device")
            }
            let kept = try await visit(request)?.own.map(\.key) ?? []
            return Self.seeOther("/today").keeping(diaries: [key] + kept, for: request)
        } catch let problem as Problem where problem.status.code < 500 {
            return try await openPage(request, name: form["name"], error: problem)
        }
    }

    // MARK: Settings

    func diarySettings(
        _ request: Request, _ visit: DiaryVisit, code: (code: String, expires: Date)? = nil, message: String? = nil,
        error: Problem? = nil
    ) async throws -> Response {
        let texts = try language(request).texts
        let person = try await diary.person(visit.person)
        let readers = try await diary.readers(of: visit.person)
        let household = try await diary.possibleReaders(of: visit.person)
        let others = readers.filter { !household.contains($0) }
        var values: Values = [
            "person": visit.person, "zone": person.zone,
            "household": (household + others).map { name -> Values in
                [
                    "name": name, "isReader": readers.contains(name),
                    "allow": texts.text("diary.reader.allow", ["name": name]),
                    "forbid": texts.text("diary.reader.forbid", ["name": name]),
                ]
            },
            "hasHousehold": !(household + others).isEmpty,
            "own": visit.own.map { one -> Values in ["name": one.person, "isCurrent": one.person == visit.person] },
            "hasMore": visit.own.count > 1,
            "readable": try await diary.readable(by: visit.own.first?.person ?? "").map { name -> Values in
                ["name": name, "address": name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""]
            },
        ]
        if let code {
            values["code"] = code.code
            values["until"] = String(code.expires.formatted(.iso8601).dropFirst(11).prefix(5)) + " UTC"
        }
        if let message { values["message"] = message }
        if let error { values["error"] = error.detail }
        return try page(
            request, "diary", section: "today", heading: texts.text("diary.head", ["name": visit.person]), values,
            status: error?.status ?? .ok)
    }

    /// The addresses below `/diary`.
    func addDiarySettings(to routes: RouterGroup<APIContext>) {
        routes.get("diary/open") { request, _ in
            try await orPage(request, section: "today") { try await openPage(request) }
        }
        routes.post("diary/open") { request, context in
            try await orPage(request, section: "today") { try await openDiary(request, context) }
        }
        routes.get("diary") { request, _ in
            try await diaryPage(request, section: "today", writes: true) { try await diarySettings(request, $0) }
        }
        routes.post("diary/switch") { request, _ in
            try await diaryPage(request, section: "today") { visit in
                let name = try await FormBody(request)["name"]
                let chosen = visit.own.filter { $0.person == name } + visit.own.filter { $0.person != name }
                return Self.seeOther("/today").keeping(diaries: chosen.map(\.key), for: request)
            }
        }
        routes.post("diary/code") { request, _ in
            try await diaryPage(request, section: "today", writes: true) { visit in
                try await diarySettings(request, visit, code: try await diary.newCode(of: visit.person))
            }
        }
        routes.post("diary/reader") { request, _ in
            try await diaryPage(request, section: "today", writes: true) { visit in
                let form = try await FormBody(request)
                try await diary.setReader(form["name"], of: visit.person, isAllowed: form["allowed"] == "yes")
                return Self.seeOther("/diary")
            }
        }
        routes.post("diary/zone") { request, _ in
            try await diaryPage(request, section: "today", writes: true) { visit in
                let texts = try language(request).texts
                do {
                    try await diary.setZone(try await FormBody(request)["zone"], of: visit.person)
                    return try await diarySettings(request, visit, message: texts.text("diary.zone.saved"))
                } catch let problem as Problem where problem.status.code < 500 {
                    return try await diarySettings(request, visit, error: problem)
                }
            }
        }
        routes.post("diary/close") { request, _ in
            try await diaryPage(request, section: "today") { visit in
                let kept = visit.own.filter { $0.person != visit.person }
                return Self.seeOther("/today").keeping(diaries: kept.map(\.key), for: request)
            }
        }
        routes.post("diary/delete") { request, _ in
            try await diaryPage(request, section: "today", writes: true) { visit in
                guard try await FormBody(request)["name"] == visit.person else {
                    let problem = Problem(400, "badRequest", "type the name of the person to delete the diary")
                    return try await diarySettings(request, visit, error: problem)
                }
                try await diary.remove(visit.person)
                return Self.seeOther("/today")
            }
        }
        routes.get("diary/export") { request, _ in
            try await diaryPage(request, section: "today", writes: true) { visit in
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
        routes.post("diary/import") { request, _ in
            try await diaryPage(request, section: "today", writes: true) { visit in
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
