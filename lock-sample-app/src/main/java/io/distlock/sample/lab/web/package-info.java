/**
 * The lab over HTTP.
 */
@NullMarked
package io.distlock.sample.lab.web;

import org.jspecify.annotations.NullMarked;
