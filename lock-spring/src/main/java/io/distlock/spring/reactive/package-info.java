/**
 * Runs reactive code under a lock, without an annotation. This package needs Reactor.
 */
@NullMarked
package io.distlock.spring.reactive;

import org.jspecify.annotations.NullMarked;
