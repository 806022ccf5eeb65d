enum CatalogueSchema {
    static let version = 1

    /// Created before the first row. The name indexes store neither positions nor text; a rowid is a product id.
    /// Verified products have their own index, so that they come first without sorting millions of rows.
    static let tables = """
        CREATE TABLE product (
            id INTEGER PRIMARY KEY, gtin INTEGER NOT NULL, trust INTEGER NOT NULL, modified INTEGER,
            name TEXT NOT NULL, brand TEXT, quantity TEXT, language TEXT, ingredients TEXT, allergens TEXT, traces TEXT,
            serving TEXT, serving_grams REAL, calories REAL, protein REAL, carbs REAL, fat REAL, saturated REAL,
            sugars REAL, fiber REAL, salt REAL
        ) STRICT;
        CREATE VIRTUAL TABLE verified_name USING fts5(
            text, content = '', detail = none, columnsize = 0, tokenize = 'unicode61 remove_diacritics 2');
        CREATE VIRTUAL TABLE crowd_name USING fts5(
            text, content = '', detail = none, columnsize = 0, tokenize = 'unicode61 remove_diacritics 2');
        -- Progress of the import, written in the transaction of its rows.
        CREATE TABLE import (id INTEGER PRIMARY KEY CHECK (id = 1), schema INTEGER NOT NULL, state TEXT NOT NULL) STRICT;
        """

    /// Created after the last row: sorting once is faster than inserting in order.
    static let indexes = """
        CREATE INDEX product_gtin ON product (gtin, trust DESC, modified DESC);
        DELETE FROM product WHERE id IN (
            SELECT id FROM (
                SELECT id, row_number() OVER (PARTITION BY gtin ORDER BY trust DESC, modified DESC, id DESC) AS place
                FROM product WHERE gtin IN (SELECT gtin FROM product GROUP BY gtin HAVING count(*) > 1)
            ) WHERE place > 1);
        CREATE TABLE term (id INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE, documents INTEGER NOT NULL) STRICT;
        CREATE TABLE deletion (key TEXT NOT NULL, term INTEGER NOT NULL, PRIMARY KEY (key, term)) STRICT, WITHOUT ROWID;
        CREATE VIRTUAL TABLE temp.verified_vocabulary USING fts5vocab(main, verified_name, row);
        CREATE VIRTUAL TABLE temp.crowd_vocabulary USING fts5vocab(main, crowd_name, row);
        INSERT INTO term (term, documents)
            SELECT term, sum(doc) FROM (
                SELECT term, doc FROM verified_vocabulary UNION ALL SELECT term, doc FROM crowd_vocabulary
            ) GROUP BY term;
        DROP TABLE temp.verified_vocabulary;
        DROP TABLE temp.crowd_vocabulary;
        """
}
