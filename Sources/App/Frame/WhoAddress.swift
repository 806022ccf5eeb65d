import Hummingbird

extension Request {
    /// The address of the page that asks who it is, or for a PIN, and leads back to this page.
    func whoPage(asksPINOf name: String? = nil) -> String {
        let asked = uri.path + (uri.query.map { "?\($0)" } ?? "")
        let next = "next=" + (method == .get ? asked : "/today").escaped
        return name.map { "/who/pin?member=\($0.escaped)&\(next)" } ?? "/who?\(next)"
    }
}
