import Core
import Foundation
import HTTP
import HTTPTypes
import Hummingbird

/// The first steps in a new household.
struct WelcomePage {
    let members: [WebPerson]
    let hasPhotos: Bool
    /// True if another phone or browser is connected besides this one.
    let hasPhones: Bool
    let language: PageLanguage
    /// The code for a phone, as ``PairingCodePart`` shows it; empty before somebody asked for one.
    var code: Values = [:]
    var error: Problem?

    func values() -> Values {
        let texts = language.texts
        var values: Values = [
            "people": members.map { member -> Values in
                texts.member(member.profile.name, colour: member.colour).merging(
                    ["watches": watches(member.profile), "address": member.profile.name.escaped],
                    uniquingKeysWith: { $1 })
            },
            "hasPeople": !members.isEmpty, "hasPhotos": hasPhotos, "hasPhones": hasPhones,
            // The first person who is added uses this browser; others are added for their own phones.
            "add": members.isEmpty ? "/who/add?next=%2Fwelcome" : "/people",
            "hasCode": !code.isEmpty, "code": code,
        ]
        if let error { values["error"] = HouseholdText.refusal(error, texts) }
        return values
    }

    private func watches(_ profile: AllergenProfile) -> String {
        let names = profile.allergens.keys.sorted { $0.rawValue < $1.rawValue }.map { language.wording.name(of: $0) }
        return (names + (profile.words ?? [])).joined(separator: ", ")
    }
}

/// A code that connects one phone: as a picture, as letters, and as an address.
struct PairingCodePart {
    let code: APIPairingCode
    let access: DeviceAccess

    /// Without api.publicAddress the phone uses the name that this browser uses: a name of the loopback would lead to the
    /// phone itself.
    func values(_ request: Request) -> Values {
        guard let authority = request.head.authority else { return [:] }
        let plain = code.code.filter { $0.isLetter || $0.isNumber }
        let app = access.address?.text ?? "\(request.isEncrypted ? "https" : "http")://\(authority)"
        let address = "\(app)/p/\(plain)"
        var values: Values = [
            "letters": code.code, "address": address, "until": String(code.expires.dropFirst(11).prefix(5)) + " UTC",
            "isLocal": access.address == nil && HostGuard.isLoopback(authority),
        ]
        if let own = access.address, own.isEncrypted, access.authority() != nil { values["trust"] = own.trustPage }
        if let path = QRCode(address)?.path { values["qr"] = ["path": path.data, "viewBox": path.viewBox] }
        return values
    }
}

extension WebRoutes {
    func addWelcome(to routes: RouterGroup<APIContext>) {
        routes.get("welcome") { request, context in
            try await orPage(request, section: "") { try await welcome(request, try context.known()) }
        }
        routes.post("welcome/sample") { request, context in
            try await orPage(request, section: "") {
                let viewer = try context.known()
                do {
                    return Self.seeOther("/photos/\(try await uploadSample(request).id)")
                } catch let problem as Problem where problem.status.code < 500 {
                    return try await welcome(request, viewer, error: problem)
                }
            }
        }
    }

    /// True in a household without people and photos, which begins with the first steps.
    func isNewHousehold() async throws -> Bool {
        guard try await household.members().isEmpty else { return false }
        return try await !hasPhotos()
    }

    private func hasPhotos() async throws -> Bool {
        var query = APIHistoryQuery()
        query.limit = 1
        return try await !source.history(query).items.isEmpty
    }

    func welcome(
        _ request: Request, _ viewer: Identity, code: APIPairingCode? = nil, error: Problem? = nil
    ) async throws -> Response {
        let language = try language(request)
        let shown = WelcomePage(
            members: try await source.storedPeople(), hasPhotos: try await hasPhotos(),
            hasPhones: try await household.devices().contains { $0.id != viewer.device }, language: language,
            code: code.map { PairingCodePart(code: $0, access: access).values(request) } ?? [:], error: error)
        return try page(
            request, "welcome", section: "scan", heading: language.texts.text("welcome.head"), shown.values(),
            status: error?.status ?? .ok)
    }

    /// Puts the sample menu of the reader's language into the inbox, like a photo that somebody sends. Nobody's prices are
    /// on it, so it is nobody's.
    private func uploadSample(_ request: Request) async throws -> APIImage {
        let data = try samples.menu(in: try language(request).texts.language)
        let upload = try await images.begin(by: nil)
        do {
            try await upload.write(Array(data))
            return try await upload.finish(key: nil)
        } catch {
            await upload.cancel()
            throw error
        }
    }
}

/// The sample photos that are installed with the program: `models/web/samples`.
struct SamplePhotos: Sendable {
    private let folder: URL

    /// - Throws: ``StartupError`` that names a missing file.
    init(from models: ModelFolder, languages: [String]) throws {
        folder = models.url.appending(path: "web/samples")
        for language in languages {
            let file = file(in: language)
            guard FileManager.default.isReadableFile(atPath: file.path) else {
                throw StartupError(.unavailable, "cannot read \(file.path): restore it from the repository")
            }
        }
    }

    private func file(in language: String) -> URL { folder.appending(path: "menu-\(language).jpg") }

    func menu(in language: String) throws -> Data { try Data(contentsOf: file(in: language)) }
}
