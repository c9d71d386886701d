/**
 * Contains the events about locks that applications listen to.
 */
@NullMarked
package io.distlock.spring.event;

import org.jspecify.annotations.NullMarked;
