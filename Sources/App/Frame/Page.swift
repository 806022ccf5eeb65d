import Foundation
import HTTP

/// The values of a page: its stored properties are what the template of its name may use, and all that it may use besides
/// those of ``PageFrame`` and the texts.
///
/// A property is a text, a number, a Bool, an optional, a list, or another structure of such properties.
protocol Page: Sendable {
    /// The name of the template, also for the script.
    static var template: String { get }
    /// Names of style sheets in `models/web/static` besides `app.css`, in their order. A page carries only what it uses,
    /// because a phone in a restaurant may have a slow network.
    static var styles: [String] { get }
    /// Names of scripts in `models/web/static`.
    static var scripts: [String] { get }
    /// The title of the browser's window; empty for the text `<template>.head`.
    var heading: String { get }
    /// The style sheets of this page, where they depend on what it shows.
    var styles: [String] { get }
    /// The photo that the page's script watches; nil for none.
    var photoID: String? { get }
    /// True for a page that loads itself again where there is no script.
    var refresh: Bool { get }
    /// An address to which the page leads by itself; nil for none.
    var leads: String? { get }
    /// Why a form of the page was refused, in the reader's language where there is a text for it.
    static func refusal(_ problem: Problem, _ texts: PageTexts) -> String
}

extension Page {
    static var styles: [String] { [] }
    static var scripts: [String] { [] }
    var heading: String { "" }
    var styles: [String] { Self.styles }
    var photoID: String? { nil }
    var refresh: Bool { false }
    var leads: String? { nil }
    static func refusal(_ problem: Problem, _ texts: PageTexts) -> String { texts.refusal(problem) }
}

/// Turns the properties of a page into what templates read.
enum PageValues {
    /// The stored properties of a value by their names. An absent optional has the entry null: without one, a template
    /// would look the name up in the structures around this one. A list `rows` has `hasRows` too, for what is shown once.
    static func all(of value: Any) -> [String: Any] {
        var values: [String: Any] = [:]
        for (name, property) in Mirror(reflecting: value).children {
            guard let name else { continue }
            values[name] = plain(property) ?? NSNull()
            if let list = values[name] as? [Any] { values[has(name)] = !list.isEmpty }
        }
        return values
    }

    static func has(_ list: String) -> String { "has\(list.prefix(1).uppercased())\(list.dropFirst())" }

    fileprivate static func plain(_ value: Any) -> Any? {
        if let value = value as? any PlainValue { value.plain } else { all(of: value) }
    }
}

/// What is no structure: one cast finds it.
private protocol PlainValue { var plain: Any? { get } }

extension String: PlainValue { fileprivate var plain: Any? { self } }
extension Bool: PlainValue { fileprivate var plain: Any? { self } }
extension Int: PlainValue { fileprivate var plain: Any? { self } }
extension Int64: PlainValue { fileprivate var plain: Any? { self } }
extension Double: PlainValue { fileprivate var plain: Any? { self } }
extension Array: PlainValue { fileprivate var plain: Any? { compactMap { PageValues.plain($0) } } }
extension Optional: PlainValue { fileprivate var plain: Any? { flatMap { PageValues.plain($0) } } }

struct PageFrame {
    let lang, heading, page: String
    let styles, scripts: [String]
    /// Where the light and the dark colours count.
    let lightMedia, darkMedia: String?
    let photoID: String?
    let refresh: Bool
    let leads: String?
    let nav: [Navigation.Part]
    let tabs: [Navigation.Link]
    /// The picture that leads to "Who is it?"; nil where nobody is signed in.
    let me: MemberPicture?
    /// Takes back what was just done.
    let undo: UndoBar?
    let alarm: RemovalAlarm?
    /// Why what was asked for is refused, and what was just done.
    let error, message: String?
}
