import HTTP

// Names and times of games in the reader's language.
extension PageTexts {
    func game(_ id: String) -> String {
        let base = String(id.prefix { $0 != ":" })
        let name = has("game.\(base)") ? text("game.\(base)") : base
        return base == id ? name : "\(name), \(id.dropFirst(base.count + 1))"
    }

    func skill(_ key: String) -> String { has("skill.\(key)") ? text("skill.\(key)") : Self.spaced(key) }

    func piece(_ type: String) -> String { has("piece.type.\(type)") ? text("piece.type.\(type)") : Self.spaced(type) }

    func photos(of session: PlaySession) -> String {
        session.frames == 1 ? text("games.photo") : text("games.photos", ["n": "\(session.frames)"])
    }

    /// `12:04`, minutes and seconds since the start of a session.
    static func time(_ nanoseconds: Int) -> String {
        let seconds = max(0, nanoseconds / 1_000_000_000)
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
    }

    /// `largeTriangle` → `large triangle`.
    private static func spaced(_ key: String) -> String {
        key.reduce(into: "") { text, letter in
            if letter.isUppercase { text += " " }
            text += letter.lowercased()
        }
    }
}
