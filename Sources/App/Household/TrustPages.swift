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

    /// True where a browser refuses camera stream, offline pages and installation: neither TLS nor this computer
    /// itself.
    package func isUnprotected(_ request: Request) -> Bool {
        !request.isEncrypted && !HostGuard.isLoopback(request.head.authority ?? "")
    }
}

/// How a device trusts the certificate of the house. Nobody has to be signed in.
struct TrustPage: Page {
    static let template = "trust"
    static let styles = ["household"]

    /// What to do on one kind of device.
    struct Way {
        let head: String
        let steps: [String]
        /// A computer needs one of its lines, by its system; the others are steps.
        let isOneOf: Bool
    }

    let heading: String
    let isEncrypted: Bool
    let ways: [Way]
    /// Of the house's certificate, SHA-256; nil without one.
    let fingerprint: String?
    /// The address of the app; nil without HTTPS.
    let app: String?

    init(_ access: DeviceAccess, isEncrypted: Bool, _ texts: PageTexts) {
        heading = texts.text("trust.head")
        self.isEncrypted = isEncrypted
        ways = ["iphone", "android", "desk", "firefox"].map { device in
            Way(
                head: texts.text("trust.\(device)"),
                steps: (1...4).map { "trust.\(device)\($0)" }.filter(texts.has).map { texts.text($0) },
                isOneOf: device == "desk")
        }
        fingerprint = access.authority()?.fingerprint
        app = access.address.flatMap { $0.isEncrypted ? $0.text : nil }
    }
}

extension HouseholdPages {
    var trustRoutes: [Route] {
        [
            open(.get, "trust") { visit in
                try visit.show(TrustPage(access, isEncrypted: visit.call.request.isEncrypted, visit.texts))
            },
            .page(.get, "trust/tablesight-ca.crt", for: nil) { _ in
                guard let authority = access.authority() else {
                    throw Problem(404, "notFound", "this house has no certificate: tablesight household certificate")
                }
                return Response(
                    status: .ok,
                    headers: [.contentType: "application/x-x509-ca-cert", .cacheControl: "no-cache"],
                    body: .init(byteBuffer: .init(data: authority.certificate)))
            },
        ]
    }
}
