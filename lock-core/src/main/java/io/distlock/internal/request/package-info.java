/**
 * What this process asks of the store for a key: to acquire it, to renew its lease, to
 * end its requests, and the commands of operators.
 */
@NullMarked
package io.distlock.internal.request;

import org.jspecify.annotations.NullMarked;
