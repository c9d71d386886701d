/**
 * Answers HTTP requests whose lock is busy, lost or not available, in applications with
 * Spring MVC or Spring WebFlux.
 */
@NullMarked
package io.distlock.autoconfigure.web;

import org.jspecify.annotations.NullMarked;
