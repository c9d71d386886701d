/**
 * What the page of the shop shows: items, vouchers, nodes, locks and what happened.
 */
@NullMarked
package io.distlock.sample.overview;

import org.jspecify.annotations.NullMarked;
