import Foundation
import Hummingbird
import Logging
import TestSupport
import Testing

@testable import HTTP

/// Every route of the API over parts that store nothing, and the document that describes them.
enum DocumentedServer {
    static let token = "right"
    /// The token of a device that an adult uses.
    static let deviceToken = "device"

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
            ImageRoutes(nothing), PeopleRoutes(nothing), HouseholdRoutes(nothing), EndedRoutes(), DiaryRoutes(nothing),
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
        var settings = APISettings(token: token)
        settings.identities = nothing
        return APIServer(settings, probe: probe, routes: parts, logger: Logger(label: "test")).router()
    }
}

private struct Nothing: APIImages, APIPeople, APIHousehold, APIDiary, APIGroceries, APIContents {
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
    func remove(_ name: String) async throws -> Data? { nil }
    func reviews(of content: String?) async throws -> Data { Data() }
    func review(_ json: Data, by identity: Identity) async throws -> Data { Data() }
    func withdrawReview(_ number: Int64) async throws -> Data? { nil }
    func perform(_ action: DiaryAction, of person: String?, for identity: Identity) async throws -> DiaryAnswer {
        throw Problem(404, "noDiary", "")
    }
    func answer(_ request: GroceryRequest) async throws -> GroceryAnswer { GroceryAnswer(json: Data("[]".utf8)) }
    func devices() async throws -> [APIDevice] { [] }
    func remove(device id: Int64) async throws -> Bool { false }
    func newCode(by device: Int64?) async throws -> APIPairingCode { .init(code: "", expires: "") }
    func isOpen(_ code: String) async throws -> Bool { false }
    func pair(_ code: String, name: String) async throws -> String? { nil }
    func signOut(_ identity: Identity) async throws {}
    func members() async throws -> [APIMember] { [] }
    func choose(_ name: String, secret: String?, keys: [String], for identity: Identity) async throws -> Identity {
        identity
    }
    func chooseGuest(_ name: String?, for identity: Identity) async throws -> Identity { identity }
    func setPIN(_ pin: String?, for identity: Identity) async throws {}
    func askRemoval(of name: String, by identity: Identity) async throws {}
    func cancelRemoval(of name: String, by identity: Identity) async throws {}
    func identity(ofToken token: String) -> Identity? {
        guard token == DocumentedServer.deviceToken else { return nil }
        return Identity(
            holder: .device(1), member: .init(id: 1, name: "Ada", role: .adult, colour: 1), role: .adult, isOpen: true)
    }
    func identity(ofKeyFor member: String?) throws -> Identity {
        Identity(
            holder: .key, member: .init(id: 1, name: member ?? "Ada", role: .adult, colour: 1), role: .key, isOpen: true
        )
    }
    func addDevice(named name: String) throws -> String { "" }
}
