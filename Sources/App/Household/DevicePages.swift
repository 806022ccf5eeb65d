import Foundation
import HTTP
import Hummingbird

// The page of connected devices.
extension WebRoutes {
    func addDevices(to routes: RouterGroup<APIContext>) {
        routes.get("devices") { request, context in try await devices(request, try context.known()) }
        routes.post("devices/code") { request, context in
            try await orPage(request, section: "devices") {
                let viewer = try context.known()
                let code = try await household.newCode(by: viewer.device)
                let isFirstSteps = try await FormBody(request)["from"] == "welcome"
                return try await isFirstSteps
                    ? welcome(request, viewer, code: code) : devices(request, viewer, code: code)
            }
        }
        routes.post("devices/remove") { request, _ in
            try await orPage(request, section: "devices") {
                guard let id = Int64(try await FormBody(request)["id"]), try await household.remove(device: id) else {
                    throw Problem(404, "notFound", "no such device")
                }
                return Self.seeOther("/devices")
            }
        }
    }

    private func devices(
        _ request: Request, _ viewer: Identity, code: APIPairingCode? = nil
    ) async throws -> Response {
        let texts = try language(request).texts
        let all = try await household.devices()
        let names = Dictionary(all.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        let members = try await household.members()
        var values: Values = [
            "devices": all.map { device in
                var values: Values = [
                    "id": "\(device.id)", "name": device.name,
                    "remove": texts.text("devices.remove", ["name": device.name]),
                    "seen": device.seen.map { texts.text("devices.seen", ["date": Self.day($0)]) }
                        ?? texts.text("devices.unseen"),
                ]
                values["isThis"] = device.id == viewer.device
                values["used"] = texts.text("devices.unused")
                if let user = members.first(where: { $0.name == device.member }) {
                    values["user"] = texts.member(user.name, colour: user.colour)
                    values["used"] = texts.text("devices.used", ["name": user.name])
                }
                if let name = device.pairedBy.flatMap({ names[$0] }) {
                    values["by"] = texts.text("devices.by", ["name": name])
                }
                return values
            },
            "isEmpty": all.isEmpty, "isUnprotected": !(access.address?.isEncrypted ?? request.isEncrypted),
        ]
        if let code { values["code"] = PairingCodePart(code: code, access: access).values(request) }
        return try page(request, "devices", section: "devices", heading: texts.text("devices.head"), values)
    }

    /// The day of a time in ISO 8601.
    private static func day(_ time: String) -> String { String(time.prefix(10)) }
}
