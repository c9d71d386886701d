/**
 * What a place implements that keeps one text per lock. Depends on nothing of the store
 * that is made of it.
 */
@NullMarked
package io.distlock.records.place;

import org.jspecify.annotations.NullMarked;
