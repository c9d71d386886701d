/**
 * The database that the processes of the shop share when none is configured.
 */
@NullMarked
package io.distlock.sample.database;

import org.jspecify.annotations.NullMarked;
