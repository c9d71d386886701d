/**
 * Processes of the lab that end with the main process.
 */
@NullMarked
package io.distlock.lab.jvm;

import org.jspecify.annotations.NullMarked;
