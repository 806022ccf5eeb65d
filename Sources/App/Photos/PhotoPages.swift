import Core
import Foundation
import HTTP
import Hummingbird
import Risk

/// The pages of photos: scan, result, history.
struct PhotoPages {
    let cases: PhotoUseCases
    let reviews: ReviewUseCases
    let people: PeopleUseCases
    let shell: PageShell
    /// Gives the sentences of the ingredient sheet in the reader's language.
    let release: EvidenceRelease?
    let access: DeviceAccess

    private static let recentRows = 3

    private var api: PhotoAPI { PhotoAPI(cases: cases) }

    var routes: [Route] {
        [
            shell.page(.get, "/", for: .guest, in: .scan) { visit in
                try await people.isNewHousehold() ? Visit.next("/welcome") : try await scan(visit)
            },
            shell.page(.get, "scan", for: .guest, in: .scan) { visit in try await scan(visit) },
            shell.page(.post, "scan", for: .guest, in: .scan) { visit in
                try await Visit.answer {
                    let found = try await api.receive(visit.call)
                    return Visit.next(found.count == 1 ? "/photos/\(found[0].id)" : "/history")
                } refused: {
                    try await scan(visit, error: $0)
                }
            },
            shell.page(.get, "photos/\(.photo)", for: .guest, in: .history) { visit in
                let id = try visit.call[.photo]
                guard let outcome = try await cases.result(id) else {
                    var waiting = visit
                    waiting.section = .scan
                    return try waiting.show(ProgressPage(id, visit.texts))
                }
                return try visit.show(
                    ResultPage(
                        ShownOutcome(
                            outcome: outcome, id: id, people: cases.people, language: visit.language, release: release),
                        hasQuestions: !(try await reviews.questions(of: id)).isEmpty))
            },
            shell.page(.get, "photos/\(.photo)/delete", for: .adult, in: .history) { visit in
                let id = try visit.call[.photo]
                return try visit.show(DeletePage(id, try await cases.result(id), visit.texts))
            },
            shell.page(.post, "photos/\(.photo)/delete", for: .adult, in: .history) { visit in
                _ = try await cases.delete(try visit.call[.photo])
                return Visit.next("/history")
            },
            shell.page(.get, "history", for: .guest, in: .history) { visit in
                let query = try visit.call.query(as: HistoryQuery.self)
                let found = try await cases.page(query)
                return try visit.show(HistoryPage(found, query, people: cases.people, visit.texts))
            },
        ]
    }

    private func scan(_ visit: Visit, error: Problem? = nil) async throws -> Response {
        let recent = try await cases.page(HistoryQuery(limit: Self.recentRows))
        return try visit.show(
            ScanPage(recent.items, isUnprotected: access.isUnprotected(visit.call.request), error: error, visit.texts),
            status: error?.status ?? .ok)
    }
}
