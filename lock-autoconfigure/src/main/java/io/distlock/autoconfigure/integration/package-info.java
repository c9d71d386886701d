/**
 * Configures the lock registry of Spring Integration.
 */
@NullMarked
package io.distlock.autoconfigure.integration;

import org.jspecify.annotations.NullMarked;
