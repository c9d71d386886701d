package io.distlock.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The public API of each module is a file in {@code docs/api}, so that a change of the
 * API is a change of that file. With {@code -Dapi.write=true} the files are written.
 */
class PublicApiTests {

	private static final Pattern INTERNAL = Pattern.compile("<excludePackageNames>([^<]+)</excludePackageNames>");

	private static final Pattern PACKAGE = Pattern.compile("\\b(?:[a-z]\\w*\\.)+(?=[A-Z])");

	private static final Set<String> OF_EVERY_OBJECT = Set.of("equals", "hashCode", "toString");

	private static final Set<String> OF_EVERY_ENUM = Set.of("values", "valueOf");

	@ParameterizedTest
	@ValueSource(strings = { "lock-core", "lock-records", "lock-redis", "lock-redlock", "lock-jdbc", "lock-zookeeper",
			"lock-spring", "lock-autoconfigure", "lock-aspectj", "lock-spring-boot-test", "lock-migration" })
	void publicApiIsThatOfItsFile(String module) throws IOException {
		String api = api(MarkdownPage.ROOT.resolve(module).resolve("target/classes"));
		Path file = MarkdownPage.ROOT.resolve("docs/api").resolve(module + ".txt");
		if (Boolean.getBoolean("api.write")) {
			Files.createDirectories(file.getParent());
			Files.writeString(file, api);
		}
		assertThat(file)
			.as("the public API of %s; if the change is meant, write the file with -Dapi.write=true", module)
			.hasContent(api);
	}

	private static String api(Path classes) throws IOException {
		Pattern internal = internal();
		StringBuilder text = new StringBuilder();
		new ClassFileImporter().importPath(classes)
			.stream()
			.filter(PublicApiTests::isPublic)
			.filter((type) -> !internal.matcher(type.getPackageName()).matches())
			.collect(Collectors.groupingBy(JavaClass::getPackageName, TreeMap::new, Collectors.toList()))
			.forEach((name, types) -> {
				text.append(name).append('\n');
				types.stream().map(PublicApiTests::describe).sorted().forEach(text::append);
			});
		return text.toString();
	}

	/** What has no published Javadoc is public for other packages of its jar only. */
	private static Pattern internal() throws IOException {
		Matcher names = INTERNAL.matcher(Files.readString(MarkdownPage.ROOT.resolve("pom.xml")));
		assertThat(names.find()).as("packages without Javadoc").isTrue();
		return Pattern.compile(
				names.group(1).replace(".*", "..*").replace(".", "\\.").replace("\\.\\.*", "\\..*").replace(':', '|'));
	}

	private static boolean isPublic(JavaClass type) {
		return !type.isAnonymousClass() && type.getModifiers().contains(JavaModifier.PUBLIC)
				&& type.getEnclosingClass().map(PublicApiTests::isPublic).orElse(true);
	}

	private static String describe(JavaClass type) {
		String parents = Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream())
			.map(PublicApiTests::simple)
			.filter((name) -> !Set.of("Object", "Record", "Annotation").contains(name) && !name.startsWith("Enum<"))
			.sorted()
			.collect(Collectors.joining(", "));
		return "\t" + kind(type) + " " + simple(type) + (parents.isEmpty() ? "" : " : " + parents) + "\n"
				+ Stream.of(type.getFields(), type.getConstructors(), type.getMethods())
					.flatMap(Set::stream)
					.filter((member) -> isPublic(type, member))
					.sorted(Comparator.<JavaMember, String>comparing(JavaMember::getName)
						.thenComparing((member) -> describe(type, member)))
					.map((member) -> "\t\t" + describe(type, member) + "\n")
					.collect(Collectors.joining());
	}

	private static String kind(JavaClass type) {
		if (type.isAnnotation() || type.isInterface()) {
			return type.isAnnotation() ? "annotation" : "interface";
		}
		if (type.isEnum() || type.isRecord()) {
			return type.isEnum() ? "enum" : "record";
		}
		return modifiers(type.getModifiers()) + "class";
	}

	private static boolean isPublic(JavaClass type, JavaMember member) {
		Set<JavaModifier> modifiers = member.getModifiers();
		boolean visible = modifiers.contains(JavaModifier.PUBLIC)
				|| (modifiers.contains(JavaModifier.PROTECTED) && !type.getModifiers().contains(JavaModifier.FINAL));
		return visible && !modifiers.contains(JavaModifier.SYNTHETIC) && !modifiers.contains(JavaModifier.BRIDGE)
				&& !OF_EVERY_OBJECT.contains(member.getName())
				&& !(type.isEnum() && OF_EVERY_ENUM.contains(member.getName()));
	}

	private static String describe(JavaClass type, JavaMember member) {
		if (member instanceof JavaField field) {
			return modifiers(field.getModifiers()) + simple(field.getType()) + " " + field.getName();
		}
		JavaCodeUnit code = (JavaCodeUnit) member;
		String result = (code instanceof JavaConstructor) ? "new" : simple(code.getReturnType()) + " " + code.getName();
		String failures = code.getThrowsClause()
			.getTypes()
			.stream()
			.map(PublicApiTests::simple)
			.collect(Collectors.joining(", "));
		boolean hasBody = type.isInterface() && !code.getModifiers().contains(JavaModifier.ABSTRACT)
				&& !code.getModifiers().contains(JavaModifier.STATIC);
		return (type.isInterface() ? (hasBody ? "default " : modifiersOfInterface(code))
				: modifiers(code.getModifiers())) + result + "("
				+ code.getParameterTypes().stream().map(PublicApiTests::simple).collect(Collectors.joining(", ")) + ")"
				+ (failures.isEmpty() ? "" : " throws " + failures);
	}

	private static String modifiersOfInterface(JavaCodeUnit code) {
		return code.getModifiers().contains(JavaModifier.STATIC) ? "static " : "";
	}

	private static String modifiers(Set<JavaModifier> modifiers) {
		return List.of(JavaModifier.PROTECTED, JavaModifier.STATIC, JavaModifier.ABSTRACT, JavaModifier.FINAL)
			.stream()
			.filter(modifiers::contains)
			.map((modifier) -> modifier.name().toLowerCase() + " ")
			.collect(Collectors.joining());
	}

	private static String simple(JavaType type) {
		String name = (type instanceof JavaClass array && array.isArray()) ? simple(array.getComponentType()) + "[]"
				: type.getName();
		return PACKAGE.matcher(name).replaceAll("").replace('$', '.');
	}

}
