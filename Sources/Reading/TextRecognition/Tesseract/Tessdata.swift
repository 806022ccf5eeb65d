import Foundation
import Core

/// The folder of Tesseract's language files, and the requested languages that it contains.
struct Tessdata {
    /// Debian's folder.
    static let defaultFolder = "/usr/share/tesseract-ocr/5/tessdata"

    let folder: String
    /// Tesseract's language codes, in the requested order.
    let languages: [String]
    /// True if the data for orientation detection is installed.
    let hasOrientation: Bool

    /// `folder` nil means `TESSDATA_PREFIX`, else Debian's folder. Throws `StartupError` if no requested language is
    /// installed.
    init(languages wanted: [String], folder: String? = nil, environment: [String: String]) throws {
        let prefix = environment["TESSDATA_PREFIX"].flatMap { $0.isEmpty ? nil : $0 }
        let folder = folder ?? prefix ?? Self.defaultFolder
        let isThere = { (language: String) in
            FileManager.default.isReadableFile(atPath: "\(folder)/\(language).traineddata")
        }
        // Codes come from a configuration, so only plain names may become part of a path.
        let named = wanted.filter { name in
            !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        }
        languages = named.filter(isThere)
        guard !languages.isEmpty else {
            let packages = (named.isEmpty ? ["eng"] : named)
                .map { "tesseract-ocr-\($0.lowercased().replacingOccurrences(of: "_", with: "-"))" }
            throw StartupError(
                .unavailable,
                """
                No language that Tesseract could read (\(wanted.joined(separator: ", "))) is in \(folder). \
                Install one, apt-get install \(packages.joined(separator: " ")), or set TESSDATA_PREFIX to the folder \
                with the .traineddata files.
                """)
        }
        self.folder = folder
        hasOrientation = isThere("osd")
    }

    /// BCP 47 codes of `languages`.
    var languageTags: [String] { languages.map(Self.tag) }

    /// The BCP 47 code of a Tesseract language; its language part is ISO 639-1 if such a code exists.
    static func tag(_ language: String) -> String {
        switch language {
        case "chi_sim": "zh-Hans"
        case "chi_tra": "zh-Hant"
        default: Locale.Language(identifier: language).languageCode?.identifier(.alpha2) ?? language
        }
    }
}
