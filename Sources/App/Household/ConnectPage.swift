import HTTP

/// "Connect this phone": the page for a browser that nobody signed in.
struct ConnectPage: Page {
    enum Trouble { case code, key }

    static let template = "pair"
    static let styles = ["form", "household"]

    let heading: String
    /// The code from the address.
    let code: String?
    let isWrong, isWrongKey: Bool

    /// - Parameter trouble: what was wrong with the last attempt.
    init(_ texts: PageTexts, code: String? = nil, trouble: Trouble? = nil) {
        heading = texts.text("pair.head")
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
