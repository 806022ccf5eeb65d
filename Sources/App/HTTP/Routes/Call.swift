import Core
import Foundation
import Hummingbird

/// One request, as the handler of a ``Route`` sees it.
package struct Call: Sendable {
    package let request: Request
    package let context: APIContext

    package init(_ request: Request, _ context: APIContext) {
        self.request = request
        self.context = context
    }

    /// Who asks.
    ///
    /// - Throws: ``Problem`` (401) on a route that needs no token.
    package var identity: Identity { get throws(Problem) { try context.known() } }

    /// The name of the person who acts; see ``Identity/person()``.
    package var person: String { get throws { try context.person() } }

    /// The value of a parameter of the path.
    ///
    /// - Throws: ``Problem`` 400 or 404 for a text of another form.
    package subscript<Value>(_ parameter: PathParameter<Value>) -> Value {
        get throws { try parameter.value(in: context.parameters) }
    }

    /// The part of the address after the question mark, as a form without script sends it.
    package var query: FormBody { FormBody(queryOf: request) }

    /// The part of the address after the question mark, decoded and checked; see ``QueryDecoder``.
    ///
    /// - Throws: ``Problem`` 400 that names the wrong parameter and its valid values.
    package func query<Query: Decodable>(as type: Query.Type) throws -> Query {
        try QueryDecoder.decode(type, from: request)
    }

    /// The same request by a client that has nothing stored.
    var unconditional: Call {
        guard request.headers[.ifNoneMatch] != nil else { return self }
        var head = request.head
        head.headerFields[.ifNoneMatch] = nil
        return Call(Request(head: head, body: request.body), context)
    }

    package func form() async throws -> FormBody { try await FormBody(request) }

    /// The body as JSON.
    ///
    /// - Throws: ``Problem`` 400 that names the wrong key, 413 above `most` bytes.
    package func body<Body: Decodable>(_ type: Body.Type, upTo most: Int) async throws -> Body {
        try Self.decoded(type, from: try await request.bytes(upTo: most))
    }

    /// The body as JSON; nil for an empty one.
    package func optionalBody<Body: Decodable>(_ type: Body.Type, upTo most: Int = Route.mostBytes) async throws
        -> Body?
    {
        let data = try await request.bytes(upTo: most)
        return data.isEmpty ? nil : try Self.decoded(type, from: data)
    }

    private static func decoded<Body: Decodable>(_ type: Body.Type, from data: Data) throws -> Body {
        guard StreamSafeText.holds(JSONScalars(data)) else {
            throw Problem(400, "badRequest", "the body has a letter with more than 30 accents")
        }
        do { return try JSONCoding.decode(type, from: data) } catch let error as DecodingError {
            let path: [any CodingKey] =
                switch error {
                case .keyNotFound(let key, let context): context.codingPath + [key]
                case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                    context.codingPath
                @unknown default: []
                }
            let key = path.map(\.stringValue).joined(separator: ".")
            let example = (type as? any Documented.Type)?.example.map { ": send \($0)" } ?? ""
            throw Problem(
                400, "badRequest", (key.isEmpty ? "the body is not JSON" : "\(key) is missing or wrong") + example)
        }
    }
}

/// The scalars of a JSON text, with those that its strings have as `\u` escapes. Of other escapes the letter stays, and
/// bytes that are no text give U+FFFD.
struct JSONScalars: Sequence, IteratorProtocol {
    private var bytes: Data.Iterator
    private var decoder = UTF8()

    init(_ json: Data) { bytes = json.makeIterator() }

    mutating func next() -> Unicode.Scalar? {
        var high: UInt32?
        while let scalar = raw() {
            guard scalar == "\\", let mark = raw() else { return scalar }
            guard mark == "u" else { return mark }
            var unit: UInt32 = 0
            for _ in 0..<4 {
                guard let digit = raw() else { return nil }
                guard let value = Character(digit).hexDigitValue else { return digit }
                unit = unit << 4 | UInt32(value)
            }
            switch unit {
            case 0xD800..<0xDC00: high = unit
            case 0xDC00..<0xE000:
                return high.flatMap { Unicode.Scalar(0x10000 + ($0 - 0xD800) << 10 + (unit - 0xDC00)) } ?? "\u{FFFD}"
            default: return Unicode.Scalar(unit) ?? "\u{FFFD}"
            }
        }
        return nil
    }

    private mutating func raw() -> Unicode.Scalar? {
        switch decoder.decode(&bytes) {
        case .scalarValue(let scalar): scalar
        case .emptyInput: nil
        case .error: "\u{FFFD}"
        }
    }
}
