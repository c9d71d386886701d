/** Contains the actuator endpoint {@code locks}, also over JMX. */
@NullMarked
package io.distlock.autoconfigure.actuate;

import org.jspecify.annotations.NullMarked;
