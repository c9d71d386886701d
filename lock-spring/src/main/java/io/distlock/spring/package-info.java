/**
 * Runs methods annotated with {@link io.distlock.DistributedLock} or
 * {@link io.distlock.DistributedSemaphore} under their lock, in any Spring application
 * context. This package does not depend on Spring Boot.
 * <p>
 * This package is the public API, with annotations, interfaces and exceptions for
 * applications. The subpackages {@code event}, {@code fencing} and {@code reactive}
 * belong to the API. The subpackages {@code definition}, {@code intercept} and
 * {@code startup} are internal, and the module does not export them to applications.
 */
@NullMarked
package io.distlock.spring;

import org.jspecify.annotations.NullMarked;
