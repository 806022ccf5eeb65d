import Foundation
import Hummingbird

/// A paired device as clients see it.
public struct APIDevice: Sendable, Codable {
    public var id: Int64
    public var name: String
    /// ISO 8601, UTC.
    public var paired: String
    /// When its last request came, to the hour; nil before the first.
    public var seen: String?
    /// The device that made its code; nil for the daemon's own key. Removing that one removes this one too.
    public var pairedBy: Int64?

    public init(id: Int64, name: String, paired: String, seen: String?, pairedBy: Int64? = nil) {
        self.id = id
        self.name = name
        self.paired = paired
        self.seen = seen
        self.pairedBy = pairedBy
    }
}

/// A code that pairs one device.
public struct APIPairingCode: Sendable, Codable {
    public var code: String
    /// ISO 8601, UTC.
    public var expires: String

    public init(code: String, expires: String) {
        self.code = code
        self.expires = expires
    }
}

/// What the device routes and pages need of the daemon.
public protocol APIDevices: Sendable {
    /// Newest first.
    func devices() async throws -> [APIDevice]
    /// Removes a device, the devices that it paired, and so on, and the codes that they made.
    ///
    /// - Returns: false if there is no such device.
    func remove(device id: Int64) async throws -> Bool
    /// - Parameter holder: who makes the code.
    func newCode(by holder: TokenHolder?) async throws -> APIPairingCode
    /// True if the code can pair a device.
    func isOpen(_ code: String) async throws -> Bool
    /// Uses the code up.
    ///
    /// - Returns: the new device's token; nil if the code is unknown, used or expired.
    func pair(_ code: String, name: String) async throws -> String?
}

/// `/v1/devices`: the paired phones and browsers, and codes for new ones.
public struct DeviceRoutes: APIRoutes {
    private let devices: any APIDevices

    public init(_ devices: any APIDevices) { self.devices = devices }

    public func add(to routes: RouterGroup<APIContext>) {
        routes.get("v1/devices") { request, _ in
            Response.tagged(try Self.json(try await devices.devices()), as: "application/json", for: request)
        }
        routes.post("v1/devices/codes") { _, context in
            let code = try await devices.newCode(by: context.holder)
            return Response(
                status: .created, headers: [.contentType: "application/json"],
                body: .init(byteBuffer: .init(data: try Self.json(code))))
        }
        routes.delete("v1/devices/{id}") { _, context in
            guard let id = Int64(try context.parameters.require("id")) else {
                throw Problem(400, "badRequest", "the id of a device is a number: GET /v1/devices lists them")
            }
            guard try await devices.remove(device: id) else {
                throw Problem(404, "notFound", "no such device: GET /v1/devices lists them")
            }
            return Response(status: .noContent)
        }
    }

    private static func json(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }
}
