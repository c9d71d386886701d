/** Reports the health of the locks' stores to the health endpoint of Spring Boot. */
@NullMarked
package io.distlock.autoconfigure.health;

import org.jspecify.annotations.NullMarked;
