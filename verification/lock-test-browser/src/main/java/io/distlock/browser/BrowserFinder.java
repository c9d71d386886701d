package io.distlock.browser;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.remote.service.DriverFinder;

/**
 * Finds a browser and its driver once: those on the PATH, as the packages of Debian
 * install them, else those that Selenium Manager finds or downloads.
 */
final class BrowserFinder {

	private static final String ON_PATH = "chromedriver";

	private BrowserFinder() {
	}

	/** Returns why there is no browser, or {@code null} if there is one. */
	static @Nullable String problem() {
		return Found.PROBLEM;
	}

	static File driver() {
		return new File(Found.DRIVER);
	}

	static String browser() {
		return Found.BROWSER;
	}

	private static Optional<String> onPath(String command) {
		return Stream.of(System.getenv().getOrDefault("PATH", "").split(Pattern.quote(File.pathSeparator)))
			.map((directory) -> Path.of(directory, command))
			.filter(Files::isExecutable)
			.map(Path::toString)
			.findFirst();
	}

	private static final class Found {

		private static final String DRIVER;

		private static final String BROWSER;

		private static final @Nullable String PROBLEM;

		static {
			Optional<String> driver = onPath(ON_PATH);
			Optional<String> browser = onPath("chromium");
			String problem = null;
			if (driver.isEmpty() || browser.isEmpty()) {
				DriverFinder manager = new DriverFinder(ChromeDriverService.createDefaultService(),
						new ChromeOptions());
				try {
					driver = Optional.of(manager.getDriverPath());
					browser = Optional.of(manager.getBrowserPath());
				}
				catch (WebDriverException ex) {
					problem = ON_PATH + " is missing and Selenium Manager found no browser ("
							+ String.valueOf(ex.getRawMessage()).lines().findFirst().orElse("")
							+ "); install chromium chromium-driver";
				}
			}
			DRIVER = driver.orElse("");
			BROWSER = browser.orElse("");
			PROBLEM = problem;
		}

	}

}
