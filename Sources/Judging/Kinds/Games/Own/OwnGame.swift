import Core
import Foundation

/// A game of one's own: a folder with `game.json` and the program that it names.
package struct OwnGame: Sendable, Hashable {
    package let manifest: GameManifest
    package let folder: URL

    package static let manifestName = "game.json"

    package var id: String { manifest.id }
    package var program: URL { folder.appending(path: manifest.program) }

    package init(manifest: GameManifest, folder: URL) {
        self.manifest = manifest
        self.folder = folder
    }

    /// Reads and checks a folder.
    ///
    /// - Throws: ``StartupError`` (64, 66, 69, 78) with the file, what is wrong, and what to do.
    package init(in folder: URL, models: ModelFolder) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder) else {
            throw StartupError(.noInput, "the game \(folder.path) does not exist: name a folder with game.json")
        }
        guard isFolder.boolValue else {
            throw StartupError(
                .usage,
                "\(folder.path) is a file: put the program into a folder with game.json, and name the folder "
                    + "(docs/guide/games.md)")
        }
        let file = folder.appending(path: Self.manifestName)
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw StartupError(
                .noInput, "\(file.path) is missing: write it (docs/guide/games.md), or move the folder away")
        }
        let manifest = try GameManifest(contentsOf: file)
        self.init(manifest: manifest, folder: folder.absoluteURL.standardizedFileURL)
        let name = self.folder.lastPathComponent
        guard name == manifest.id else {
            throw fault(file, "id", "\(manifest.id) is not the folder's name: call the folder \(manifest.id)")
        }
        let known = try models.names(in: "piece-sets", withExtension: "json").map { String($0.dropLast(5)) }
        for (index, set) in manifest.sets.enumerated() where !known.contains(set) {
            throw fault(file, "sets[\(index)]", "no piece set \(set): there are \(known.joined(separator: ", "))")
        }
        try checkProgram(file)
    }

    private func checkProgram(_ file: URL) throws {
        let real = program.resolvingSymlinksInPath()
        let home = folder.resolvingSymlinksInPath().path + "/"
        guard FileManager.default.fileExists(atPath: real.path) else {
            throw fault(file, "program", "there is no file \(program.path): correct the path")
        }
        let kind = try? FileManager.default.attributesOfItem(atPath: real.path)[.type] as? FileAttributeType
        guard kind == .typeRegular else {
            throw fault(file, "program", "\(program.path) is not a file: name the program")
        }
        guard real.path.hasPrefix(home) else {
            throw fault(file, "program", "\(program.path) leads out of the folder: put the program into it")
        }
        guard FileManager.default.isExecutableFile(atPath: real.path) else {
            throw fault(file, "program", "\(program.path) is not executable: run chmod +x \(program.path)")
        }
    }

    private func fault(_ file: URL, _ key: String, _ detail: String) -> StartupError {
        StartupError(.configuration, "\(file.path), \(key): \(detail)")
    }
}

/// The folder with the games of one's own.
package struct OwnGames: Sendable, Hashable {
    /// Nil if nothing is looked for.
    package let folder: URL?
    /// By their ids.
    package private(set) var games: [OwnGame] = []
    /// What is wrong with the other folders, by their names.
    package private(set) var faults: [String: String] = [:]

    package static let none = OwnGames()

    private init() { folder = nil }

    /// Reads all folders in `folder`; without one there are no games. A wrong one does not hold up the others.
    package init(in folder: URL, models: ModelFolder) {
        self.folder = folder
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names.sorted() where !name.hasPrefix(".") {
            let place = folder.appending(path: name)
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: place.path, isDirectory: &isFolder), isFolder.boolValue else {
                continue
            }
            do { games.append(try OwnGame(in: place, models: models)) } catch {
                faults[name] = (error as? StartupError)?.message ?? "\(place.path): \(error)"
            }
        }
    }

    /// The one game of a folder outside.
    package init(only game: OwnGame) {
        folder = nil
        games = [game]
    }

    /// `TABLESIGHT_GAMES`, which is the setting `games` too, else `tablesight/games` in the user's data folder.
    package static func usualFolder(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> URL {
        environment["TABLESIGHT_GAMES"].map { URL(filePath: $0) }
            ?? UserFolder.data(environment: environment).appending(path: "tablesight/games")
    }

    package subscript(id: String) -> OwnGame? { games.first { $0.id == id } }

    /// The faults as sentences, by the names of the folders.
    package var sentences: [String] { faults.sorted { $0.key < $1.key }.map(\.value) }
}
