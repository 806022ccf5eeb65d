import Core
import Settings

/// A watched folder whose photos are frames of one session: `FOLDER=SET` or `FOLDER=SET:GAME`; a game may be
/// `tangram:BOOK`.
package struct Board: Sendable, Hashable {
    /// A watched folder, or one below it; absolute.
    package var folder: FilePathBytes
    /// The piece set to recognise.
    package var pieceSet: String
    /// The game; nil for none.
    package var game: String?

    /// - Throws: ``StartupError`` (78) if the syntax is wrong or the folder does not exist.
    init(_ text: String) throws(StartupError) {
        let played = try PlayedSet(
            text, setting: Self.setting, usage: "FOLDER=SET or FOLDER=SET:GAME, such as /srv/table=tangram:tangram")
        guard let folder = FilePathBytes(played.place)?.resolved else {
            throw StartupError(.configuration, "\(Self.setting): the folder \(played.place) does not exist: create it")
        }
        (self.folder, pieceSet, game) = (folder, played.pieceSet, played.game)
    }

    /// What errors call the setting: a board may be in the settings or on the command line.
    private static let setting = "boards (--board)"

    /// The configured boards.
    ///
    /// - Throws: ``StartupError`` (78) if a board's syntax is wrong, it is in no watched folder, or it is declared
    ///   twice.
    package static func all(in settings: Settings) throws -> [Board] {
        let boards = try settings.list("boards").map { try Board($0) }
        let named = settings.list("inboxes")
        let inboxes = (named.isEmpty ? ["inbox"] : named).compactMap { FilePathBytes($0)?.resolved }
        for board in boards {
            guard inboxes.contains(where: { board.folder == $0 || board.folder.isBelow($0) }) else {
                throw StartupError(
                    .configuration,
                    "\(setting): \(board.folder.display) is not watched: also name it, or a folder above it, as a folder "
                        + "to watch")
            }
            guard boards.filter({ $0.folder == board.folder }).count == 1 else {
                throw StartupError(
                    .configuration, "\(setting): \(board.folder.display) is declared twice: remove one")
            }
        }
        return boards
    }
}
