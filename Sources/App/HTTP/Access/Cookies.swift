import Foundation
import HTTPTypes
import Hummingbird

extension Response {
    /// Sets a cookie that no script reads and no other site sends. It is the one place that makes cookies.
    ///
    /// - Parameters:
    ///   - value: empty deletes the cookie.
    ///   - seconds: how long the browser keeps it.
    ///   - request: behind TLS the cookie is sent over TLS only.
    package mutating func setCookie(_ name: String, _ value: String, seconds: Int, for request: Request) {
        headers[values: .setCookie].append(
            "\(name)=\(value); Path=/; Max-Age=\(value.isEmpty ? 0 : seconds); HttpOnly; SameSite=Strict"
                + (request.isEncrypted ? "; Secure" : ""))
    }

    /// Has the browser delete what scripts and workers of this server stored in it. Cookies stay.
    package mutating func clearStorage() {
        guard let name = HTTPField.Name("Clear-Site-Data") else { return }
        headers[name] = "\"storage\""
    }
}

extension Request {
    /// True if the browser's connection has TLS here or ends at a proxy with TLS. A client that sends the header itself only gets a cookie
    /// and addresses that it cannot use without TLS.
    package var isEncrypted: Bool {
        Self.scheme.flatMap { headers[$0] }?.lowercased() == "https"
    }

    /// The request of a connection with TLS.
    var encrypted: Request {
        guard let name = Self.scheme else { return self }
        var head = head
        head.headerFields[name] = "https"
        return Request(head: head, body: body)
    }

    private static let scheme = HTTPField.Name("X-Forwarded-Proto")
}

/// The keys of diaries that devices of an earlier version keep: each opens its diary once more.
enum DiaryKeys {
    /// Header of clients that are not the app; several keys are separated by commas.
    static let header = "Tablesight-Diary-Key"
    /// Cookie of the app; several keys are separated by dots. The first one is of the person whose pages are shown.
    static let cookie = "tablesight-diary"
    /// More keys of a request are not looked at.
    static let most = 8
    private static let longest = 100

    static func parse(_ text: some StringProtocol, separator: Character) -> [String] {
        text.split(separator: separator).map { $0.trimmingCharacters(in: .whitespaces) }.filter { key in
            (1...longest).contains(key.utf8.count) && key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
    }
}

extension Request {
    /// The keys of diaries that the client sent, at most ``DiaryKeys/most``.
    package var diaryKeys: [String] {
        var keys: [String] = []
        if let name = HTTPField.Name(DiaryKeys.header), let header = headers[name] {
            keys = DiaryKeys.parse(header, separator: ",")
        }
        if let cookie = cookies[DiaryKeys.cookie]?.value { keys += DiaryKeys.parse(cookie, separator: ".") }
        return Array(keys.prefix(DiaryKeys.most))
    }
}
