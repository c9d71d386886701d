package io.distlock.lab.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The pages of docs/lab are those of the application. */
class StaticSiteTests {

	private static final Path SITE = Path.of("..", "docs", "lab");

	private static final String WRITE = "Write it again: mvn -q -pl lock-lab -am spring-boot:run -Dspring-boot.run.arguments=--site=../docs/lab";

	@Test
	void committedSiteIsWhatTheCommandWrites() throws IOException {
		assertThat(committed()).as(WRITE).containsExactlyEntriesOf(StaticSite.files());
	}

	@Test
	void pagesOfTheSiteReadRecordedRuns() throws IOException {
		assertThat(StaticSite.files())
			.hasEntrySatisfying("index.html", (page) -> assertThat(page).contains("data-recorded"))
			.hasEntrySatisfying("lab.html", (page) -> assertThat(page).contains("data-recorded"))
			.containsKeys("js/tour.js", "js/lab.js", "webjars/uplot/dist/uPlot.esm.js");
	}

	private static Map<String, String> committed() throws IOException {
		Map<String, String> files = new TreeMap<>();
		try (Stream<Path> paths = Files.walk(SITE)) {
			for (Path path : paths.filter(Files::isRegularFile).toList()) {
				String name = SITE.relativize(path).toString().replace('\\', '/');
				if (!name.startsWith("data/")) {
					files.put(name, Files.readString(path));
				}
			}
		}
		return files;
	}

}
