/**
 * Internal. What happens once per application: rejects beans whose annotated methods
 * would run without their lock, warns of doubtful ones, logs the startup report, and
 * registers hints for native images.
 */
@NullMarked
package io.distlock.spring.startup;

import org.jspecify.annotations.NullMarked;
