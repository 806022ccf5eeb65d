import Foundation
import Hummingbird
import Logging
import TestSupport
import Testing

@testable import HTTPAPI

/// Every route of the API over parts that store nothing, and the document that describes them.
enum DocumentedServer {
    static let token = "right"

    static var document: [String: Any] {
        get throws {
            let data = try Data(contentsOf: Repository.models.appending(path: "web/openapi.json"))
            return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        }
    }

    /// A router of its own: it counts wrong tokens.
    static var router: Router<APIContext> {
        let nothing = Nothing()
        let empty = ProductAnswer(status: 404, body: Data())
        let parts: [any APIRoutes] = [
            EventRoutes(latest: { 0 }, after: { _, _ in [] }), OutcomeRoutes { _ in nil },
            HistoryRoutes(page: { _ in .init(items: [], total: 0, next: nil) }, outcome: { _ in nil }),
            ImageRoutes(nothing), PeopleRoutes(nothing), DeviceRoutes(nothing), DiaryRoutes(nothing),
            GroceryRoutes(nothing),
            GameRoutes(
                games: { Data() }, sessions: { [] }, lines: { _, _, _ in [] }, isKnown: { $0 == "tangram" },
                play: { _, _, _ in nil }),
            ProductRoutes(
                openFoodFacts: { _, _ in empty }, product: { _ in empty }, search: { _, _ in empty },
                assessment: { _, _, _ in empty }),
            DocumentRoutes(Data()), ContentRoutes(nothing, token: token),
        ]
        let probe = DaemonProbe(isAlive: { true }, shortcomings: { [] }, metrics: { "" })
        let settings = APISettings(token: token)
        return APIServer(settings, probe: probe, routes: parts, logger: Logger(label: "test")).router()
    }
}

private struct Nothing: APIImages, APIPeople, APIDevices, APIDiary, APIGroceries, APIContents {
    var mostBytes: Int { 1 << 20 }
    func begin(by person: String?) async throws -> any APIUpload { throw Problem(503, "noFolder", "") }
    func image(_ id: String) async throws -> APIImage? { nil }
    func delete(_ id: String) async throws -> APIDeletion? { nil }
    func picture(_ id: String, side: Int) async throws -> Data? { nil }
    func overlay(_ id: String) async throws -> Data? { nil }
    func content(_ id: String) async -> APIContent? { nil }
    func people() async throws -> Data { Data() }
    func person(_ name: String) async throws -> Data? { nil }
    func save(_ name: String, _ json: Data) async throws -> Bool { false }
    func remove(_ name: String) async throws -> Bool { false }
    func reviews(of content: String?) async throws -> Data { Data() }
    func review(_ json: Data) async throws -> Data { Data() }
    func withdrawReview(_ number: Int64) async throws -> Data? { nil }
    func perform(
        _ action: DiaryAction, of person: String?, keys: [String], from guesser: String
    ) async throws -> DiaryAnswer {
        throw Problem(404, "noDiary", "")
    }
    func answer(_ request: GroceryRequest) async throws -> GroceryAnswer { GroceryAnswer(json: Data("[]".utf8)) }
    func devices() async throws -> [APIDevice] { [] }
    func remove(device id: Int64) async throws -> Bool { false }
    func newCode(by holder: TokenHolder?) async throws -> APIPairingCode { .init(code: "", expires: "") }
    func isOpen(_ code: String) async throws -> Bool { false }
    func pair(_ code: String, name: String) async throws -> String? { nil }
}
