import Core
import Foundation
import HTTP
import Household
import Hummingbird

// Devices as JSON, and the page Devices.
extension HouseholdRoutes {
    var deviceRoutes: [Route] {
        [
            Route(.get, "v1/devices", for: .adult, "Paired phones and browsers", gives: [200: "Devices."]) { _ in
                try await actions.devices()
            },
            Route(
                .post, "v1/devices/codes", for: .adult, "Make a code that pairs one device", gives: [201: "The code."]
            ) { call in try await actions { try PairingCode(by: try call.identity.device, $0) } },
            Route(
                .delete, "v1/devices/\(.device)", for: .adult, "Revoke a device", gives: [204: "Revoked."],
                refuses: [400: "The id is not a number.", 404: "No such device."]
            ) { call in
                try await actions.remove(device: try call[.device])
                return Nothing()
            },

            page(.get, "devices", for: .adult, in: .devices) { try await devices($0, $1) },
            page(.post, "devices/code", for: .adult, in: .devices) { visit, viewer in
                let code = try await actions { try PairingCode(by: viewer.device, $0) }
                let part = PairingCodePart(code, access, for: visit.call.request)
                guard try await visit.call.form()["from"] == "welcome" else {
                    return try await devices(visit, viewer, code: part)
                }
                return try await shell.answer(visit.call, in: .scan) { try await welcome($0, viewer, code: part) }
            },
            page(.post, "devices/remove", for: .adult, in: .devices) { visit, _ in
                let id = Int64(try await visit.call.form()["id"]) ?? 0
                let name = try await actions.devices().first { $0.id == id }?.name ?? ""
                // A lost phone is out at once; one that was removed by mistake comes back.
                let removed = try await actions.remove(device: id)
                return visit.next("/devices", offering: visit.texts.text("devices.removed", ["name": name])) {
                    try await actions.restore(removed)
                }
            },
        ]
    }

    private func devices(_ visit: Visit, _ viewer: Identity, code: PairingCodePart? = nil) async throws -> Response {
        try visit.show(
            DevicesPage(
                try await actions.devices(), members: try await actions { try $0.members() }, viewer: viewer,
                isUnprotected: !(access.address?.isEncrypted ?? visit.call.request.isEncrypted), code: code,
                visit.texts))
    }
}

extension PathParameter where Value == Int64 {
    fileprivate static var device: Self {
        PathParameter("id", "The device's number.", schema: Schema(type: "integer", format: "int64")) { text in
            guard let id = Int64(text) else {
                throw Problem(400, "badRequest", "the id of a device is a number: GET /v1/devices lists them")
            }
            return id
        }
    }
}
