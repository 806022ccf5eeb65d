import GRDB

/// A step in the history of the tables. Never edit a shipped one.
struct Migration: Sendable {
    let name: String
    let run: @Sendable (Database) throws -> Void

    init(_ name: String, run: @escaping @Sendable (Database) throws -> Void) { (self.name, self.run) = (name, run) }

    init(_ name: String, _ sql: String) { self.init(name) { try $0.execute(sql: sql) } }
}

/// The tables and their migrations, in order.
enum Migrations {
    static var all: DatabaseMigrator {
        migrator([
            .photos, .profiles, .queue, .events, .sessions, .kitchens, .summaries, .productsOfPhotos, .devices,
            .pairedDevices, .diary, .accounts, .lists, .prices, .uploads, .names, .reviewsOfKinds, .household,
            .placesOfReviews, .titles, .saved, .shopNames, .syncedChanges, .aisles, .plays, .favourites, .recordedDays,
            .news, .titlesOfLabels, .countedFiles, .staffOfReviews, .typedEntries, .closedDays, .settersOfLimits,
            .deletions,
        ])
    }

    /// The tables of version 1.
    static var first: DatabaseMigrator { migrator([.photos, .profiles]) }

    private static func migrator(_ steps: [Migration]) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for step in steps { migrator.registerMigration(step.name, migrate: step.run) }
        return migrator
    }
}

extension Migration {
    /// One row per file of the watched folders. `state` is the queue: queued → running → done.
    static let photos = Migration(
        "1 photos, readings, outcomes",
        """
        CREATE TABLE photo (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            path BLOB NOT NULL UNIQUE,
            sidecar BLOB NOT NULL,
            device INTEGER NOT NULL, inode INTEGER NOT NULL, size INTEGER NOT NULL,
            modified INTEGER NOT NULL, changed INTEGER NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done')),
            attempt INTEGER NOT NULL DEFAULT 0,
            content TEXT
        ) STRICT;
        CREATE INDEX photo_queue ON photo (id) WHERE state = 'queued';

        -- A worker's answers by content and request; interpretation can be rerun on them.
        CREATE TABLE reading (
            content TEXT NOT NULL, asked TEXT NOT NULL, answer BLOB NOT NULL,
            PRIMARY KEY (content, asked)
        ) STRICT, WITHOUT ROWID;

        -- One outcome per file, byte for byte as in its sidecar.
        CREATE TABLE outcome (
            photo INTEGER PRIMARY KEY REFERENCES photo (id) ON DELETE CASCADE,
            status TEXT NOT NULL, json BLOB NOT NULL,
            sidecarWritten INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX outcome_unwritten ON outcome (photo) WHERE sidecarWritten = 0;
        """)

    static let queue = Migration(
        "2 versions, fair order, quarantine",
        """
        -- Counts what was seen under this path, so that a late answer about an earlier version is dropped.
        ALTER TABLE photo ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
        -- The top folder, whose turn comes round, and the place in its line: small files stand further ahead.
        ALTER TABLE photo ADD COLUMN top BLOB NOT NULL DEFAULT x'';
        ALTER TABLE photo ADD COLUMN rank INTEGER NOT NULL DEFAULT 0;
        -- What the stored outcome was asked for.
        ALTER TABLE photo ADD COLUMN asked TEXT;
        UPDATE photo SET rank = id;
        DROP INDEX photo_queue;
        CREATE INDEX photo_queue ON photo (top, rank) WHERE state = 'queued';
        CREATE INDEX photo_content ON photo (content);

        -- Contents that are tried again only on request.
        CREATE TABLE quarantine (
            content TEXT PRIMARY KEY, code TEXT NOT NULL, detail TEXT NOT NULL, hint TEXT NOT NULL,
            attempts INTEGER NOT NULL, path BLOB NOT NULL, bytes INTEGER NOT NULL,
            since INTEGER NOT NULL -- seconds since 1970, shown to people, decides nothing
        ) STRICT, WITHOUT ROWID;

        -- One row, written to test whether the database is writable.
        CREATE TABLE pulse (id INTEGER PRIMARY KEY CHECK (id = 1), beats INTEGER NOT NULL) STRICT;
        INSERT INTO pulse VALUES (1, 0);
        """)

    static let events = Migration(
        "3 events and deliveries",
        """
        -- Published events: streams read them from any number on, the outbox sends them.
        CREATE TABLE event (
            id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
            body BLOB NOT NULL
        ) STRICT;
        CREATE TABLE delivery (
            event INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
            receiver TEXT NOT NULL,
            state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'dead')),
            attempts INTEGER NOT NULL DEFAULT 0, failure TEXT,
            PRIMARY KEY (event, receiver)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX delivery_waiting ON delivery (receiver, event) WHERE state = 'waiting';
        """)

    static let kitchens = Migration(
        "4 kitchens",
        """
        -- The folder below the inbox, whose menus belong to one kitchen; null for files of the inbox itself.
        ALTER TABLE photo ADD COLUMN kitchen BLOB;
        CREATE INDEX photo_kitchen ON photo (kitchen, id) WHERE kitchen IS NOT NULL;
        """)
}
