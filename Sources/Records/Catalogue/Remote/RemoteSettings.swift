import Foundation
import Core

/// Where products are asked for that no import has, and who asks.
public struct RemoteSettings: Sendable, Hashable {
    /// Without a path: `https://world.openfoodfacts.org`.
    public let address: URL
    /// `Name/Version (contact)`, as Open Food Facts asks of every program.
    public let userAgent: String
    /// How long one question may take, pauses and further tries included.
    public var patience: Duration

    /// Open Food Facts' own limits (its API's page "Rate limits", 2024): reads and searches a minute and address.
    static let readsAMinute = 15
    static let searchesAMinute = 10
    /// Tries of one question; the first pause, which doubles, and how far pauses are spread.
    static let tries = 3
    static let firstPause = 0.6
    static let jitter = 0.2
    /// How long nothing is asked after a server that was too busy three times, where it names no time itself; and the
    /// longest time that it may name.
    static let rest = 60.0
    static let longestRest = 3600.0
    /// An answer is a few kilobytes; what is longer is no product.
    public static let longestAnswer = 1 << 20
    /// A record is asked for anew after a week, and whether a number is still unknown after a day.
    static let freshSeconds: Int64 = 7 * 86_400
    static let unknownSeconds: Int64 = 86_400

    /// - Parameters:
    ///   - address: https, or http on this very machine.
    ///   - contact: an e-mail address or a page of whoever runs the program.
    /// - Throws: ``StartupError`` (78) that says which of them is wrong.
    public init(address: String, contact: String?, patience: Duration = .seconds(10)) throws(StartupError) {
        guard let url = URL(string: address), let host = url.host, ["", "/"].contains(url.path), url.query == nil,
            url.scheme == "https" || (url.scheme == "http" && ["127.0.0.1", "localhost", "::1"].contains(host))
        else {
            throw StartupError(
                .configuration, "remote.address: \(address) is no https address without a path; correct it")
        }
        let contact = contact?.trimmingCharacters(in: .whitespaces) ?? ""
        guard contact.contains("@") || contact.contains("."), contact.count <= 200,
            contact.unicodeScalars.allSatisfy({ $0.isASCII && $0.value >= 32 && $0 != "(" && $0 != ")" })
        else {
            throw StartupError(
                .configuration,
                "remote.contact must be an e-mail address or a page: servers want to know whom to write to; set it in the configuration or as TABLESIGHT_REMOTE_CONTACT"
            )
        }
        self.address = url
        self.patience = patience
        userAgent = "Tablesight/\(ProgramVersion.current) (\(contact))"
    }

    /// What is asked for: what an import takes, too.
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

/// Why a question had no answer from the server.
public enum RemoteFailure: Error, Sendable, Hashable {
    /// No connection, or nothing came in time.
    case unreachable(String)
    /// It answered, and not with a product: its status.
    case status(Int)
    /// What came is no product of that number.
    case garbled
    case tooLong
    /// It named another server, which nobody agreed to ask.
    case redirected(String)
    /// So much was asked in this minute that there was no time to wait for more.
    case budgetSpent
    /// The server asked to be left alone.
    case resting
    /// A number that names no product anywhere: never asked for.
    case restricted

    /// For people.
    public var message: String {
        switch self {
        case .unreachable(let reason): "the server could not be reached (\(reason))"
        case .status(let status): "the server answered \(status)"
        case .garbled: "the server's answer is no product of that number"
        case .tooLong: "the server's answer is too long for a product"
        case .redirected(let host): "the server named another one, \(host), which is not asked"
        case .budgetSpent: "as many questions as are allowed in a minute were asked"
        case .resting: "the server asked to be left alone for a while"
        case .restricted: "numbers like this name no product outside one shop or company"
        }
    }
}

/// What time it is, and how one waits: tests bring their own.
public struct RemoteClock: Sendable {
    public var now: @Sendable () -> Date
    public var sleep: @Sendable (Duration) async throws -> Void
    /// -1…1, by which pauses are spread.
    public var spread: @Sendable () -> Double

    public init(
        now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (Duration) async throws -> Void,
        spread: @escaping @Sendable () -> Double
    ) {
        self.now = now
        self.sleep = sleep
        self.spread = spread
    }

    /// The machine's.
    public static let system = RemoteClock(
        now: { Date() }, sleep: { try await Task.sleep(for: $0) }, spread: { .random(in: -1...1) })
}
