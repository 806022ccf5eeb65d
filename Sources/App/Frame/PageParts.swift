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
}
