/**
 * Database servers for tests, started by the tests themselves.
 */
@NullMarked
package io.distlock.databases;

import org.jspecify.annotations.NullMarked;
