/**
 * Internal. Contains what runs once per application. It rejects beans whose annotated
 * methods would run without their lock, warns of doubtful methods, logs the startup
 * report, and registers hints for native images.
 */
@NullMarked
package io.distlock.spring.startup;

import org.jspecify.annotations.NullMarked;
