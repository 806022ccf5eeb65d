import Core
import Foundation
import TestSupport

@testable import App

/// Pages as HTML, without a server.
enum PageRendering {
    static let models = ModelFolder(Repository.models)

    struct NoLanguage: Error { var language: String }

    static func texts(_ language: String = "en") throws -> PageTexts {
        guard let texts = try PageTexts.loadAll(from: models).first(where: { $0.language == language }) else {
            throw NoLanguage(language: language)
        }
        return texts
    }

    /// The page as the server sends it, without the entries of the navigation.
    static func html<Shown: Page>(_ page: Shown, _ language: String = "en") throws -> String {
        var values = PageValues.all(of: page)
        if page.heading.isEmpty { values["heading"] = try texts(language).text("\(Shown.template).head") }
        values["t"] = try texts(language).forTemplates
        return try Templates(from: models).render(values, as: Shown.template) ?? ""
    }
}
