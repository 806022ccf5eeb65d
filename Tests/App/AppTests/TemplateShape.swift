@_spi(Reflection) import Swift

@testable import App

/// A template as a tree of what it reads.
indirect enum TemplatePart: Equatable {
    /// `{{a.b}}`; `{{.}}` is `["."]`.
    case value([String])
    /// `{{#a}}…{{/a}}`, or `{{^a}}…{{/a}}`.
    case section([String], isInverted: Bool, [TemplatePart])
    /// `{{>name}}`
    case partial(String)

    struct Wrong: Error, CustomStringConvertible {
        var reason: String
        var description: String { reason }
    }

    /// The parts of a template's text.
    static func all(in text: String) throws -> [TemplatePart] {
        var open: [(name: String, isInverted: Bool, parts: [TemplatePart])] = [("", false, [])]
        for tag in text.matches(of: /\{\{\{?([^}]*)\}?\}\}/).map(\.1) {
            let name = String(tag.drop { "#^/>".contains($0) }).split(separator: " ").joined()
            let path = name == "." ? ["."] : name.split(separator: ".").map(String.init)
            switch tag.first {
            case "!": continue
            case "#", "^": open.append((name, tag.first == "^", []))
            case "/":
                let section = open.removeLast()
                guard section.name == name, !open.isEmpty else {
                    throw Wrong(reason: "{{/\(name)}} ends a section that did not begin")
                }
                open[open.count - 1].parts.append(.section(path, isInverted: section.isInverted, section.parts))
            case ">": open[open.count - 1].parts.append(.partial(name))
            default: open[open.count - 1].parts.append(.value(path))
            }
        }
        guard open.count == 1 else { throw Wrong(reason: "{{#\(open[open.count - 1].name)}} does not end") }
        return open[0].parts
    }
}

/// What a property of a page is to a template, found by reflection on its type.
indirect enum TemplateShape {
    case text, flag
    case list(TemplateShape)
    case structure(Any.Type)
    /// A type that no template can show.
    case unknown(Any.Type)

    init(_ type: Any.Type) {
        switch type {
        case is String.Type, is Int.Type, is Int64.Type, is Double.Type: self = .text
        case is Bool.Type: self = .flag
        case let optional as any OptionalType.Type: self.init(optional.wrapped)
        case let list as any ListType.Type: self = .list(Self(list.element))
        case _ where Self.isStructure(type): self = .structure(type)
        default: self = .unknown(type)
        }
    }

    /// The type of a structure, or of a list of structures.
    var inner: Any.Type? {
        switch self {
        case .structure(let type): type
        case .list(let element): element.inner
        case .text, .flag, .unknown: nil
        }
    }

    /// Reflection says of properties what kind of type they have, so the type becomes one.
    private struct Holder<Value> { let value: Value }

    /// True for a structure of the app. One of another module, such as `Date`, has no properties for templates.
    private static func isStructure<Value>(_ type: Value.Type) -> Bool {
        let module = String(reflecting: type).prefix { $0 != "." }
        guard ["App", "AppTests"].contains(module) else { return false }
        var isStructure = false
        _ = _forEachField(of: Holder<Value>.self) { _, _, _, kind in
            isStructure = kind == .struct
            return true
        }
        return isStructure
    }

    /// The stored properties of a type, in their order.
    static func properties(of type: Any.Type) -> [(name: String, shape: TemplateShape)] {
        var found: [(name: String, shape: TemplateShape)] = []
        _ = _forEachField(of: type) { name, _, type, _ in
            found.append((String(cString: name), TemplateShape(type)))
            return true
        }
        return found
    }

    static func property(_ name: String, of type: Any.Type) -> TemplateShape? {
        let own = properties(of: type)
        let isOfList = own.contains { property in
            if case .list = property.shape { PageValues.has(property.name) == name } else { false }
        }
        return own.first { $0.name == name }?.shape ?? (isOfList ? .flag : nil)
    }
}

private protocol OptionalType { static var wrapped: Any.Type { get } }
extension Optional: OptionalType { fileprivate static var wrapped: Any.Type { Wrapped.self } }
private protocol ListType { static var element: Any.Type { get } }
extension Array: ListType { fileprivate static var element: Any.Type { Element.self } }
