/// Where the API listens, and whom it answers.
public struct APISettings: Sendable, Hashable {
    /// A loopback address unless somebody decides otherwise.
    public var host: String
    /// 0 takes any that is free.
    public var port: Int
    /// Every route but health asks for it.
    public var token: String
    /// Names beside the loopback's by which the API may be called: a page of another site that a browser tricks into calling
    /// this address comes with another name.
    public var allowedHosts: [String]
    /// Connections that are open at the same time; the one that was idle longest makes room for the next.
    public var mostConnections = 64
    /// Seconds after which a connection is closed on which nothing is asked and nothing answered.
    public var idleSeconds: Int64 = 30

    public init(host: String = "127.0.0.1", port: Int = 8765, token: String, allowedHosts: [String] = []) {
        self.host = host
        self.port = port
        self.token = token
        self.allowedHosts = allowedHosts
    }
}
