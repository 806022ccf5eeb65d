import Hashing
import Testing

@Suite struct SHA256Tests {
    /// FIPS 180-4: examples of one and two blocks, and the empty message.
    @Test(arguments: [
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ])
    func `digests equal the standard's`(text: String, digest: String) {
        #expect(SHA256.hexadecimal(SHA256.digest(of: text.utf8)) == digest)
        let stream = SHA256Stream()
        for byte in text.utf8 { [byte].withUnsafeBytes { stream.update($0) } }
        #expect(SHA256.hexadecimal(stream.finish()) == digest, "in chunks")
    }

    /// RFC 4231, test case 2.
    @Test func `authentication codes equal the standard's`() {
        let code = SHA256.authenticationCode(of: "what do ya want for nothing?".utf8, key: "Jefe".utf8)
        #expect(SHA256.hexadecimal(code) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    @Test func `digests are compared completely`() {
        let one = SHA256.digest(of: "one".utf8)
        var other = one
        other[31] ^= 1
        #expect(SHA256.areEqual(one, one))
        #expect(!SHA256.areEqual(one, other))
        #expect(!SHA256.areEqual(one, Array(one.dropLast())))
    }
}
