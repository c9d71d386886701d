/**
 * Internal. From an annotation to a {@code LockedMethod}: finds the annotation that
 * applies, resolves placeholders and overrides, parses the key, and rejects definitions
 * that cannot work.
 */
@NullMarked
package io.distlock.spring.definition;

import org.jspecify.annotations.NullMarked;
