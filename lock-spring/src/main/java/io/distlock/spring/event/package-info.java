/**
 * Events of the application context about locks: what applications listen to.
 */
@NullMarked
package io.distlock.spring.event;

import org.jspecify.annotations.NullMarked;
