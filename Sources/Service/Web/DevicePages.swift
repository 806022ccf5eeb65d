import Foundation
import HTTPAPI
import Hummingbird
import QRCodes

// The pages of paired devices, and the page that a phone opens with a code.
extension WebRoutes {
    func addDevices(to routes: RouterGroup<APIContext>) {
        routes.get("devices") { request, _ in try await devices(request, code: nil) }
        routes.post("devices/code") { request, _ in
            try await devices(request, code: try await paired.newCode())
        }
        routes.post("devices/remove") { request, _ in
            try await orPage(request, section: "devices") {
                guard let id = Int64(try await FormBody(request)["id"]), try await paired.remove(device: id) else {
                    throw Problem(404, "notFound", "no such device")
                }
                return Self.seeOther("/devices")
            }
        }
    }

    func addPairing(to routes: RouterGroup<APIContext>) {
        routes.get("pair") { request, _ in
            let code = request.uri.queryParameters["code"].map(String.init) ?? ""
            let isOpen = code.isEmpty ? true : try await paired.isOpen(code)
            return try pairPage(request, code: isOpen ? code : "", isWrong: !isOpen)
        }
        routes.post("pair") { request, _ in
            guard HostGuard.isSameOrigin(request) else {
                throw Problem(403, "forbidden", "the form must come from this server's own page")
            }
            let form = try await FormBody(request)
            let name = String(form["name"].prefix(60))
            guard attempts.allowsAnother() else {
                throw Problem(429, "tooMany", "too many codes were tried: wait a minute", retryAfter: 60)
            }
            guard let token = try await paired.pair(form["code"], name: name.isEmpty ? "?" : name) else {
                return try pairPage(request, code: "", isWrong: true)
            }
            return signedInPage(request, token: token)
        }
    }

    private func devices(_ request: Request, code: APIPairingCode?) async throws -> Response {
        let texts = try language(request).texts
        var values: Values = [
            "devices": try await paired.devices().map { device -> Values in
                [
                    "id": "\(device.id)", "name": device.name,
                    "remove": texts.text("devices.remove", ["name": device.name]),
                    "seen": device.seen.map { texts.text("devices.seen", ["date": Self.day($0)]) }
                        ?? texts.text("devices.unseen"),
                ]
            },
            "isEmpty": try await paired.devices().isEmpty,
        ]
        if let code, let authority = request.head.authority {
            // The phone uses the name that this browser uses: a name of the loopback would lead to the phone itself.
            let address = "\(request.isEncrypted ? "https" : "http")://\(authority)/pair?code=\(code.code)"
            values["code"] = code.code
            values["address"] = address
            values["until"] = String(code.expires.dropFirst(11).prefix(5)) + " UTC"
            values["isLocal"] = HostGuard.isLoopback(authority)
            if let path = QRCode(address)?.path { values["qr"] = ["path": path.data, "viewBox": path.viewBox] }
        }
        return try page(request, "devices", section: "devices", heading: texts.text("devices.head"), values)
    }

    /// The day of a time in ISO 8601.
    private static func day(_ time: String) -> String { String(time.prefix(10)) }

    private func pairPage(_ request: Request, code: String, isWrong: Bool) throws -> Response {
        let language = try language(request)
        let values: Values = [
            "t": language.forTemplates, "lang": language.texts.language, "code": code, "isWrong": isWrong,
        ]
        guard let html = templates.render(values, as: "pair") else {
            throw Problem(500, "internal", "the template pair is missing")
        }
        return Response(
            status: isWrong ? .unauthorized : .ok,
            headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: .init(byteBuffer: .init(string: html)))
    }
}
