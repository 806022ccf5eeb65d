import Core
import Foundation
import Kinds
import TestSupport

@testable import App

/// Pages as HTML, without a server.
enum PageRendering {
    static let models = ModelFolder(Repository.models)
    /// Read once: parsing the templates takes longer than most tests of a page.
    private static let templates = Result { try Templates(from: models) }
    private static let allTexts = Result { try PageTexts.loadAll(from: models) }
    private static let allWordings = Result { try Wordings(from: models) }

    struct NoLanguage: Error { var language: String }

    static func texts(_ language: String = "en") throws -> PageTexts {
        guard let texts = try allTexts.get().first(where: { $0.language == language }) else {
            throw NoLanguage(language: language)
        }
        return texts
    }

    static func language(_ code: String = "en") throws -> PageLanguage {
        guard let wording = try allWordings.get()[code] else { throw NoLanguage(language: code) }
        return PageLanguage(texts: try texts(code), wording: wording)
    }

    /// The page as the server sends it, without the entries of the navigation.
    static func html<Shown: Page>(_ page: Shown, _ language: String = "en") throws -> String {
        var values = PageValues.all(of: page)
        if page.heading.isEmpty { values["heading"] = try texts(language).text("\(Shown.template).head") }
        values["t"] = try texts(language).forTemplates
        return try templates.get().render(values, as: Shown.template) ?? ""
    }
}
