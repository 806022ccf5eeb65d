@testable import App

/// Compares templates with the pages that fill them.
struct TemplateCheck {
    /// What surrounds a name in a template.
    private enum Scope {
        case structure(Any.Type)
        /// One text of a list.
        case text
    }

    private struct Property: Hashable {
        var type: ObjectIdentifier
        var name: String

        init(_ type: Any.Type, _ name: String) { (self.type, self.name) = (ObjectIdentifier(type), name) }
    }

    /// A partial with the types around it.
    private struct Place: Hashable {
        var partial: String
        var types: Set<ObjectIdentifier>
    }

    private let templates: [String: [TemplatePart]]
    /// The names of texts, as templates write them.
    private let texts: Set<String>
    /// Sentences for the author of a page, in the order in which they were found.
    private(set) var problems: [String] = []
    /// Templates that a page or another template uses.
    private(set) var used: Set<String> = []

    // The page that is checked.
    private var page: any Page.Type = ErrorPage.self
    private var read: Set<Property> = []
    private var readOnAnyPage: Set<Property> = []
    /// A partial may show itself, as a comment its answers.
    private var open: Set<Place> = []

    /// What the frame shows of every page.
    private static let ofFrame: Set = ["heading", "styles", "photoID", "refresh", "leads"]

    /// - Parameter templates: texts of templates by their names.
    init(templates: [String: String], texts: Set<String>) {
        self.texts = texts
        var parts: [String: [TemplatePart]] = [:]
        for (name, text) in templates.sorted(by: { $0.key < $1.key }) {
            do { parts[name] = try TemplatePart.all(in: text) } catch {
                problems.append("The template \(name) is wrong: \(error).")
            }
        }
        self.templates = parts
    }

    /// Checks that a page has all that its template and its partials read, and nothing else.
    mutating func check(_ page: any Page.Type) {
        self.page = page
        read = []
        walk(page.template, [.structure(PageFrame.self), .structure(page)])
        for name in unread(of: page, in: read) { add("No template of \(page) reads \(name).") }
        readOnAnyPage.formUnion(read)
    }

    /// Checks that the pages together show all of the frame.
    mutating func checkFrame() {
        for name in unread(of: PageFrame.self, in: readOnAnyPage) { add("No template reads \(name).") }
    }

    /// The names of stored properties that nothing reads, also of the structures in a type.
    private func unread(of root: Any.Type, in read: Set<Property>) -> [String] {
        var (types, seen, found): ([Any.Type], Set<ObjectIdentifier>, [String]) = ([root], [], [])
        while let type = types.popLast() {
            guard seen.insert(ObjectIdentifier(type)).inserted else { continue }
            for (name, shape) in TemplateShape.properties(of: type) {
                if type == page, Self.ofFrame.contains(name) { continue }
                if !read.contains(Property(type, name)) { found.append("\(type).\(name)") }
                if let inner = shape.inner { types.append(inner) }
            }
        }
        return found
    }

    private mutating func add(_ problem: String) {
        if !problems.contains(problem) { problems.append(problem) }
    }

    // MARK: Walking

    private mutating func walk(_ template: String, _ scopes: [Scope]) {
        guard let parts = templates[template] else {
            add("\(page) uses the template \(template), which does not exist.")
            return
        }
        used.insert(template)
        let place = Place(
            partial: template,
            types: Set(
                scopes.compactMap { scope in
                    if case .structure(let type) = scope { ObjectIdentifier(type) } else { nil }
                }))
        guard open.insert(place).inserted else { return }
        walk(parts, scopes, template)
        open.remove(place)
    }

    private mutating func walk(_ parts: [TemplatePart], _ scopes: [Scope], _ template: String) {
        for part in parts {
            switch part {
            case .value(let path):
                guard let shape = find(path, scopes, template) else { continue }
                if case .text = shape { continue }
                add("The template \(template) of \(page) prints {{\(path.joined(separator: "."))}}, which is no text.")
            case .section(let path, let isInverted, let inner):
                let shape = find(path, scopes, template)
                walk(inner, isInverted ? scopes : scopes + Self.scope(of: shape), template)
            case .partial(let name): walk(name, scopes)
            }
        }
    }

    /// What a section adds to what surrounds its names.
    private static func scope(of shape: TemplateShape?) -> [Scope] {
        switch shape {
        case .structure(let type), .list(.structure(let type)): [.structure(type)]
        case .list(.text): [.text]
        default: []
        }
    }

    /// What a name stands for; nil with a problem if it stands for nothing.
    private mutating func find(_ path: [String], _ scopes: [Scope], _ template: String) -> TemplateShape? {
        let written = "{{\(path.joined(separator: "."))}}"
        if path == ["."] {
            if case .text = scopes.last { return .text }
            add("The template \(template) of \(page) reads {{.}} outside a list of texts.")
            return nil
        }
        if path.first == "t" {
            if path.count == 2, texts.contains(path[1]) { return .text }
            add("The template \(template) of \(page) reads \(written), which is no text of a texts.json.")
            return nil
        }
        let types = scopes.reversed().compactMap { scope in
            if case .structure(let type) = scope { type } else { nil }
        }
        guard let first = path.first, let owner = types.first(where: { TemplateShape.property(first, of: $0) != nil })
        else {
            let names = types.map { "\($0)" }.joined(separator: ", ")
            add("The template \(template) of \(page) reads \(written), which none of these has: \(names).")
            return nil
        }
        // The frame has what a page gives it.
        if owner == page { read.insert(Property(PageFrame.self, first)) }
        var shape = TemplateShape.structure(owner)
        for name in path {
            guard case .structure(let type) = shape, let next = TemplateShape.property(name, of: type) else {
                add("The template \(template) of \(page) reads \(written), but there is no \(name) in it.")
                return nil
            }
            read.insert(Property(type, name))
            shape = next
        }
        if case .unknown(let type) = shape {
            add("The template \(template) of \(page) reads \(written), but templates cannot show \(type).")
            return nil
        }
        return shape
    }
}
