-- MySQL and MariaDB. Compares exactly: the usual collations take 'a' and 'A' for the same resource.
CREATE TABLE IF NOT EXISTS lock_fence (
    resource VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL PRIMARY KEY,
    token BIGINT NOT NULL
) ENGINE = InnoDB;
