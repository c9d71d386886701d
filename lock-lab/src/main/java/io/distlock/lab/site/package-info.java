/**
 * The pages of the lab as plain files, with recorded runs instead of a server.
 */
@NullMarked
package io.distlock.lab.site;

import org.jspecify.annotations.NullMarked;
