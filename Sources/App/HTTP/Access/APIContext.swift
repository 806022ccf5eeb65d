import Core
import Hummingbird
import NIOCore

package struct APIContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// Nil on routes that need no token.
    package var identity: Identity?
    /// False once the token of the request has ended: an open stream ends with it.
    var isStillKnown: @Sendable () -> Bool = { true }
    private let peer: SocketAddress?

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peer = source.channel.remoteAddress
    }

    /// Who sends the request.
    ///
    /// - Throws: ``Problem`` (401) on a route that needs no token.
    package func known() throws(Problem) -> Identity {
        guard let identity else { throw Problem(401, "noToken", "sign in first") }
        return identity
    }

    /// The name of the person who acts; see ``Identity/person()``.
    package func person() throws -> String { try known().person() }

    /// Who guesses a secret, for ``GuessLimit``: a device, whatever its address is, else an address.
    package func guesser(_ request: Request) -> String {
        if let id = identity?.device { return "device \(id)" }
        return GuessLimit.source(of: peer, forwarded: request.forwardedFor)
    }
}
