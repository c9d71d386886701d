/**
 * What all requests to the shop have in common, and its page.
 */
@NullMarked
package io.distlock.sample.web;

import org.jspecify.annotations.NullMarked;
