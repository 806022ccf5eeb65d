import HTTP

/// "Connect this phone": the page for a browser that nobody signed in.
struct ConnectPage: Page {
    enum Trouble { case code, key }

    static let template = "pair"
    static let styles = ["form", "household"]

    let code: String?
    let isWrong, isWrongKey: Bool

    /// - Parameter trouble: what was wrong with the last attempt.
    init(code: String? = nil, trouble: Trouble? = nil) {
        self.code = code
        isWrong = trouble == .code
        isWrongKey = trouble == .key
    }
}

/// The page after sign-in, which leads on by itself.
struct SignedInPage: Page {
    static let template = "sign"
    static let styles = ["household"]

    let heading: String
    let leads: String? = "/who"
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

    let isEncrypted: Bool
    let ways: [Way]
    /// Of the house's certificate, SHA-256; nil without one.
    let fingerprint: String?
    /// The address of the app; nil without HTTPS.
    let app: String?

    init(_ access: DeviceAccess, isEncrypted: Bool, _ texts: PageTexts) {
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
