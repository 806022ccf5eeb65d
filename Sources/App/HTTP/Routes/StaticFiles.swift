import Core
import Foundation
import Hummingbird

/// Style sheet, script and icons, read once at the start. They hold no data, so they need no token.
package struct StaticFiles: Sendable {
    private let files: [String: (type: String, text: PackedText)]

    private static let types = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
        "webmanifest": "application/manifest+json",
    ]

    package init(from models: ModelFolder) throws {
        var files: [String: (type: String, text: PackedText)] = [:]
        for (ending, type) in Self.types {
            for name in try models.names(in: "web/static", withExtension: ending) {
                let file = models.url.appending(path: "web/static/\(name)")
                guard let data = try? Data(contentsOf: file) else {
                    throw StartupError(.unavailable, "cannot read \(file.path): restore it from the repository")
                }
                files[name] = (type, PackedText(ending == "css" ? Self.withoutComments(data) : data))
            }
        }
        self.files = files
    }

    /// Comments of a style sheet are for its authors.
    private static func withoutComments(_ style: Data) -> Data {
        Data(String(decoding: style, as: UTF8.self).replacing(/\/\*.*?\*\/\n?/.dotMatchesNewlines(), with: "").utf8)
    }

    /// - Throws: `Problem` (404) for an unknown name.
    package func response(_ name: String, to request: Request) throws -> Response {
        guard let file = files[name] else { throw Problem(404, "notFound", "there is no such file") }
        var response = Response.tagged(file.text.plain, as: file.type, for: request)
        if response.status == .ok { file.text.write(into: &response, for: request) }
        return response
    }
}
