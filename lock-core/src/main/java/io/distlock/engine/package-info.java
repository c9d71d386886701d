/** The only way from the API to the engine: it creates a lock template on a store. */
@NullMarked
package io.distlock.engine;

import org.jspecify.annotations.NullMarked;
