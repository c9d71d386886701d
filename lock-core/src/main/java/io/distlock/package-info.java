/**
 * What users of the lock call: the template, its requests and handles, the annotation and
 * the exceptions.
 */
@NullMarked
package io.distlock;

import org.jspecify.annotations.NullMarked;
