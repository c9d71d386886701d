CREATE TABLE IF NOT EXISTS distributed_lock (
    lock_key   VARCHAR(255) COLLATE "C" NOT NULL PRIMARY KEY,
    revision   BIGINT NOT NULL,
    busy       SMALLINT NOT NULL,
    token      BIGINT NOT NULL,
    record     TEXT NOT NULL,
    holder     VARCHAR(255),
    waiting    INTEGER NOT NULL,
    held_until BIGINT NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
