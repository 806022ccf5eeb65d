import Core
import Foundation
import HTTP
import Household
import Hummingbird

// The first steps in a new household.
extension HouseholdRoutes {
    var welcomeRoutes: [Route] {
        [
            page(.get, "welcome", for: .adult, in: .scan) { try await welcome($0, $1) },
            page(.post, "welcome/sample", for: .adult, in: .scan) { visit, viewer in
                try await visit.answer {
                    Visit.next("/photos/\(try await samples.upload(in: visit.texts.language, to: photos).id)")
                } refused: {
                    try await welcome($0, viewer)
                }
            },
        ]
    }

    func welcome(_ visit: Visit, _ viewer: Identity, code: PairingCodePart? = nil) async throws -> Response {
        try visit.show(WelcomePage(try await people.firstSteps(for: viewer), code: code, visit.language))
    }
}

/// The sample photos that are installed with the program: `models/web/samples`.
struct SamplePhotos: Sendable {
    private let folder: URL

    init(from models: ModelFolder, languages: [String]) throws {
        folder = models.url.appending(path: "web/samples")
        for language in languages {
            let file = file(in: language)
            guard FileManager.default.isReadableFile(atPath: file.path) else {
                throw StartupError(.unavailable, "cannot read \(file.path): restore it from the repository")
            }
        }
    }

    private func file(in language: String) -> URL { folder.appending(path: "menu-\(language).jpg") }

    func menu(in language: String) throws -> Data { try Data(contentsOf: file(in: language)) }

    /// Puts the sample menu of the reader's language into the inbox, like a photo that somebody sends. Nobody's prices
    /// are on it, so it is nobody's.
    func upload(in language: String, to photos: any PhotoFolder) async throws -> PhotoStatus {
        let upload = try await photos.begin(by: nil)
        do {
            try await upload.write(Array(try menu(in: language)))
            return try await upload.finish(key: nil)
        } catch {
            await upload.cancel()
            throw error
        }
    }
}
