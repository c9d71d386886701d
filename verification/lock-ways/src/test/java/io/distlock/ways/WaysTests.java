package io.distlock.ways;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

/**
 * Reaches an annotated method in every way that Spring has, and asks the store each time
 * whether the lock was held. No way may be silent. The page about the annotation has what
 * this test sees.
 */
@ExtendWith(OutputCaptureExtension.class)
class WaysTests {

	private static final List<String> GROUPS = List.of(Way.DECLARED, Way.MADE, Way.CALLED);

	private static final String NEWER = "io.distlock.ways.framework7.NewerWays";

	private static final String OLDER = "io.distlock.ways.boot3.OlderWays";

	private static final Path PAGE = Path.of("../../../docs/annotation.md");

	private static final String SEPARATOR = "; ";

	private static final String BEGIN = "<!-- ways -->\n";

	private static final String END = "<!-- end of ways -->\n";

	@TestFactory
	Stream<DynamicTest> noWayIsSilent(CapturedOutput output) throws Exception {
		Map<Way, Verdict> seen = new LinkedHashMap<>();
		List<DynamicTest> tests = new ArrayList<>();
		for (Way way : ways()) {
			tests.add(dynamicTest(way.group() + ": " + way.text(), () -> {
				Verdict verdict = Verdict.of(way, output::getAll);
				seen.put(way, verdict);
				assertThat(verdict).isNotEqualTo(Verdict.SILENT);
				assertThat(way.instead().isEmpty()).as("says what to do instead")
					.isEqualTo(verdict == Verdict.LOCKED || verdict == Verdict.REPLACED);
			}));
		}
		tests.add(dynamicTest("The page has these ways", () -> comparePage(seen)));
		return tests.stream();
	}

	private static List<Way> ways() throws ReflectiveOperationException {
		return Stream.of(Declarations.ways(), Makings.ways(), TestedWays.ways(), Callers.ways(), of(NEWER), of(OLDER))
			.flatMap((ways) -> ways)
			.sorted(Comparator.comparingInt((way) -> GROUPS.indexOf(way.group())))
			.toList();
	}

	@SuppressWarnings("unchecked")
	private static Stream<Way> of(String type) throws ReflectiveOperationException {
		if (!ClassUtils.isPresent(type, null)) {
			return Stream.of();
		}
		Method ways = ClassUtils.forName(type, null).getMethod("ways");
		return (Stream<Way>) ways.invoke(null);
	}

	/**
	 * The page has what is seen on the newest line of Spring Boot. On the oldest the ways
	 * that both have end in the same way.
	 */
	private static void comparePage(Map<Way, Verdict> seen) throws IOException {
		String page = Files.readString(PAGE);
		String written = page.substring(0, page.indexOf(BEGIN) + BEGIN.length()) + "\n" + table(seen) + "\n"
				+ page.substring(page.indexOf(END));
		if (!ClassUtils.isPresent(NEWER, null)) {
			assertThat(rows(page)).containsAll(rows(written));
			return;
		}
		if (Boolean.getBoolean("ways.write")) {
			Files.writeString(PAGE, written);
		}
		assertThat(Files.readString(PAGE)).as("write the table with -Dways.write=true").isEqualTo(written);
	}

	private static List<Row> rows(String page) {
		return page.substring(page.indexOf(BEGIN), page.indexOf(END))
			.lines()
			.map((line) -> line.split(" *\\| *"))
			.filter((cells) -> cells.length > 3)
			.flatMap((cells) -> Stream.of(cells[2].split(SEPARATOR)).map((way) -> new Row(cells[1], way, cells[3])))
			.toList();
	}

	private static String table(Map<Way, Verdict> seen) {
		Map<List<String>, List<String>> rows = new LinkedHashMap<>();
		seen.forEach((way, verdict) -> {
			if (!way.older()) {
				rows.computeIfAbsent(List.of(way.group(), verdict.toString(), way.instead()),
						(row) -> new ArrayList<>())
					.add(way.text());
			}
		});
		return rows.entrySet()
			.stream()
			.map((row) -> "| " + row.getKey().get(0) + " | " + String.join(SEPARATOR, row.getValue()) + " | "
					+ row.getKey().get(1) + " | " + row.getKey().get(2) + " |\n")
			.collect(Collectors.joining("", "| | | The lock | Do instead |\n|---|---|---|---|\n", ""));
	}

	/**
	 * One way on the page.
	 *
	 * @param group what it is about
	 * @param text its text
	 * @param verdict what becomes of a call
	 */
	private record Row(String group, String text, String verdict) {

	}

}
