import Core
import Foundation
import HTTP
import Household
import Hummingbird

/// The connected devices, and a code for one more.
struct DevicesPage: Page {
    static let template = "devices"
    static let styles = ["household"]

    struct User {
        let letter: String
        let colour: Int
    }

    struct Row {
        let id: Int64
        let name, remove, seen, used: String
        let isThis: Bool
        let user: User?
        /// The device that connected it; nil for the daemon's own key.
        let by: String?
    }

    let devices: [Row]
    let isEmpty, isUnprotected: Bool
    let code: PairingCodePart?

    /// - Parameter isUnprotected: true if this browser's connection is not encrypted.
    init(
        _ all: [ConnectedDevice], members: [Member], viewer: Identity, isUnprotected: Bool, code: PairingCodePart?,
        _ texts: PageTexts
    ) {
        let names = Dictionary(all.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        devices = all.map { device in
            let user = members.first { $0.name == device.member }
            return Row(
                id: device.id, name: device.name, remove: texts.text("devices.remove", ["name": device.name]),
                seen: device.seen.map {
                    texts.text("devices.seen", ["date": $0.formatted(.iso8601.year().month().day())])
                } ?? texts.text("devices.unseen"),
                used: user.map { texts.text("devices.used", ["name": $0.name]) } ?? texts.text("devices.unused"),
                isThis: device.id == viewer.device,
                user: user.map { User(letter: PageTexts.letter(of: $0.name), colour: $0.colour) },
                by: device.pairedBy.flatMap { names[$0] }.map { texts.text("devices.by", ["name": $0]) })
        }
        isEmpty = all.isEmpty
        self.isUnprotected = isUnprotected
        self.code = code
    }
}

/// A code that connects one phone: as a picture, as letters, and as an address.
struct PairingCodePart {
    struct Picture {
        let path, viewBox: String
    }

    let letters, address, until: String
    /// True if the address leads the phone to itself.
    let isLocal: Bool
    /// The page on which a phone learns to trust the certificate of the house.
    let trust: String?
    let qr: Picture?

    /// Without api.publicAddress the phone uses the name that this browser uses: a name of the loopback would lead to
    /// the phone itself.
    ///
    /// - Returns: nil if the browser names no address.
    init?(_ code: PairingCode, _ access: DeviceAccess, for request: Request) {
        guard let authority = request.head.authority else { return nil }
        let app = access.address?.text ?? "\(request.isEncrypted ? "https" : "http")://\(authority)"
        letters = code.code
        address = "\(app)/p/\(code.code.filter { $0.isLetter || $0.isNumber })"
        until = String(code.expires.formatted(.iso8601).dropFirst(11).prefix(5)) + " UTC"
        isLocal = access.address == nil && HostGuard.isLoopback(authority)
        let needsTrust = access.address?.isEncrypted == true && access.authority() != nil
        trust = needsTrust ? access.address?.trustPage : nil
        qr = QRCode(address).map { Picture(path: $0.path.data, viewBox: $0.path.viewBox) }
    }
}
