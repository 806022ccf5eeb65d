import Core
import Foundation
import Mustache

/// The templates of the pages: `models/web/templates/*.mustache`.
struct Templates: Sendable {
    private let library: MustacheLibrary

    /// - Throws: ``StartupError`` that names the file.
    init(from models: ModelFolder) throws {
        var library = MustacheLibrary()
        for name in try models.names(in: "web/templates", withExtension: "mustache") {
            let file = models.url.appending(path: "web/templates/\(name)")
            guard let data = try? Data(contentsOf: file) else {
                throw StartupError(.unavailable, "cannot read \(file.path): restore it from the repository")
            }
            do {
                let text = Self.withoutIndentation(String(decoding: data, as: UTF8.self))
                try library.register(text, named: String(name.dropLast(".mustache".count)))
            } catch {
                throw StartupError(.configuration, "\(file.path) is not a valid template: \(error)")
            }
        }
        self.library = library
    }

    /// The indentation of a template is for its authors; a page carries none of it.
    private static func withoutIndentation(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }
            .joined(separator: "\n")
    }

    /// The page as HTML; nil if there is no such template.
    func render(_ values: [String: Any], as name: String) -> String? { library.render(values, withTemplate: name) }
}
