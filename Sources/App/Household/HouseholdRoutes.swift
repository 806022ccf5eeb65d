import HTTP
import Foundation
import HTTPTypes
import Hummingbird

/// A paired device as clients see it.
struct APIDevice: Sendable, Codable {
    var id: Int64
    var name: String
    /// ISO 8601, UTC.
    var paired: String
    /// When its last request came, to the hour; nil before the first.
    var seen: String?
    /// The device that made its code; nil for the daemon's own key. Removing that one removes this one too.
    var pairedBy: Int64?
    /// The name of who uses it; nil before anybody was chosen.
    var member: String?

    init(
        id: Int64, name: String, paired: String, seen: String?, pairedBy: Int64? = nil, member: String? = nil
    ) {
        self.id = id
        self.name = name
        self.paired = paired
        self.seen = seen
        self.pairedBy = pairedBy
        self.member = member
    }
}

/// A code that pairs one device.
struct APIPairingCode: Sendable, Codable {
    var code: String
    /// ISO 8601, UTC.
    var expires: String

    init(code: String, expires: String) {
        self.code = code
        self.expires = expires
    }
}

/// A member of the household as everybody in it sees them.
struct APIMember: Sendable, Hashable, Codable {
    var name: String
    /// `adult`, `child` or `guest`.
    var role: String
    /// Number of the picture's colour, 1 to 4.
    var colour: Int
    /// What opens the private pages: `none`, `pin`; of an earlier version `password` or `key`.
    var lock: String
    /// ISO 8601, UTC; nil for members who stay.
    var ends: String?
    /// An adult asked for the removal of the PIN; nil otherwise.
    var removal: Removal?

    struct Removal: Sendable, Hashable, Codable {
        var askedBy: String
        /// When the lock opens, ISO 8601, UTC.
        var opens: String

        init(askedBy: String, opens: String) {
            self.askedBy = askedBy
            self.opens = opens
        }
    }

    init(
        name: String, role: String, colour: Int, lock: String, ends: String? = nil, removal: Removal? = nil
    ) {
        self.name = name
        self.role = role
        self.colour = colour
        self.lock = lock
        self.ends = ends
        self.removal = removal
    }
}

/// What the household's routes and pages need of the daemon. Errors are ``Problem``s for people.
protocol APIHousehold: APIIdentities {
    // MARK: Devices
    /// Newest first.
    func devices() async throws -> [APIDevice]
    /// Removes a device, the devices that it paired, and so on, and the codes that they made.
    ///
    /// - Returns: false if there is no such device.
    func remove(device id: Int64) async throws -> Bool
    /// - Parameter device: the device that makes the code; nil for the daemon's own key.
    func newCode(by device: Int64?) async throws -> APIPairingCode
    /// True if the code can pair a device.
    func isOpen(_ code: String) async throws -> Bool
    /// Uses the code up.
    ///
    /// - Returns: the new device's token; nil if the code is unknown, used or expired.
    func pair(_ code: String, name: String) async throws -> String?
    /// Removes the device that asks; what it paired stays.
    func signOut(_ identity: Identity) async throws

    // MARK: Members
    /// Everybody, in the order in which they came.
    func members() async throws -> [APIMember]
    /// Remembers who uses the device.
    ///
    /// - Parameters:
    ///   - secret: the PIN, or the password of an earlier version; nil leaves the private pages closed, unless nothing
    ///     locks them.
    ///   - keys: keys of diaries of an earlier version that the device has.
    /// - Throws: ``Problem`` 404 for an unknown name, 403 `wrongPIN`, 429.
    /// - Returns: who uses the device now.
    func choose(_ name: String, secret: String?, keys: [String], for identity: Identity) async throws -> Identity
    /// Adds a guest, who uses the device from now on, for a day.
    func chooseGuest(_ name: String?, for identity: Identity) async throws -> Identity
    /// Sets the PIN of the person who acts; nil removes it.
    ///
    /// - Throws: ``Problem`` 403 `locked` while their private pages are closed, 400 for a PIN of a wrong form.
    func setPIN(_ pin: String?, for identity: Identity) async throws
    /// Asks for the removal of somebody's PIN: at once with the daemon's own key, else after a day.
    func askRemoval(of name: String, by identity: Identity) async throws
    /// Takes such a request back: by the owner, or by whoever asked.
    func cancelRemoval(of name: String, by identity: Identity) async throws
}

/// `/v1/members`, `/v1/session`, PINs and `/v1/devices`.
struct HouseholdRoutes: APIRoutes {
    private let household: any APIHousehold

    init(_ household: any APIHousehold) { self.household = household }

    private static let mostBytes = 4 << 10

