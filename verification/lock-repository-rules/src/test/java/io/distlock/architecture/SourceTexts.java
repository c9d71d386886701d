package io.distlock.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The texts in the sources of the published modules, file by file. */
final class SourceTexts {

	private static final String LITERAL = "\"(?:\\\\.|[^\"\\\\\\n])*\"";

	/** Literals of one text, which a long line has in pieces. */
	private static final Pattern TEXT = Pattern.compile(LITERAL + "(?:\\s*\\+\\s*" + LITERAL + ")*");

	private static final Pattern WARNING = Pattern.compile("logger\\.(?:warn|error)\\(\\s*(" + TEXT.pattern() + ")");

	/**
	 * Exceptions for callers of a lock. Those of startup are on a page of their own, and
	 * {@code RefusalPagesTests} compares them.
	 */
	private static final Pattern EXCEPTION = Pattern.compile("(?:new (?:Lock|LockBusy|LockStore|LockLost|LockKey"
			+ "|LockCondition|LockExpiring|LockInterrupted|StaleFencingToken|TransientStore|TransientRefusal|Quarantine"
			+ "|Quorum|IllegalMonitorState)Exception\\(|String message = )");

	/** A value in single quotes, or the text of a key or name that ends a literal. */
	private static final Pattern QUOTED = Pattern
		.compile("'\"\\s*(?:\\+|\\)\\s*\\.append\\()\\s*((?:this\\.|\\w+\\.|\\w+\\(\\)\\.)*\\w+)");

	private static final Pattern RAW_KEY = Pattern.compile(
			"(?:\"\\s*\\+|logger\\.\\w+\\([^;]*,)\\s*((?:this\\.|\\w+\\.|\\w+\\(\\)\\.)*(?:key|keys|resource)\\b(?:\\(\\))?)\\s*[+,)]");

	/** The library's own, which needs no escape. */
	private static final Pattern CONSTANT = Pattern.compile("(?:\\w+\\.)?[A-Z][A-Z_]+");

	/** What comes from the application's own code or settings, or is escaped already. */
	private static final Set<String> TRUSTED = Set.of("this.thread", "KeyText.of", "ForeignText.of",
			"ForeignText.nameOf", "place.bean", "cause.bean", "bean", "name", "this.name", "node.name", "called.name",
			"value", "this.prefix", "instance", "annotation.key", "annotation.key()", "text", "this.text", "fallback",
			"expression", "this.expression", "order.outer", "table", "master");

	private static final List<String> MODULES = List.of("lock-core", "lock-records", "lock-redis", "lock-redlock",
			"lock-jdbc", "lock-zookeeper", "lock-spring", "lock-autoconfigure", "lock-aspectj", "lock-migration");

	private final List<List<String>> files = new ArrayList<>();

	private final List<String> rawKeys = new ArrayList<>();

	private final List<String> warnings = new ArrayList<>();

	private final List<String> exceptions = new ArrayList<>();

	private SourceTexts() {
	}

	static SourceTexts read() {
		SourceTexts texts = new SourceTexts();
		for (String module : MODULES) {
			try (Stream<Path> files = Files.walk(MarkdownPage.ROOT.resolve(module).resolve("src/main/java"))) {
				files.filter((file) -> file.toString().endsWith(".java"))
					.map(MarkdownPage::content)
					.forEach(texts::add);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
		return texts;
	}

	private void add(String source) {
		String code = source.replaceAll("(?s)/\\*.*?\\*/", "");
		this.files.add(TEXT.matcher(code).results().map((text) -> joined(text.group())).toList());
		List.of(QUOTED, RAW_KEY)
			.forEach((raw) -> raw.matcher(code)
				.results()
				.map((found) -> found.group(1))
				.filter((operand) -> !TRUSTED.contains(operand) && !CONSTANT.matcher(operand).matches())
				.forEach(this.rawKeys::add));
		for (Matcher warning = WARNING.matcher(code); warning.find();) {
			this.warnings.add(joined(warning.group(1)));
		}
		for (Matcher exception = EXCEPTION.matcher(code); exception.find();) {
			String text = TEXT.matcher(arguments(code.substring(exception.end())))
				.results()
				.map((part) -> joined(part.group()))
				.collect(Collectors.joining("\u2026"));
			if (text.matches(".*[a-z]{3} .*")) {
				this.exceptions.add(text);
			}
		}
	}

	/** Up to the parenthesis that ends a call, or the semicolon that ends a statement. */
	private static String arguments(String code) {
		int depth = 0;
		Matcher next = Pattern.compile(LITERAL + "|'(?:\\\\.|[^'\\\\])'|[();]").matcher(code);
		while (next.find()) {
			String found = next.group();
			depth += found.equals("(") ? 1 : found.equals(")") ? -1 : 0;
			if (depth < 0 || (depth == 0 && found.equals(";"))) {
				return code.substring(0, next.start());
			}
		}
		return code;
	}

	private static String joined(String literals) {
		StringBuilder text = new StringBuilder();
		Pattern.compile(LITERAL).matcher(literals).results().forEach((literal) -> {
			String quoted = literal.group();
			text.append(quoted, 1, quoted.length() - 1);
		});
		return text.toString().replace("\\\"", "\"").replace("\\\\", "\\");
	}

	/**
	 * Whether one file has all the parts of a message, in the order of reading or not.
	 */
	boolean has(List<String> parts) {
		return this.files.stream()
			.anyMatch((texts) -> parts.stream()
				.allMatch((part) -> texts.stream().anyMatch((text) -> text.contains(part))));
	}

	/** Operands in messages that are keys, or quoted, and not known to be harmless. */
	List<String> rawKeys() {
		return this.rawKeys;
	}

	/** All texts of some kind. */
	List<String> all(Predicate<String> kind) {
		return this.files.stream().flatMap(List::stream).filter(kind).distinct().toList();
	}

	/**
	 * Texts of log lines at {@code WARN} and {@code ERROR}, with <code>{}</code> for
	 * values.
	 */
	List<String> warnings() {
		return this.warnings;
	}

	/**
	 * Texts of exceptions that callers get, with … for values. Without a text here is
	 * what comes in a variable of another name.
	 */
	List<String> exceptions() {
		return this.exceptions;
	}

}
