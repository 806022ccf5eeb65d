import Diary
import Foundation
import HTTP
import Hummingbird

// The addresses below `/diary`.
extension DiaryPages {
    var settings: [Route] {
        [
            page(.get, "diary") { visit, diary in try await showSettings(visit, diary) },
            page(.post, "diary/reader") { visit, diary in
                let form = try await visit.call.form()
                try await cases.setReader(form["name"], of: diary, isAllowed: form["allowed"] == "yes")
                return Visit.next("/diary")
            },
            form(
                "diary/zone",
                again: { visit, diary, _, problem in try await showSettings(visit, diary, error: problem) }
            ) {
                visit, diary, form in
                try await cases.setZone(form["zone"], of: diary)
                return try await showSettings(visit, diary, message: visit.texts.text("diary.zone.saved"))
            },
            form(
                "diary/delete",
                again: { visit, diary, _, problem in try await showSettings(visit, diary, error: problem) }
            ) {
                visit, diary, form in
                guard form["name"] == diary.person else {
                    throw Problem(400, "badRequest", "type the name of the person to delete the diary")
                }
                try await cases.remove(diary)
                return Visit.next("/today")
            },
            page(.get, "diary/export") { visit, diary in
                let isCSV = visit.call.query["format"] == "csv"
                var response = try await DiaryAPI(cases: cases).export(diary, asCSV: isCSV)
                response.headers[.contentDisposition] = "attachment; filename=\"diary.\(isCSV ? "csv" : "json")\""
                return response
            },
            page(.post, "diary/import") { visit, diary in
                do {
                    let file = try await visit.call.request.file(upTo: DiaryAPI.mostImportedBytes)
                    let report = try await cases.restore(file, into: diary)
                    let counts = [
                        "entries": "\(report.entries)", "weights": "\(report.weights)",
                        "rejected": "\(report.rejected)",
                    ]
                    let text = [visit.texts.text("diary.imported", counts)] + report.reasons
                    return try await showSettings(visit, diary, message: text.joined(separator: " · "))
                } catch let refusal as any AppError where refusal.problem.status.code < 500 {
                    return try await showSettings(visit, diary, error: refusal.problem)
                }
            },
        ]
    }

    private func showSettings(
        _ visit: Visit, _ diary: OpenDiary, message: String? = nil, error: Problem? = nil
    ) async throws -> Response {
        let page = DiaryPage(
            try await cases.settings(of: diary), possible: try await cases.possibleReaders(of: diary),
            readable: try await cases.readable(by: try visit.call.person),
            suffix: diary.suffix(for: visit.viewer), visit.texts, message: message, error: error)
        return try visit.show(page, status: error?.status ?? .ok)
    }
}

/// Who reads a diary, its files, its time zone and its end.
struct DiaryPage: Page {
    static let template = "diary"
    static let styles = ["form", "diary"]

    struct Reader {
        let name: String
        let isReader: Bool
        let allow, forbid: String
    }

    struct Readable { let name, address: String }

    let heading, zone, suffix, query: String
    let isOwn: Bool
    let household: [Reader]
    let hasHousehold: Bool
    let readable: [Readable]
    let message, error: String?

    init(
        _ settings: DiarySettings, possible: [String], readable: [String], suffix: String, _ texts: PageTexts,
        message: String?, error: Problem?
    ) {
        heading = texts.text("diary.head", ["name": settings.person])
        zone = settings.zone
        self.suffix = suffix
        query = suffix.isEmpty ? "" : "?" + suffix.dropFirst()
        isOwn = suffix.isEmpty
        household = (possible + settings.readers.filter { !possible.contains($0) }).map { name in
            Reader(
                name: name, isReader: settings.readers.contains(name),
                allow: texts.text("diary.reader.allow", ["name": name]),
                forbid: texts.text("diary.reader.forbid", ["name": name]))
        }
        hasHousehold = !household.isEmpty
        self.readable = readable.map { Readable(name: $0, address: $0.escaped) }
        self.message = message
        self.error = error.map(texts.refusal)
    }
}
