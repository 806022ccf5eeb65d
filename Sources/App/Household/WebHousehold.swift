import HTTP

/// What the pages of people and sign-in need of the daemon besides the API's routes.
protocol WebHousehold: APIHousehold {
    /// The name of the household; nil if it has none.
    func name() async throws -> String?
    /// Gives a member another name, in everything that is theirs; stored photos are judged again.
    ///
    /// - Throws: `Problem` 404 for an unknown name, 409 for a name that is taken, 400 for one of a wrong form.
    func rename(_ name: String, to new: String) async throws
    /// The names of the members whose diaries these keys of an earlier version open.
    func owners(ofKeys keys: [String]) async throws -> [String]
    /// Makes a device for a browser whose user typed the daemon's own key.
    ///
    /// - Returns: the device's token; nil if the key is wrong.
    func signIn(key: String, device name: String) async throws -> String?
}
