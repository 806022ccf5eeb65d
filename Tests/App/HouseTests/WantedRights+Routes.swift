/// What each role may do with each route: add a new one here first.
extension WantedRights {
    static let groups = [
        Group(
            "Health, style, signing in and the certificate", .everybody,
            """
            GET /healthz
            GET /readyz
            GET /list-worker.js
            GET /offline
            GET /static/{name}
            GET POST /pair
            GET /p/{code}
            POST /sign-in
            GET /trust
            GET /trust/tablesight-ca.crt
            """),
        Group(
            "Photos and what was read", .guest,
            """
            POST /v1/images
            POST /v1/codes
            GET /v1/images/{id}
            GET /v1/outcomes
            GET /v1/outcomes/{id}
            GET /v1/outcomes/{id}/image
            GET /v1/outcomes/{id}/overlay.png
            GET /v1/history
            GET /v1/events
            GET /openapi.json
            GET /v1/openapi.json
            """),
        Group(
            "Who uses the device", .guest,
            """
            GET /v1/members
            GET PUT DELETE /v1/session
            """),
        Group(
            "Games", .guest,
            """
            GET /v1/games
            GET /v1/games/{id}/sessions
            GET /v1/games/{id}/sessions/{session}/stream
            POST /v1/games/{id}/sessions/{session}/hint
            POST /v1/games/{id}/sessions/{session}/reset
            POST /v1/games/{id}/sessions/{session}/puzzle
            """),
        // Guests and children play what is theirs only: of others a 404.
        Group(
            "Plays", .guest,
            """
            POST /v1/plays
            GET /v1/plays/{play}
            POST /v1/plays/{play}/frames
            POST /v1/plays/{play}/hint
            POST /v1/plays/{play}/reset
            POST /games/play
            GET /play/{play}
            POST /play/{play}/hint
            POST /play/{play}/reset
            POST /play/{play}/next
            POST /play/{play}/stop
            POST /play/{play}/photo
            """),
        Group(
            "Weeks of players and their limits", .adult,
            """
            GET /v1/people/{name}/plays/{week}
            GET /games/report
            GET /games/report.csv
            POST /games/limit
            """),
        Group(
            "Products", .guest,
            """
            GET /api/v2/product/{code}
            GET /v1/products/{gtin}
            GET /v1/products/{gtin}/assessment
            GET /v1/search
            """),
        Group("What got worse on photos", .guest, "GET /v1/news"),
        Group(
            "Dismissing what got worse", .adult,
            """
            DELETE /v1/news/{number}
            POST /news/dismiss
            """),
        Group(
            "Pages for everybody in the house", .guest,
            """
            GET /
            GET POST /scan
            GET /scan/{gtin}
            GET /photos/{id}
            POST /photos/{id}/again
            GET /photos/{id}/ingredients/{ingredient}
            GET /photos/{id}/staff
            GET /history
            GET /games
            GET /games/{game}/{session}
            POST /games/{game}/{session}/hint
            POST /games/{game}/{session}/reset
            POST /games/{game}/{session}/puzzle
            GET POST /who
            GET POST /who/pin
            GET POST /who/add
            POST /who/guest
            POST /who/leave
            GET /more
            POST /more/theme
            POST /undo
            """),
        Group(
            "Reports of play, and what people save from photos", .child,
            """
            GET /games/{game}/{session}/report
            GET POST /v1/saved
            DELETE /v1/saved/{number}
            POST /photos/{id}/save
            """),
        Group(
            "Reviews, and deleting photos", .adult,
            """
            GET POST /v1/reviews
            DELETE /v1/images/{id}
            GET POST /review
            POST /photos/{id}/kind
            POST /photos/{id}/correct
            POST /photos/{id}/staff
            POST /photos/{id}/delete
            """),
        Group(
            "Taking a review back", .ownReview,
            """
            DELETE /v1/reviews/{number}
            POST /review/undo
            POST /photos/{id}/undo
            """),
        Group(
            "People and PINs", .adult,
            """
            GET POST /who/newpin
            GET /v1/people
            GET PUT DELETE /v1/people/{name}
            GET /v1/profiles
            GET PUT DELETE /v1/profiles/{name}
            POST DELETE /v1/people/{name}/pin/removal
            GET /v1/me
            GET /v1/me/export
            PUT DELETE /v1/me/pin
            POST /who/removal
            POST /who/removal/cancel
            GET POST /people
            POST /people/delete
            """),
        Group(
            "Devices, the daemon and first steps", .adult,
            """
            GET /welcome
            POST /welcome/sample
            GET /v1/devices
            POST /v1/devices/codes
            DELETE /v1/devices/{id}
            GET /devices
            POST /devices/code
            POST /devices/remove
            GET /health
            GET /metrics
            """),
        Group(
            "What everybody's lists and prices share", .adult,
            """
            GET POST /v1/lists
            GET POST /v1/prices
            GET /v1/prices/reviews
            DELETE /v1/prices/{id}
            POST /v1/prices/reviews/{id}
            POST /v1/prices/photos/{id}
            GET POST /v1/receipts/{id}
            POST /v1/receipts/{id}/ticks
            GET POST /v1/places
            PATCH /v1/places/{id}
            POST /v1/places/{id}/merge
            GET /v1/goods
            PUT /v1/goods/{id}/tags
            PUT /v1/goods/{id}/name
            GET POST /v1/experiences
            POST /v1/experiences/{id}/comments
            """),
        Group(
            "One member's list", .ownList,
            """
            GET DELETE /v1/lists/{id}
            PUT DELETE /v1/lists/{id}/people/{name}
            POST /v1/lists/{id}/undo
            POST /v1/lists/{id}/sweep
            POST /v1/lists/{id}/changes
            GET POST /v1/items
            GET /v1/suggestions
            PATCH DELETE /v1/items/{id}
            POST /v1/items/{id}/move
            GET /v1/compare
            """),
        Group(
            "Pages of lists and prices", .adult,
            """
            POST /list/new
            POST /list/photo
            GET POST /list/photo/{id}
            GET /goods
            POST /goods
            GET /goods/{product}
            GET /goods/{product}/picture
            POST /goods/{product}/tags
            POST /goods/{product}/prices
            GET POST /prices
            POST /prices/reviews/{review}
            GET POST /receipts/{id}
            GET POST /feed
            GET POST /feed/{experience}
            GET /me
            POST /me/places
            GET POST /me/places/{place}
            GET /me/export
            """),
        Group(
            "Pages of one member's list", .ownList,
            """
            GET /list
            POST /list/do
            POST /list/share
            POST /list/delete
            POST /list/add
            GET /list/suggest
            GET POST /list/entries/{entry}
            GET /compare
            """),
        Group(
            "Foods, which name what a diary's owner eats", .adult,
            """
            GET /v1/foods
            GET /v1/days/{day}
            GET /v1/projection
            """),
        Group(
            "A diary, for its readers", .diaryReading,
            """
            GET /v1/people/{name}/days/{day}
            GET /v1/people/{name}/entries
            GET /v1/people/{name}/entries/{entry}
            GET /v1/people/{name}/week/{week}
            GET /v1/people/{name}/goal
            GET /v1/people/{name}/projection
            GET /v1/people/{name}/weights
            GET /v1/people/{name}/diary
            GET /today
            GET /week
            GET /goal
            """),
        Group(
            "A diary, for its owner", .diaryOwning,
            """
            POST /v1/people/{name}/entries
            PUT DELETE /v1/people/{name}/entries/{entry}
            GET /v1/people/{name}/foods
            PUT DELETE /v1/people/{name}/days/{day}/closed
            PUT DELETE /v1/people/{name}/favourites/{food}
            PUT /v1/people/{name}/goal
            PUT DELETE /v1/people/{name}/weights/{day}
            GET /v1/people/{name}/events
            GET /v1/people/{name}/export
            POST /v1/people/{name}/import
            PUT DELETE /v1/people/{name}/diary
            PUT DELETE /v1/people/{name}/diary/readers/{reader}
            GET POST /today/add
            GET /today/add/found
            POST /today/favourite
            POST /today/quick
            POST /today/reuse
            POST /today/weight
            POST /today/photo
            GET /today/photo/{id}
            GET POST /today/entries/{entry}
            POST /today/close
            POST /today/entries/{entry}/delete
            POST /goal
            POST /goal/propose
            POST /goal/encouragement
            GET /diary
            POST /diary/reader
            POST /diary/zone
            POST /diary/delete
            GET /diary/export
            POST /diary/import
            """),
        Group(
            "What has ended", .ended,
            """
            GET POST /v1/accounts
            GET DELETE /v1/accounts/me
            GET /v1/accounts/me/export
            PUT /v1/accounts/me/password
            POST /v1/session
            POST /v1/people/{name}/diary/keys
            POST /v1/people/{name}/diary/codes
            """),
        Group(
            "Photos for workers of a queue", .worker,
            """
            GET /v1/images/{id}/content
            """),
    ]
}
