CREATE TABLE IF NOT EXISTS distributed_lock (
    lock_key   VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    revision   BIGINT NOT NULL,
    busy       SMALLINT NOT NULL,
    token      BIGINT NOT NULL,
    record     MEDIUMTEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    holder     VARCHAR(255) CHARACTER SET ascii,
    waiting    INTEGER NOT NULL,
    held_until BIGINT NOT NULL
) ENGINE = InnoDB;
