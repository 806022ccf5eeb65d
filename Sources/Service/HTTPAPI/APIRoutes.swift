import Hummingbird

/// What every handler gets beside its request.
public typealias APIContext = BasicRequestContext

/// A group of routes that belong together. They are added behind the guard: a request that reaches them is allowed.
public protocol APIRoutes: Sendable {
    func add(to routes: RouterGroup<APIContext>)
}
