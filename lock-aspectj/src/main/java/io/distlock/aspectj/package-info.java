/** Contains the AspectJ aspect that weaves {@code @DistributedLock} into methods. */
@NullMarked
package io.distlock.aspectj;

import org.jspecify.annotations.NullMarked;
