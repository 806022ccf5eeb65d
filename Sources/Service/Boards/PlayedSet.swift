import Core

/// What a board or a camera plays, in the settings: `PLACE=SET` or `PLACE=SET:GAME`.
struct PlayedSet {
    /// The folder or device before the last `=`.
    let place: String
    let pieceSet: String
    /// Nil for none.
    let game: String?

    /// - Parameters:
    ///   - setting: the key of the setting, for errors.
    ///   - usage: the syntax, with an example, for errors.
    /// - Throws: ``StartupError`` (78) if the syntax is wrong.
    init(_ text: String, setting: String, usage: String) throws(StartupError) {
        guard let equals = text.lastIndex(of: "="), equals != text.startIndex else {
            throw StartupError(.configuration, "\(setting): \(text): use \(usage)")
        }
        place = String(text[..<equals])
        let played = text[text.index(after: equals)...].split(separator: ":", maxSplits: 1).map(String.init)
        guard let set = played.first else {
            throw StartupError(.configuration, "\(setting): \(text): name a piece set after the =")
        }
        pieceSet = set
        game = played.dropFirst().first
    }
}
