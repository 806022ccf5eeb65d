import Testing

@testable import Core

@Suite struct UserFolderTests {
    @Test(arguments: [
        (["HOME": "/tmp/h"], "/tmp/h/.local/share"), (["HOME": "/tmp/h", "XDG_DATA_HOME": "/tmp/d"], "/tmp/d"),
        (["HOME": "/tmp/h", "XDG_DATA_HOME": ""], "/tmp/h/.local/share"),
        (["HOME": "/tmp/h", "XDG_DATA_HOME": "d"], "/tmp/h/.local/share"),
    ])
    func `XDG_DATA_HOME and HOME place the user's data`(environment: [String: String], folder: String) {
        #expect(UserFolder.data(environment: environment).path == folder)
    }

    @Test func `XDG_CACHE_HOME and HOME place what can be fetched again`() {
        #expect(UserFolder.cache(environment: ["HOME": "/tmp/h"]).path == "/tmp/h/.cache")
        #expect(UserFolder.cache(environment: ["XDG_CACHE_HOME": "/tmp/c"]).path == "/tmp/c")
    }
}
