import Foundation
import HTTP
import Hummingbird

/// How other devices of the house reach the app.
package struct DeviceAccess: Sendable {
    /// The certificate that phones of the house trust.
    package struct Authority: Sendable {
        /// PEM.
        package var certificate: Data
        /// SHA-256, as phones show it.
        package var fingerprint: String

        package init(certificate: Data, fingerprint: String) {
            self.certificate = certificate
            self.fingerprint = fingerprint
        }
    }

    package var address: PublicAddress?
    /// Asked for each request, because a command may make the authority while the daemon runs.
    package var authority: @Sendable () -> Authority?

    package init(address: PublicAddress? = nil, authority: @escaping @Sendable () -> Authority? = { nil }) {
        self.address = address
        self.authority = authority
    }

    /// True where a browser refuses camera stream, offline pages and installation: neither TLS nor this computer itself.
    package func isUnprotected(_ request: Request) -> Bool {
        !request.isEncrypted && !HostGuard.isLoopback(request.head.authority ?? "")
    }
}

// The page that says how a device trusts the certificate of the house. Nobody has to be signed in.
extension WebRoutes {
    func addTrust(to routes: RouterGroup<APIContext>) {
        routes.get("trust") { request, _ in try trust(request) }
        routes.get("trust/tablesight-ca.crt") { _, _ in
            guard let authority = access.authority() else {
                throw Problem(404, "notFound", "this house has no certificate: tablesight household certificate")
            }
            return Response(
                status: .ok,
                headers: [.contentType: "application/x-x509-ca-cert", .cacheControl: "no-cache"],
                body: .init(byteBuffer: .init(data: authority.certificate)))
        }
    }

    private func trust(_ request: Request) throws -> Response {
        let texts = try language(request).texts
        let ways: [Values] = ["iphone", "android", "desk", "firefox"].map { device in
            let keys = (1...4).map { "trust.\(device)\($0)" }.filter(texts.has)
            // A computer needs one of its lines, by its system; the others are steps.
            return [
                "head": texts.text("trust.\(device)"), "steps": keys.map { texts.text($0) },
                "isOneOf": device == "desk",
            ]
        }
        var values: Values = ["isEncrypted": request.isEncrypted, "ways": ways]
        if let authority = access.authority() { values["fingerprint"] = authority.fingerprint }
        if let address = access.address, address.isEncrypted { values["app"] = address.text }
        return try page(request, "trust", section: "", heading: texts.text("trust.head"), values)
    }
}
