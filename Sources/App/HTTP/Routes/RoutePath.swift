import Foundation
import Hummingbird

/// A parameter in the path of a route, declared once with its name, form and description.
package struct PathParameter<Value: Sendable>: Sendable {
    package let name: String
    /// One sentence for the API's description.
    let about: String
    let schema: Schema
    private let parse: @Sendable (String) throws -> Value

    /// Bytes of a longer text are not looked at.
    private static var longest: Int { 300 }

    /// - Parameter parse: gets the decoded text; throws ``Problem`` for one of another form.
    package init(
        _ name: String, _ about: String, schema: Schema = Schema(type: "string"),
        parse: @escaping @Sendable (String) throws -> Value
    ) {
        self.name = name
        self.about = about
        self.schema = schema
        self.parse = parse
    }

    func value(in parameters: Parameters) throws -> Value {
        guard let text = try parameters.require(name).removingPercentEncoding, text.utf8.count <= Self.longest else {
            throw Problem(400, "badRequest", "\(name) is not valid")
        }
        return try parse(text)
    }
}

extension PathParameter where Value == String {
    package init(_ name: String, _ about: String) { self.init(name, about) { $0 } }
}

extension PathParameter where Value == Int64 {
    /// The number of something stored, 1 or more.
    package init(number name: String, _ about: String) {
        self.init(name, about, schema: Schema(type: "integer", minimum: 1)) { text in
            guard let number = Int64(text), number > 0 else {
                throw Problem(404, "notFound", "there is nothing under this address")
            }
            return number
        }
    }
}

/// The path of a route, such as `"v1/lists/\(.list)"`: its parameters are written into the text.
package struct RoutePath: Sendable, ExpressibleByStringInterpolation {
    struct Parameter: Sendable {
        var name, about: String
        var schema: Schema
    }

    /// With the names of parameters in braces: `v1/lists/{id}`.
    let pattern: String
    let parameters: [Parameter]

    package init(stringLiteral value: String) {
        pattern = value
        parameters = []
    }

    package init(stringInterpolation: StringInterpolation) {
        pattern = stringInterpolation.pattern
        parameters = stringInterpolation.parameters
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        var pattern = ""
        var parameters: [Parameter] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { pattern += literal }

        package mutating func appendInterpolation<Value>(_ parameter: PathParameter<Value>) {
            pattern += "{\(parameter.name)}"
            parameters.append(Parameter(name: parameter.name, about: parameter.about, schema: parameter.schema))
        }

        /// Any other text, such as a base that several routes have.
        package mutating func appendInterpolation(_ text: String) { pattern += text }
    }
}
