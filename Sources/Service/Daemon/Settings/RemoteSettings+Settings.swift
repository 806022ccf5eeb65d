import Catalogue
import Core

extension RemoteSettings {
    /// As they are configured, whether asking is switched on or not.
    /// - Throws: ``StartupError`` (78) that says what is wrong.
    public init(_ settings: Settings) throws(StartupError) {
        try self.init(
            address: settings.text("remote.address") ?? "", contact: settings.text("remote.contact"),
            patience: .seconds(settings.integer("remote.waitSeconds")))
    }
}
