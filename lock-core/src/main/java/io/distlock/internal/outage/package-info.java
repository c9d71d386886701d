/**
 * How commands reach a store that may fail: what is logged of an outage, and when failed
 * commands are sent again.
 */
@NullMarked
package io.distlock.internal.outage;

import org.jspecify.annotations.NullMarked;
