/**
 * The API for users of the lock: the template, its requests and handles, the annotation
 * and the exceptions.
 */
@NullMarked
package io.distlock;

import org.jspecify.annotations.NullMarked;
