/**
 * Runs methods annotated with {@link io.distlock.DistributedLock} under their lock, in
 * any Spring application context. Knows nothing of Spring Boot.
 */
@NullMarked
package io.distlock.spring;

import org.jspecify.annotations.NullMarked;
