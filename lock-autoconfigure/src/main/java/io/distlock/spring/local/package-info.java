/**
 * Exclusion within this process for as long as the store does not answer.
 */
@NullMarked
package io.distlock.spring.local;

import org.jspecify.annotations.NullMarked;
