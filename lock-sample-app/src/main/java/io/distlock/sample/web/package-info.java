/**
 * Answers of the shop to HTTP requests that it refuses.
 */
@NullMarked
package io.distlock.sample.web;

import org.jspecify.annotations.NullMarked;
