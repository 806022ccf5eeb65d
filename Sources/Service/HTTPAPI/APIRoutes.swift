import Hummingbird
import NIOCore

/// Who was let in by which token.
public enum TokenHolder: Sendable, Hashable {
    /// The daemon's own key.
    case key
    /// A paired device, by its number.
    case device(Int64)
}

/// Request context of all handlers.
public struct APIContext: RequestContext {
    public var coreContext: CoreRequestContextStorage
    /// Nil on routes that need no token.
    public var holder: TokenHolder?
    private let peer: SocketAddress?

    public init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peer = source.channel.remoteAddress
    }

    /// Who guesses a secret, for ``GuessLimit``: a device, whatever its address is, else an address.
    public func guesser(_ request: Request) -> String {
        if case .device(let id) = holder { return "device \(id)" }
        return GuessLimit.source(of: peer, forwarded: request.forwardedFor)
    }
}

/// A group of routes. They are added behind the guard, so every request that reaches them is allowed.
public protocol APIRoutes: Sendable {
    func add(to routes: RouterGroup<APIContext>)
    /// Adds routes that need no token, such as the sign-in page.
    func addOpen(to routes: RouterGroup<APIContext>)
}

extension APIRoutes {
    public func addOpen(to routes: RouterGroup<APIContext>) {}
}
