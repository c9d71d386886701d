/**
 * The lab over HTTP.
 */
@NullMarked
package io.distlock.lab.web;

import org.jspecify.annotations.NullMarked;
