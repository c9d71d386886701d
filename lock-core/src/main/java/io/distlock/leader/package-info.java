/**
 * Elects one of several processes as the leader, by means of a lock.
 */
@NullMarked
package io.distlock.leader;

import org.jspecify.annotations.NullMarked;
