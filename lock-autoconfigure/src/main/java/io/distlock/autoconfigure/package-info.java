/**
 * Wires the lock into a Spring Boot application. Applications configure it with
 * {@code distributed-lock.*} and replace parts by declaring beans of their types.
 */
@NullMarked
package io.distlock.autoconfigure;

import org.jspecify.annotations.NullMarked;
