import Foundation
import TestSupport
import Testing

/// Links between the pages. Links to other hosts are not followed: a test must not depend on the network.
@Suite struct LinkTests {
    @Test(arguments: try DocumentedPage.all())
    func `every link leads to a file and to a heading of it`(page: DocumentedPage) throws {
        for link in page.links where !link.hasPrefix("https://") && !link.hasPrefix("http://") {
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let file = parts[0].isEmpty ? page.url : page.url.deletingLastPathComponent().appending(path: parts[0])
            guard FileManager.default.fileExists(atPath: file.path) else {
                Issue.record("\(page.name): \(link) leads to no file")
                continue
            }
            guard parts.count == 2, file.pathExtension == "md" else { continue }
            let target = DocumentedPage(name: page.name, text: try String(contentsOf: file, encoding: .utf8))
            #expect(target.anchors.contains(parts[1]), "\(page.name): \(link) leads to no heading")
        }
    }

    @Test func `every page can be reached from the README`() throws {
        let pages = try DocumentedPage.all()
        var reached: Set<String> = []
        var next = ["README.md"]
        while let name = next.popLast() {
            guard reached.insert(name).inserted, let page = pages.first(where: { $0.name == name }) else { continue }
            for link in page.links where !link.contains("://") {
                let path = link.split(separator: "#").first.map(String.init) ?? ""
                let file = page.url.deletingLastPathComponent().appending(path: path).standardizedFileURL.path
                next.append(file.replacing(Repository.root.standardizedFileURL.path + "/", with: ""))
            }
        }
        let missing = pages.map(\.name).filter { !reached.contains($0) && $0 != "CONTRIBUTING.md" }
        #expect(missing.isEmpty, "no page links to \(missing)")
    }
}
