/**
 * Stores that take the locks of another library in its own format, so that both libraries
 * exclude each other while an application moves.
 */
@NullMarked
package io.distlock.migration;

import org.jspecify.annotations.NullMarked;
