import Diary

/// Who reads a diary, its files, its time zone and its end.
struct DiaryPage: Page {
    static let template = "diary"
    static let styles = ["form", "diary"]

    struct Reader {
        let name: String
        let isReader: Bool
        let allow, forbid: String
    }

    struct Readable { let name, address: String }

    let heading, zone, suffix, query: String
    let isOwn: Bool
    let household: [Reader]
    let readable: [Readable]

    init(
        _ settings: DiarySettings, possible: [String], readable: [String], suffix: String, _ texts: PageTexts
    ) {
        heading = texts.text("diary.head", ["name": settings.person])
        zone = settings.zone
        self.suffix = suffix
        query = suffix.isEmpty ? "" : "?" + suffix.dropFirst()
        isOwn = suffix.isEmpty
        household = (possible + settings.readers.filter { !possible.contains($0) }).map { name in
            Reader(
                name: name, isReader: settings.readers.contains(name),
                allow: texts.text("diary.reader.allow", ["name": name]),
                forbid: texts.text("diary.reader.forbid", ["name": name]))
        }
        self.readable = readable.map { Readable(name: $0, address: $0.escaped) }
    }
}
