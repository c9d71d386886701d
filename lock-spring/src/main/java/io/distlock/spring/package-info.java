/**
 * Runs methods annotated with {@link io.distlock.DistributedLock} or
 * {@link io.distlock.DistributedSemaphore} under their lock, in any Spring application
 * context. Does not depend on Spring Boot.
 * <p>
 * This package is the public API: what applications annotate, implement and catch, with
 * the subpackages {@code event} for what they listen to and {@code fencing}. The
 * subpackages {@code definition}, {@code intercept} and {@code startup} are internal, and
 * the module does not export them to applications.
 */
@NullMarked
package io.distlock.spring;

import org.jspecify.annotations.NullMarked;
