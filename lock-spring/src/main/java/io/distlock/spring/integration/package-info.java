/**
 * Gives Spring Integration the locks of this application.
 */
@NullMarked
package io.distlock.spring.integration;

import org.jspecify.annotations.NullMarked;
