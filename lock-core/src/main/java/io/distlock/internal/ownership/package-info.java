/**
 * Knows who has a key in this process: nobody, one owner or readers. It nests, extends
 * and ends their holds.
 */
@NullMarked
package io.distlock.internal.ownership;

import org.jspecify.annotations.NullMarked;
