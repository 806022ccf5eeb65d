/// The files that a page needs besides `app.css`, by the name of its template. A page carries only what it uses, because
/// a phone in a restaurant may have a slow network.
enum PageParts {
    /// Names of style sheets in `models/web/static`, in their order.
    static func styles(_ page: String) -> [String] { all[page]?.styles ?? [] }
    /// Names of scripts in `models/web/static`.
    static func scripts(_ page: String) -> [String] { all[page]?.scripts ?? [] }

    private static let all: [String: (styles: [String], scripts: [String])] = [
        "scan": (["scan"], ["scan"]),
        "progress": (["steps"], ["progress"]),
        "result": (["result", "table"], ["result"]),
        "review": (["result", "steps", "form"], ["review"]),
        "history": (["form"], []),
        "people": (["form", "household"], []),
        "health": (["table", "plot"], []),
        "devices": (["household"], []),
        "welcome": (["household"], []),
        "who": (["household"], []),
        "whoadd": (["form", "household"], []),
        "whopin": (["form", "household"], []),
        "whokey": (["form", "household"], []),
        "whonewpin": (["form", "household"], []),
        "pair": (["form", "household"], []),
        "sign": (["household"], []),
        "trust": (["household"], []),
        "today": (["form", "diary"], ["diary"]),
        "add": (["form", "diary"], ["diary"]),
        "entry": (["form", "diary"], []),
        "week": (["table", "diary"], []),
        "goal": (["form", "diary"], []),
        "diary": (["form", "diary"], []),
        "list": (["form", "shop"], ["shop"]),
        "listentry": (["form", "shop"], []),
        "compare": (["table", "shop"], []),
        "goods": (["form", "shop"], []),
        "item": (["form", "table", "shop"], []),
        "prices": (["form", "shop"], []),
        "feed": (["form", "shop"], []),
        "thread": (["form", "shop"], []),
        "me": (["form", "shop"], []),
        "lobby": (["game"], []),
        "board": (["result", "steps", "table", "form", "game"], ["board"]),
        "report": (["steps", "table", "game"], []),
    ]

    /// The page without the symbols of `icons.mustache` that it does not use. Each symbol is on its own line.
    static func withoutUnusedIcons(_ html: String) -> String {
        let bytes = Array(html.utf8)
        let (use, symbol) = (Array("\"#i-".utf8), Array("<symbol id=\"i-".utf8))
        var used: Set<ArraySlice<UInt8>> = []
        func name(from start: Int) -> ArraySlice<UInt8> {
            bytes[start...].prefix { $0 != UInt8(ascii: "\"") }
        }
        for start in bytes.indices.dropLast(use.count)
        where bytes[start] == use[0] && bytes[start..<start + use.count].elementsEqual(use) {
            used.insert(name(from: start + use.count))
        }
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count)
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if line.starts(with: symbol), !used.contains(name(from: line.startIndex + symbol.count)) { continue }
            kept += line
            kept.append(UInt8(ascii: "\n"))
        }
        return String(decoding: kept.dropLast(), as: UTF8.self)
    }
}
