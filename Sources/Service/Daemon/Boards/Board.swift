import Games
import Core

/// A watched folder whose photos are frames of one session: `FOLDER=SET` or `FOLDER=SET:GAME`; a game may be `tangram:BOOK`.
public struct Board: Sendable, Hashable {
    /// A watched folder, or one below it; absolute.
    public var folder: FilePathBytes
    /// The piece set to look for.
    public var pieceSet: String
    /// What is played; nil for none.
    public var game: String?

    /// - Throws: ``StartupError`` (78) that says how it is written, where it is not, or that the folder is not there.
    init(_ text: String) throws(StartupError) {
        guard let equals = text.lastIndex(of: "="), equals != text.startIndex else {
            throw StartupError(
                .configuration, "boards: \(text): write FOLDER=SET or FOLDER=SET:GAME, as /srv/table=tangram:tangram")
        }
        let name = String(text[..<equals])
        guard let folder = FilePathBytes(name)?.resolved else {
            throw StartupError(.configuration, "boards: no folder \(name): make it")
        }
        self.folder = folder
        let played = text[text.index(after: equals)...].split(separator: ":", maxSplits: 1).map(String.init)
        guard let set = played.first else {
            throw StartupError(.configuration, "boards: \(text): name a piece set after the =")
        }
        pieceSet = set
        game = played.dropFirst().first
        if let game, !GameCatalogue.knows(game) {
            throw StartupError(
                .configuration,
                "boards: \(text): no game is called \(game): there are \(GameCatalogue.ids.joined(separator: ", "))")
        }
    }
}

extension WatchConfiguration {
    /// The board whose frame this photo is: that of the innermost folder; nil for a photo of its own.
    func board(of path: FilePathBytes) -> Board? {
        boards.filter { path.isBelow($0.folder) }.max { $0.folder.bytes.count < $1.folder.bytes.count }
    }

    /// The boards that are configured.
    ///
    /// - Throws: ``StartupError`` (78) where one is not written as it should be, lies in no watched folder, or is declared twice.
    public static func boards(_ settings: Settings) throws -> [Board] {
        let boards = try settings.list("boards").map { try Board($0) }
        let named = settings.list("inboxes")
        let inboxes = (named.isEmpty ? ["inbox"] : named).compactMap { FilePathBytes($0)?.resolved }
        for board in boards {
            guard inboxes.contains(where: { board.folder == $0 || board.folder.isBelow($0) }) else {
                throw StartupError(
                    .configuration,
                    "boards: \(board.folder.display) is not watched: name it, or a folder above it, among the inboxes")
            }
            guard boards.filter({ $0.folder == board.folder }).count == 1 else {
                throw StartupError(.configuration, "boards: \(board.folder.display) is declared twice")
            }
        }
        return boards
    }
}
