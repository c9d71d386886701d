package io.distlock.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.system.CapturedOutput;

import io.distlock.output.DocPage;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What somebody reads whose application did not start.
 *
 * @param description what is wrong
 * @param action what to do
 */
public record FailedStart(String description, String action) {

	private static final String DESCRIPTION = "Description:";

	private static final String ACTION = "Action:";

	/**
	 * Fails unless a page has both texts, one after the other. Wherever a class of a test
	 * is named, the page names {@code StockService}.
	 * @param page the page
	 * @param test the test
	 * @return this
	 */
	public FailedStart isOn(DocPage page, Class<?> test) {
		String reason = this.description.replaceFirst("(?s)^.* cannot work: ", "");
		String text = (reason + " " + this.action).replaceAll("\\b" + test.getSimpleName() + "\\.\\w+", "StockService");
		page.says(text.substring(0, text.length() - 1));
		return this;
	}

	/**
	 * Starts an application without Redis that is expected to fail.
	 * @param output where the analysis is printed
	 * @param configuration the application
	 * @param properties what it configures
	 * @return the analysis
	 */
	public static FailedStart of(CapturedOutput output, Class<?> configuration, String... properties) {
		return of(output, false, configuration, properties);
	}

	/**
	 * Starts an application that is expected to fail.
	 * @param output where the analysis is printed
	 * @param redis whether to have a connection factory
	 * @param configuration the application
	 * @param properties what it configures
	 * @return the analysis
	 */
	public static FailedStart of(CapturedOutput output, boolean redis, Class<?> configuration, String... properties) {
		return of(output, redis ? LockApplications.redis() : AutoConfigurations.of(), configuration, properties);
	}

	/**
	 * Starts an application that is expected to fail.
	 * @param output where the analysis is printed
	 * @param more auto-configurations besides those of the lock
	 * @param configuration the application
	 * @param properties what it configures
	 * @return the analysis
	 */
	public static FailedStart of(CapturedOutput output, AutoConfigurations more, Class<?> configuration,
			String... properties) {
		assertThatExceptionOfType(Exception.class)
			.isThrownBy(() -> LockApplications.start(more, configuration, properties).close());
		String text = output.toString();
		int description = text.lastIndexOf(DESCRIPTION);
		int action = text.indexOf(ACTION, description);
		if (description < 0 || action < 0) {
			throw new AssertionError("No analysis was printed: " + text);
		}
		return new FailedStart(text.substring(description + DESCRIPTION.length(), action).strip(),
				text.substring(action + ACTION.length()).strip().lines().findFirst().orElse(""));
	}

}
