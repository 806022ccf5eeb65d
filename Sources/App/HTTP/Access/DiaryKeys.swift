import Foundation
import HTTPTypes
import Hummingbird

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
