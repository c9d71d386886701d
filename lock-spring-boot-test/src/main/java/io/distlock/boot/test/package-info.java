/** Tests of Spring Boot applications that take locks, and plain unit tests. */
@NullMarked
package io.distlock.boot.test;

import org.jspecify.annotations.NullMarked;
