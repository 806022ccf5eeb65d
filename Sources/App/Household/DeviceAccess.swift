import Foundation
import HTTP
import Hummingbird

/// How other devices of the house reach the app.
package struct DeviceAccess: Sendable {
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
