package io.distlock.lab.strategy;

/**
 * A setting of this project that guards a critical section beyond the defaults.
 *
 * @param name as it is written in code or configuration
 * @param closes which gap it closes
 */
public record Setting(String name, Text closes) {
}
