/**
 * Internal. Turns an annotation into a {@code LockedMethod}. It finds the applicable
 * annotation, resolves placeholders and overrides, parses the key, and rejects
 * definitions that cannot work.
 */
@NullMarked
package io.distlock.spring.definition;

import org.jspecify.annotations.NullMarked;
