/**
 * Contains what a place implements that keeps one text per lock. This package does not
 * depend on the store that uses the place.
 */
@NullMarked
package io.distlock.records.place;

import org.jspecify.annotations.NullMarked;
