/**
 * The database that the nodes of a run share.
 */
@NullMarked
package io.distlock.lab.database;

import org.jspecify.annotations.NullMarked;
