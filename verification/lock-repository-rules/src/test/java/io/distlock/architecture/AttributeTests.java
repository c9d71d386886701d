package io.distlock.architecture;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;
import io.distlock.spring.definition.LockAttributes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each attribute is read, is on the page, and is in both annotations unless it has a
 * reason.
 */
class AttributeTests {

	/** Why an attribute is in one annotation only. */
	private static final Map<String, String> OF_ONE = Map.of(
			//
			"keys", "several permits at once could not be refused as one",
			//
			"mode", "a permit has no readers",
			//
			"minHold", "a job that must run once takes a lock",
			//
			"permits", "a lock has one holder");

	private static final Pattern FIRST_COLUMN = Pattern.compile("^\\| ((?:`\\w+`(?:, )?)+) \\|", Pattern.MULTILINE);

	@Test
	void attributeIsInBothAnnotationsOrHasAReason() {
		Set<String> one = new TreeSet<>(names(DistributedLock.class));
		one.addAll(names(DistributedSemaphore.class));
		one.removeIf((name) -> names(DistributedLock.class).contains(name)
				&& names(DistributedSemaphore.class).contains(name));
		assertThat(one).isEqualTo(new TreeSet<>(OF_ONE.keySet()));
	}

	/**
	 * An attribute that both have means the same, so it has the same type and default.
	 */
	@Test
	void attributeOfBothHasOneTypeAndDefault() throws NoSuchMethodException {
		for (Method method : DistributedLock.class.getDeclaredMethods()) {
			if (names(DistributedSemaphore.class).contains(method.getName())) {
				Method other = DistributedSemaphore.class.getDeclaredMethod(method.getName());
				assertThat(other.getReturnType()).as(method.getName()).isEqualTo(method.getReturnType());
				assertThat(other.getDefaultValue()).as(method.getName()).isEqualTo(method.getDefaultValue());
			}
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { DistributedLock.class, DistributedSemaphore.class })
	void attributeIsRead(Class<? extends Annotation> annotation) {
		JavaClass attributes = new ClassFileImporter().importClass(LockAttributes.class);
		assertThat(attributes.getMethodCallsFromSelf()
			.stream()
			.filter((call) -> call.getTargetOwner().isEquivalentTo(annotation))
			.map((call) -> call.getTarget().getName())
			.collect(Collectors.toSet())).isEqualTo(names(annotation));
	}

	/** Nothing that was read is left lying: somebody asks each component. */
	@Test
	void whatIsReadIsUsed() {
		Predicate<JavaClass> others = (type) -> !type.isEquivalentTo(LockAttributes.class);
		Set<String> used = new ClassFileImporter().importPackages("io.distlock.spring")
			.stream()
			.flatMap((type) -> type.getMethodCallsFromSelf().stream())
			.filter((call) -> call.getTargetOwner().isEquivalentTo(LockAttributes.class))
			.filter((call) -> others.test(call.getOriginOwner()) || call.getOrigin().getName().equals("text"))
			.map((call) -> call.getTarget().getName())
			.collect(Collectors.toSet());
		Set<String> ownFields = new ClassFileImporter().importClass(LockAttributes.class)
			.getFieldAccessesFromSelf()
			.stream()
			.filter((access) -> access.getOrigin().getName().equals("text"))
			.map((access) -> access.getTarget().getName())
			.collect(Collectors.toSet());
		assertThat(Arrays.stream(LockAttributes.class.getRecordComponents())
			.map((component) -> component.getName())
			.filter((name) -> !used.contains(name) && !ownFields.contains(name))).isEmpty();
	}

	@Test
	void attributeIsOnThePage() {
		String page = MarkdownPage.of("docs/annotation.md").text();
		String table = page.substring(page.indexOf("## Attributes"), page.indexOf("## Keys"));
		assertThat(FIRST_COLUMN.matcher(table)
			.results()
			.flatMap((row) -> Stream.of(row.group(1).split(", ")))
			.map((name) -> name.replace("`", ""))).containsExactlyInAnyOrderElementsOf(names(DistributedLock.class));
		String ofSemaphores = page.substring(page.indexOf("## Semaphores"), page.indexOf("## Return types"));
		assertThat(OF_ONE.keySet()).allMatch((name) -> ofSemaphores.contains("`" + name + "`"));
	}

	private static Set<String> names(Class<? extends Annotation> annotation) {
		return Arrays.stream(annotation.getDeclaredMethods())
			.filter((method) -> method.getParameterCount() == 0)
			.map(Method::getName)
			.collect(Collectors.toCollection(TreeSet::new));
	}

}
