/** The one door from the API to the engine: creates a lock template on a store. */
@NullMarked
package io.distlock.engine;

import org.jspecify.annotations.NullMarked;
