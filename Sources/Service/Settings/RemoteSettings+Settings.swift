import Catalogue
import Core

extension RemoteSettings {
    /// The configured server, also if requests are disabled.
    package init(_ settings: Settings) throws(StartupError) {
        try self.init(
            address: settings.text("remote.address") ?? "", contact: settings.text("remote.contact"),
            patience: .seconds(settings.integer("remote.waitSeconds")))
    }
}
