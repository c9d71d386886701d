/** The health of the locks' store, for the health endpoint of Spring Boot. */
@NullMarked
package io.distlock.autoconfigure.health;

import org.jspecify.annotations.NullMarked;
