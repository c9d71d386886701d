package io.distlock.lab.strategy;

/**
 * A text in the languages of the page.
 *
 * @param en English
 * @param zh Chinese
 */
public record Text(String en, String zh) {
}
