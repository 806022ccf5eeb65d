import Testing

@testable import Kinds

@Suite struct HelpTextTests {
    @Test func `the lines of a paragraph become one, and headings and blocks stay`() {
        let text = HelpText.arranged(
            """
            One sentence that
            goes on. Another.

            EXAMPLES
              tablesight doctor    list parts
            """)
        #expect(text == "One sentence that goes on. Another.\n\nEXAMPLES\n  tablesight doctor    list parts")
    }

    @Test func `a block with a long line has its second column below the first`() {
        let long = String(repeating: "word ", count: 14).dropLast()
        let lines = HelpText.arranged(
            "  tablesight one    \(long)\n                    and more\n  tablesight two    short"
        )
        .split(separator: "\n")
        #expect(lines == ["  tablesight one", "      \(long) and", "      more", "  tablesight two", "      short"])
    }

    @Test func `a long command is broken where the shell goes on`() {
        let command =
            "  tablesight work --queue nats://localhost --daemon http://localhost:8765 --token-file worker-token"
        let lines = HelpText.arranged(command).split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "  tablesight work --queue nats://localhost --daemon http://localhost:8765 \\",
                "      --token-file worker-token",
            ])
    }
}
