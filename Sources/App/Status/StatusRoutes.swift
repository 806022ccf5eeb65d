import HTTP
import Hummingbird

/// What the household sees of the daemon: the page Health, and `GET /metrics`.
struct StatusRoutes {
    let cases: StatusUseCases
    let shell: PageShell

    var routes: [Route] {
        [
            Route(
                .get, "metrics", for: .adult, "Metrics as Prometheus text",
                gives: ("text/plain", "Exposition format 0.0.4.")
            ) { call in
                Response(
                    status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                    body: .init(byteBuffer: .init(string: cases.metrics)))
            },

            shell.page(.get, "health", for: .adult, in: .health) { visit in
                try visit.show(HealthPage(try await cases.status(), visit.texts))
            },
        ]
    }
}
