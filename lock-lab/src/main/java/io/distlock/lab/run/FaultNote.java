package io.distlock.lab.run;

import io.distlock.lab.strategy.Text;
import org.jspecify.annotations.Nullable;

/**
 * A fault begins or ends.
 *
 * @param at milliseconds since the run began
 * @param id name of the fault
 * @param node the node that is hit, {@code null} for a server
 * @param ended whether it is over
 * @param text what happens
 */
public record FaultNote(long at, String id, @Nullable String node, boolean ended, Text text) {
}
