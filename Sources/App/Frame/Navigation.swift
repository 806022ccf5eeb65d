enum Section: String {
    case scan, history, review, today, week, list, compare, goods, prices, feed, me, games, people, devices, health,
        more
    /// A page that no entry leads to.
    case none = ""

    fileprivate var entry: (href: String, icon: String) {
        switch self {
        case .scan: ("/", "camera")
        case .history: ("/history", "history")
        case .review: ("/review", "review")
        case .today: ("/today", "today")
        case .week: ("/week", "week")
        case .list: ("/list", "list")
        case .compare: ("/compare", "scale")
        case .goods: ("/goods", "search")
        case .prices: ("/prices", "plus")
        case .feed: ("/feed", "staff")
        case .me: ("/me", "me")
        case .games: ("/games", "games")
        case .people: ("/people", "people")
        case .devices: ("/devices", "phone")
        case .health: ("/health", "health")
        case .more: ("/more", "more")
        case .none: ("/", "camera")
        }
    }
}

/// The entries that lead from every page to the others.
struct Navigation {
    struct Link {
        let href, icon, text: String
        let isCurrent: Bool
    }

    struct Part {
        let head: String
        let links: [Link]
    }

    let current: Section
    /// Pages that a child or a guest may not see are left out.
    let seesLittle: Bool
    let texts: PageTexts

    private static let shop: [Section] = [.list, .compare, .goods, .prices, .feed, .me]

    private var sections: [(name: String, entries: [Section])] {
        if seesLittle { return [("read", [.scan, .history]), ("play", [.games])] }
        return [
            ("read", [.scan, .history, .review]), ("eat", [.today, .week]), ("shop", Self.shop), ("play", [.games]),
            ("house", [.people, .devices, .health]),
        ]
    }

    private func link(_ section: Section, current: Section) -> Link {
        let (href, icon) = section.entry
        return Link(
            href: href, icon: icon, text: texts.text("nav.\(section.rawValue)"), isCurrent: section == current)
    }

    var parts: [Part] {
        sections.map { name, entries in
            Part(head: texts.text("nav.\(name)"), links: entries.map { link($0, current: current) })
        }
    }

    var tabs: [Link] {
        let tabs: [Section] = [.scan, .history] + (seesLittle ? [.games] : [.today, .list])
        let own = tab
        return tabs.map { link($0, current: own) } + [link(.more, current: current)]
    }

    private var tab: Section {
        switch current {
        case .week: .today
        case _ where Self.shop.contains(current): .list
        case .games where seesLittle: .games
        case .scan, .history, .today: current
        default: .more
        }
    }
}
