import Foundation
import Core

/// Settings of the server that is asked for products which no import has.
package struct RemoteSettings: Sendable, Hashable {
    /// Base address without a path: `https://world.openfoodfacts.org`.
    package let address: URL
    /// `Name/Version (contact)`, as Open Food Facts requires.
    package let userAgent: String
    /// Maximum duration of one request, including pauses and retries.
    package var patience: Duration

    /// Open Food Facts' limits per minute and address for product reads and searches (API page "Rate limits", 2024).
    static let readsAMinute = 15
    static let searchesAMinute = 10
    /// Attempts per request; the first pause, which doubles each time; and the random spread of pauses.
    static let tries = 3
    static let firstPause = 0.6
    static let jitter = 0.2
    /// Seconds without requests after a server was too busy three times and named no time, and the maximum time that it
    /// may name.
    static let rest = 60.0
    static let longestRest = 3600.0
    /// Answers are a few kilobytes; a longer one is rejected.
    package static let longestAnswer = 1 << 20
    /// A cached record is refreshed after a week, an unknown number after a day.
    static let freshSeconds: Int64 = 7 * 86_400
    static let unknownSeconds: Int64 = 86_400

    /// - Parameters:
    ///   - address: an https address, or http on this machine.
    ///   - contact: e-mail address or web page of the operator.
    package init(address: String, contact: String?, patience: Duration = .seconds(10)) throws(StartupError) {
        guard let url = URL(string: address), let host = url.host, ["", "/"].contains(url.path), url.query == nil,
            url.scheme == "https" || (url.scheme == "http" && ["127.0.0.1", "localhost", "::1"].contains(host))
        else {
            throw StartupError(
                .configuration, "remote.address: \(address) must be an https address without a path")
        }
        let contact = contact?.trimmingCharacters(in: .whitespaces) ?? ""
        guard contact.contains("@") || contact.contains("."), contact.count <= 200,
            contact.unicodeScalars.allSatisfy({ $0.isASCII && $0.value >= 32 && $0 != "(" && $0 != ")" })
        else {
            throw StartupError(
                .configuration,
                "remote.contact must be your e-mail address or web page, which is sent to the server: "
                    + "set it in the configuration or as TABLESIGHT_REMOTE_CONTACT"
            )
        }
        self.address = url
        self.patience = patience
        userAgent = "Tablesight/\(ProgramVersion.current) (\(contact))"
    }

    /// The requested fields, the same as an import takes.
    private static let fields =
        "code,product_name,abbreviated_product_name,generic_name,brands,quantity,lang,ingredients_text,allergens_tags,traces_tags,nutriments,serving_size,serving_quantity,last_modified_t,owner"

    func productURL(_ gtin: GTIN) -> URL? { url("/api/v2/product/\(gtin.normalised)", ["fields": Self.fields]) }

    func searchURL(_ words: String, limit: Int) -> URL? {
        url(
            "/cgi/search.pl",
            ["search_terms": words, "json": "1", "page_size": "\(limit)", "fields": Self.fields])
    }

    private func url(_ path: String, _ query: [String: String]) -> URL? {
        var parts = URLComponents(url: address, resolvingAgainstBaseURL: false)
        parts?.path = path
        parts?.queryItems = query.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
        return parts?.url
    }
}

package enum RemoteFailure: Error, Sendable, Hashable {
    /// No connection, or no answer in time.
    case unreachable(String)
    case status(Int)
    /// The answer is not a product with the requested number.
    case garbled
    case tooLong
    /// The server redirected to another host, which is not contacted.
    case redirected(String)
    /// This minute's request limit is reached and waiting would take too long.
    case budgetSpent
    /// The server asked for a pause.
    case resting
    /// A restricted number, which identifies no product worldwide; it is never requested.
    case restricted

    /// The reason, for people.
    package var message: String {
        switch self {
        case .unreachable(let reason): "the server could not be reached (\(reason))"
        case .status(let status): "the server answered \(status)"
        case .garbled: "the server's answer is not a product with that number"
        case .tooLong: "the server's answer is too long"
        case .redirected(let host): "the server redirected to another host, \(host), which is not contacted"
        case .budgetSpent: "the limit of requests per minute is reached"
        case .resting: "the server asked for a pause"
        case .restricted: "numbers with this prefix are used only within one shop or company"
        }
    }
}

/// Clock and sleep function; tests replace them.
package struct RemoteClock: Sendable {
    package var now: @Sendable () -> Date
    package var sleep: @Sendable (Duration) async throws -> Void
    /// Returns a random number in -1…1 that varies the pauses.
    package var spread: @Sendable () -> Double

    package init(
        now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (Duration) async throws -> Void,
        spread: @escaping @Sendable () -> Double
    ) {
        self.now = now
        self.sleep = sleep
        self.spread = spread
    }

    package static let system = RemoteClock(
        now: { Date() }, sleep: { try await Task.sleep(for: $0) }, spread: { .random(in: -1...1) })
}
