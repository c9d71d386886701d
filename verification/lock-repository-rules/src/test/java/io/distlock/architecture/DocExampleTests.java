package io.distlock.architecture;

import java.util.List;
import java.util.stream.Stream;

import io.distlock.architecture.MarkdownPage.Block;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Code in the READMEs and the documentation is a part of a file that is compiled and run
 * by the tests. A block that follows {@code <!-- example: path/of/File.java#name -->} is
 * what that file has between {@code tag::name[]} and {@code end::name[]}; without a name
 * it is the whole file.
 */
class DocExampleTests {

	static Stream<MarkdownPage> pages() {
		return MarkdownPage.all().filter((page) -> page.blocks().stream().anyMatch(Block::isCompiled));
	}

	@Test
	void pagesWithCodeAreFound() {
		assertThat(pages()).map(MarkdownPage::toString)
			.contains("README.md", "README.zh-CN.md", "docs/annotation.md", "docs/template.md", "docs/failures.md",
					"docs/recipes.md")
			.hasSizeGreaterThan(8);
	}

	@ParameterizedTest
	@MethodSource("pages")
	void codeOfPageIsWhatTestsCompileAndRun(MarkdownPage page) {
		for (Block block : page.blocks()) {
			if (block.isCompiled()) {
				assertThat(block.example()).as("where this is from: %s", block.code()).isNotNull();
			}
			if (block.example() != null) {
				assertThat(block.code()).as(block.example()).isEqualTo(source(block.example()));
			}
		}
	}

	/** No block may be hidden from these tests by how it is written. */
	@ParameterizedTest
	@MethodSource("pages")
	void allBlocksOfCodeAreRecognized(MarkdownPage page) {
		long fences = page.text().lines().filter((line) -> line.strip().startsWith("```")).count();
		assertThat(page.blocks()).hasSize((int) fences / 2);
	}

	/** What imports it needs is all that the slice of the page has to do with a line. */
	@Test
	void sliceOfThePageRunsOnBothLinesOfSpringBoot() {
		String slice = "/src/test/java/com/example/stock/StockControllerTests.java";
		assertThat(withoutImports("verification/lock-other-line" + slice))
			.isEqualTo(withoutImports("lock-spring-boot-test" + slice));
		assertThat(MarkdownPage.of("docs/testing.md").text()).contains(slice);
	}

	private static List<String> withoutImports(String file) {
		return MarkdownPage.content(MarkdownPage.ROOT.resolve(file))
			.lines()
			.filter((line) -> !line.startsWith("import "))
			.toList();
	}

	private static String source(String example) {
		String[] fileAndTag = example.split("#");
		String source = MarkdownPage.content(MarkdownPage.ROOT.resolve(fileAndTag[0]));
		return (fileAndTag.length == 1) ? source.strip() : tagged(source, fileAndTag[1]);
	}

	private static String tagged(String source, String name) {
		List<String> lines = source.lines()
			.dropWhile((line) -> !line.strip().equals("// tag::" + name + "[]"))
			.skip(1)
			.takeWhile((line) -> !line.strip().equals("// end::" + name + "[]"))
			.filter((line) -> !line.strip().matches("// (tag|end)::.*"))
			.toList();
		assertThat(lines).as("lines tagged " + name).isNotEmpty();
		return String.join("\n", lines).stripIndent().strip();
	}

}
