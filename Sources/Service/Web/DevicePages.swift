import Foundation
import HTTPAPI
import Hummingbird
import QRCodes

// The pages of paired devices, and the page that a phone opens with a code.
extension WebRoutes {
    func addDevices(to routes: RouterGroup<APIContext>) {
        routes.get("devices") { request, _ in try await devices(request, code: nil) }
        routes.post("devices/code") { request, context in
            try await devices(request, code: try await household.newCode(by: try context.known().device))
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

    func addPairing(to routes: RouterGroup<APIContext>) {
        routes.get("pair") { request, context in
            let code = request.uri.queryParameters["code"].map(String.init) ?? ""
            let isOpen = code.isEmpty ? true : try await guess(request, context) { try await household.isOpen(code) }
            return try pairPage(request, code: isOpen ? code : "", isWrong: !isOpen)
        }
        routes.post("pair") { request, context in
            guard HostGuard.isSameOrigin(request) else {
                throw Problem(403, "forbidden", "the form must come from this server's own page")
            }
            let form = try await FormBody(request)
            let name = String(form["name"].prefix(60))
            var token: String?
            let isRight = try await guess(request, context) {
                token = try await household.pair(form["code"], name: name.isEmpty ? request.deviceName : name)
                return token != nil
            }
            guard isRight, let token else { return try pairPage(request, code: "", isWrong: true) }
            return signedInPage(request, token: token)
        }
    }

    /// Counts a pairing code, unless it is right.
    private func guess(
        _ request: Request, _ context: APIContext, _ check: () async throws -> Bool
    ) async throws -> Bool {
        let guesser = context.guesser(request)
        try pairing.take(guesser)
        let isRight = try await check()
        if isRight { pairing.giveBack(guesser) }
        return isRight
    }

    private func devices(_ request: Request, code: APIPairingCode?) async throws -> Response {
        let texts = try language(request).texts
        let all = try await household.devices()
        let names = Dictionary(all.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        var values: Values = [
            "devices": all.map { device in
                var values: Values = [
                    "id": "\(device.id)", "name": device.name,
                    "remove": texts.text("devices.remove", ["name": device.name]),
                    "seen": device.seen.map { texts.text("devices.seen", ["date": Self.day($0)]) }
                        ?? texts.text("devices.unseen"),
                ]
                if let name = device.pairedBy.flatMap({ names[$0] }) {
                    values["by"] = texts.text("devices.by", ["name": name])
                }
                return values
            },
            "isEmpty": all.isEmpty,
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
