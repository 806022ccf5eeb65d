import Hummingbird

/// Request context of all handlers.
public typealias APIContext = BasicRequestContext

/// A group of routes. They are added behind the guard, so every request that reaches them is allowed.
public protocol APIRoutes: Sendable {
    func add(to routes: RouterGroup<APIContext>)
    /// Adds routes that need no token, such as the sign-in page.
    func addOpen(to routes: RouterGroup<APIContext>)
}

extension APIRoutes {
    public func addOpen(to routes: RouterGroup<APIContext>) {}
}
