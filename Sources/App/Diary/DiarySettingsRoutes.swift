import Core
import Diary
import Foundation
import HTTP
import Hummingbird
import Store

// Settings, readers and files of a diary as JSON, and the page Diary.
extension DiaryRoutes {
    // MARK: JSON

    private struct Export: Decodable, Documented {
        enum Format: String, Decodable, CaseIterable { case json, csv }

        var format: Format?

        static let fields = ["format": Field("json keeps everything.", usual: "json")]
    }

    var settingsJSON: [Route] {
        let settings: RoutePath = "v1/people/\(.member)/diary"
        let reader: RoutePath = "v1/people/\(.member)/diary/readers/\(.diaryReader)"
        return [
            diary(.get, settings, "Settings of a diary", gives: [200: "The settings."]) { diary, _ in
                try await cases.settings(of: diary)
            },
            diary(
                .put, settings, "Sets the time zone of new entries, and whether pages say what goes well",
                body: DiaryEdit.self, gives: [200: "The settings."]
            ) { diary, _, edit in
                try await cases.set(zone: edit.zone, encouragement: edit.encouragement, of: diary)
                return try await cases.settings(of: diary)
            },
            diary(.delete, settings, "Deletes a diary with everything in it", gives: [204: "Done."]) { diary, _ in
                try await cases.remove(diary)
                return Nothing()
            },
            diary(
                .put, reader, "Lets a person read the diary", gives: [204: "Done."],
                refuses: [409: "The reader has opened no diary."]
            ) { diary, call in
                try await cases.setReader(try call[.diaryReader], of: diary, isAllowed: true)
                return Nothing()
            },
            diary(.delete, reader, "Ends that", gives: [204: "Done."]) { diary, call in
                try await cases.setReader(try call[.diaryReader], of: diary, isAllowed: false)
                return Nothing()
            },
            Route(
                .get, "v1/people/\(.member)/export", for: .adult, "Everything of a diary",
                gives: ("application/json", "The file."), refuses: Self.refusals
            ) { call in
                let format = try call.query(as: Export.self).format
                return try await export(try await named(call), asCSV: format == .csv)
            }
            .taking(query: Export.self).giving(DiaryFile.self, with: 200, "The file.")
            .giving(alsoAs: "text/csv", with: 200),
            diary(
                .post, "v1/people/\(.member)/import",
                "Adds the entries and weights of a file; the same file again changes nothing",
                gives: [200: "What was read."],
                refuses: [
                    408: "The body arrives too slowly.", 413: "The body is too large; `limitBytes` names the limit.",
                    429: "Too many files are imported at the same time.", 507: "The disk is full.",
                ]
            ) { diary, call in
                let upload = try upload(call.request, into: diary)
                try await call.request.eachPart(upTo: DiaryUpload.mostBytes) { try await upload.write($0) }
                return try await upload.restore()
            }
            .taking(body: [
                ("application/json", Schema(type: "object")), ("text/csv", Schema(type: "string")),
                ("application/xml", Schema(type: "string")),
            ]),
        ]
    }

    /// Everything of a diary as a file.
    private func export(_ diary: OpenDiary, asCSV: Bool) async throws -> Response {
        let data = asCSV ? try await cases.exportedCSV(diary) : try JSONCoding.encode(try await cases.exported(diary))
        return Response(
            status: .ok,
            headers: [
                .contentType: asCSV ? "text/csv; charset=utf-8" : "application/json",
                .cacheControl: "private, no-store",
            ], body: .init(byteBuffer: .init(data: data)))
    }

    private func upload(_ request: Request, into diary: OpenDiary) throws -> DiaryUpload {
        try DiaryUpload(into: diary, of: cases, announced: request.announcedBytes, in: uploads)
    }

    // MARK: Pages

    var settingsPages: [Route] {
        [
            page(.get, "diary") { visit, diary in try await showSettings(visit, diary) },
            page(.post, "diary/reader") { visit, diary in
                let form = try await visit.call.form()
                try await cases.setReader(form["name"], of: diary, isAllowed: form["allowed"] == "yes")
                return Visit.next("/diary")
            },
            form("diary/zone", again: { try await showSettings($0, $1) }) { visit, diary, form in
                try await cases.set(zone: form["zone"], of: diary)
                return try await showSettings(visit, diary, message: visit.texts.text("diary.zone.saved"))
            },
            form("diary/delete", again: { try await showSettings($0, $1) }) { visit, diary, _ in
                try visit.next(
                    "/diary" + visit.place(of: diary).query,
                    deleting: visit.texts.text("diary.deleted", ["name": diary.person]),
                    Deletion(.diary, try diary.owned(), diary.person))
            },
            page(.get, "diary/export") { visit, diary in
                let isCSV = visit.call.query["format"] == "csv"
                var response = try await export(diary, asCSV: isCSV)
                response.headers[.contentDisposition] = "attachment; filename=\"diary.\(isCSV ? "csv" : "json")\""
                return response
            },
            page(.post, "diary/import") { visit, diary in
                do {
                    let request = visit.call.request
                    let upload = try upload(request, into: diary)
                    try await request.eachPartOfFile(upTo: DiaryUpload.mostBytes) { try await upload.write($0) }
                    let report = try await upload.restore()
                    let text = [Self.text(report, visit.texts)] + report.reasons
                    return try await showSettings(visit, diary, message: text.joined(separator: " · "))
                } catch DiaryProblem.badFile(let reason, isArchive: false) {
                    let detail = visit.texts.text("diary.import.refused", ["reason": reason])
                    return try await showSettings(visit.refused(Problem(400, "badFile", detail)), diary)
                } catch let refusal as any AppError where refusal.problem.status.code < 500 {
                    return try await showSettings(visit.refused(refusal.problem), diary)
                }
            },
        ]
    }

    private static func text(_ report: ImportReport, _ texts: PageTexts) -> String {
        let counts = [
            "entries": "\(report.entries)", "weights": "\(report.weights)", "kept": "\(report.kept)",
            "repeats": "\(report.repeats)", "rejected": "\(report.rejected)", "unchanged": "\(report.unchanged)",
        ]
        return texts.text(report.isOfWeights ? "diary.imported.weights" : "diary.imported", counts)
    }

    private func showSettings(
        _ visit: Visit, _ diary: OpenDiary, message: String? = nil
    ) async throws -> Response {
        let page = DiaryPage(
            try await cases.settings(of: diary), possible: try await cases.possibleReaders(of: diary),
            readable: try await cases.readable(by: try visit.call.person),
            suffix: visit.place(of: diary).suffix, visit.texts)
        return try visit.show(page, message: message)
    }
}