    func add(to routes: RouterGroup<APIContext>) {
        addDevices(to: routes)
        routes.get("v1/members") { request, _ in
            Response.tagged(try Self.json(try await household.members()), as: "application/json", for: request)
        }
        routes.get("v1/session") { _, context in try Response.json(Session(try context.known())) }
        routes.put("v1/session") { request, context in
            let choice = try await Self.body(
                Choice.self, of: request, #"{"member":"Leo","pin":"1234"}, or {"guest":"Emil"}"#)
            let identity = try context.known()
            guard identity.device != nil else {
                throw Problem(400, "badRequest", "the daemon's own key is no device: send \(Identity.header) instead")
            }
            if let name = choice.member {
                return try Response.json(
                    Session(
                        try await household.choose(
                            name, secret: choice.pin ?? choice.password, keys: request.diaryKeys, for: identity)))
            }
            return try Response.json(Session(try await household.chooseGuest(choice.guest, for: identity)))
        }
        routes.delete("v1/session") { request, context in
            try await household.signOut(try context.known())
            var response = Response(status: .noContent)
            response.setCookie("tablesight", "", seconds: 0, for: request)
            return response
        }
        routes.put("v1/me/pin") { request, context in
            let new = try await Self.body(NewPIN.self, of: request, #"{"pin":"1234"}"#)
            try await household.setPIN(new.pin, for: try context.known())
            return Response(status: .noContent)
        }
        routes.delete("v1/me/pin") { _, context in
            try await household.setPIN(nil, for: try context.known())
            return Response(status: .noContent)
        }
        routes.post("v1/people/{name}/pin/removal") { _, context in
            try await household.askRemoval(of: try context.personName(), by: try context.known())
            return Response(status: .accepted)
        }
        routes.delete("v1/people/{name}/pin/removal") { _, context in
            try await household.cancelRemoval(of: try context.personName(), by: try context.known())
            return Response(status: .noContent)
        }
    }

    private func addDevices(to routes: RouterGroup<APIContext>) {
        routes.get("v1/devices") { request, _ in
            Response.tagged(try Self.json(try await household.devices()), as: "application/json", for: request)
        }
        routes.post("v1/devices/codes") { _, context in
            let code = try await household.newCode(by: try context.known().device)
            return Response(
                status: .created, headers: [.contentType: "application/json"],
                body: .init(byteBuffer: .init(data: try Self.json(code))))
        }
        routes.delete("v1/devices/{id}") { _, context in
            guard let id = Int64(try context.parameters.require("id")) else {
                throw Problem(400, "badRequest", "the id of a device is a number: GET /v1/devices lists them")
            }
            guard try await household.remove(device: id) else {
                throw Problem(404, "notFound", "no such device: GET /v1/devices lists them")
            }
            return Response(status: .noContent)
        }
    }

    private struct Choice: Decodable { var member, guest, pin, password: String? }
    private struct NewPIN: Decodable { var pin: String }
    private struct Session: Encodable {
        var member: String?
        var role: String
        var isOpen: Bool
        var device: Int64?

        init(_ identity: Identity) {
            member = identity.member?.name
            role = "\(identity.role)"
            isOpen = identity.isOpen
            device = identity.device
        }
    }

    private static func body<Value: Decodable>(
        _ type: Value.Type, of request: Request, _ form: String
    ) async throws -> Value {
        let data = try await request.bytes(upTo: mostBytes)
        do { return try JSONDecoder().decode(type, from: data) } catch {
            throw Problem(400, "badRequest", "the body must be \(form)")
        }
    }

    private static func json(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }
}

/// Routes of earlier versions: 410, and what replaces them.
struct EndedRoutes: APIRoutes {
    init() {}

    private static let session = #"PUT /v1/session with {"member":"…"}"#
    private static let routes: [(HTTPRequest.Method, String, String)] = [
        (.get, "v1/accounts", "GET /v1/members"), (.post, "v1/accounts", "PUT /v1/people/{name}"),
        (.get, "v1/accounts/me", "GET /v1/me"), (.delete, "v1/accounts/me", "DELETE /v1/people/{name}"),
        (.get, "v1/accounts/me/export", "GET /v1/me/export"), (.put, "v1/accounts/me/password", "PUT /v1/me/pin"),
        (.post, "v1/session", session), (.post, "v1/people/{name}/diary/keys", session),
        (.post, "v1/people/{name}/diary/codes", session),
    ]

    func add(to routes: RouterGroup<APIContext>) {
        for (method, path, next) in Self.routes {
            routes.on("\(path)", method: method) { _, _ -> Response in
                throw Problem(410, "ended", "one person has one key now, the device's: use \(next)")
            }
        }
    }
}

extension APIContext {
    /// The name in the address, 1 to 60 characters.
    func personName(_ parameter: String = "name") throws -> String {
        let text = try parameters.require(parameter)
        guard let name = text.removingPercentEncoding, !name.isEmpty, name.count <= 60 else {
            throw Problem(400, "badRequest", "a name has 1 to 60 characters")
        }
        return name
    }
}
