package io.distlock.architecture;

import java.util.List;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.core.domain.JavaClasses;
import org.jspecify.annotations.NullMarked;

import org.springframework.boot.autoconfigure.AutoConfiguration;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The boundaries between the modules, as {@code docs/architecture.md} draws them. All
 * modules are on this module's class path.
 */
@AnalyzeClasses(packages = "io.distlock", importOptions = ArchitectureTests.MainClasses.class)
class ArchitectureTests {

	private static final String[] CORE = { "io.distlock", "io.distlock.spi..", "io.distlock.memory..",
			"io.distlock.internal.." };

	private static final List<String> STORES = List.of("memory", "redis", "jdbc", "zookeeper");

	@ArchTest
	void importWhenRunThenHasSeenEveryModule(JavaClasses classes) {
		assertThat(classes).extracting(JavaClass::getPackageName)
			.contains("io.distlock", "io.distlock.spi", "io.distlock.internal", "io.distlock.memory",
					"io.distlock.redis", "io.distlock.redlock", "io.distlock.spring", "io.distlock.autoconfigure",
					"io.distlock.aspectj", "io.distlock.test", "io.distlock.test.redis", "io.distlock.sample");
	}

	@ArchTest
	static final ArchRule engineIsUsedByCoreAlone = noClasses().that()
		.resideOutsideOfPackages(CORE)
		.should()
		.dependOnClassesThat()
		.resideInAPackage("io.distlock.internal..")
		.because("the engine may change without notice");

	@ArchTest
	static final ArchRule coreNeedsNoFramework = classes().that()
		.resideInAnyPackage(CORE)
		.should()
		.onlyDependOnClassesThat()
		.resideInAnyPackage("io.distlock", "io.distlock.spi..", "io.distlock.memory..", "io.distlock.internal..",
				"java..", "org.slf4j..", "org.jspecify.annotations..")
		.because("the lock must work in any Java program");

	@ArchTest
	static final ArchRule annotationNeedsNoBoot = noClasses().that()
		.resideInAPackage("io.distlock.spring..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework.boot..", "io.distlock.autoconfigure..")
		.because("the annotation works in plain Spring too");

	@ArchTest
	static final ArchRule storesKnowNeitherAnnotationNorBoot = noClasses().that()
		.resideInAnyPackage("io.distlock.memory..", "io.distlock.redis..", "io.distlock.redlock..",
				"io.distlock.jdbc..", "io.distlock.zookeeper..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.distlock.autoconfigure..", "io.distlock.spring..", "org.springframework.boot..",
				"org.springframework.aop..")
		.because("a store answers commands, whoever sends them");

	@ArchTest
	static final ArchRule storesDoNotKnowEachOther = slices().assignedFrom(new Stores())
		.should()
		.notDependOnEachOther()
		.because("an application has one of them");

	@ArchTest
	static final ArchRule packagesFormNoCycle = slices().assignedFrom(new Packages())
		.should()
		.beFreeOfCycles()
		.because("the API hands requests to the engine and gets handles back; all else points one way");

	@ArchTest
	static final ArchRule everyPackageIsNullMarked = classes().should(beInANullMarkedPackage())
		.because("null is part of every signature");

	@ArchTest
	static final ArchRule autoConfigurationIsFinal = classes().that()
		.areAnnotatedWith(AutoConfiguration.class)
		.should()
		.haveModifier(JavaModifier.FINAL)
		.because("it is wiring, not an API");

	@ArchTest
	static final ArchRule autoConfigurationHasNoPublicMethods = methods().that()
		.areDeclaredInClassesThat()
		.areAnnotatedWith(AutoConfiguration.class)
		.should()
		.notBePublic()
		.allowEmptyShould(true)
		.because("it is wiring, not an API");

	@ArchTest
	static final ArchRule nobodySleeps = noClasses().should()
		.callMethod(Thread.class, "sleep", long.class)
		.because("a sleep hides the condition that is waited for");

	private static ArchCondition<JavaClass> beInANullMarkedPackage() {
		return ArchCondition.from(new DescribedPredicate<>("be in a @NullMarked package") {
			@Override
			public boolean test(JavaClass type) {
				JavaPackage ownPackage = type.getPackage();
				return ownPackage.isAnnotatedWith(NullMarked.class);
			}
		});
	}

	static final class MainClasses implements ImportOption {

		@Override
		public boolean includes(Location location) {
			return !location.contains("/test-classes/") && !location.contains("-tests.jar");
		}

	}

	/** Each store a slice, everything else none. */
	private static final class Stores implements SliceAssignment {

		@Override
		public SliceIdentifier getIdentifierOf(JavaClass type) {
			return STORES.stream()
				.filter((store) -> (type.getPackageName() + ".").startsWith("io.distlock." + store + "."))
				.findFirst()
				.map(SliceIdentifier::of)
				.orElseGet(SliceIdentifier::ignore);
		}

		@Override
		public String getDescription() {
			return "stores";
		}

	}

	/** Each package a slice, but API, SPI, engine and in-memory store are one. */
	private static final class Packages implements SliceAssignment {

		private static final List<String> CORE_NAMES = List.of("io.distlock", "io.distlock.spi", "io.distlock.memory",
				"io.distlock.internal");

		@Override
		public SliceIdentifier getIdentifierOf(JavaClass type) {
			String name = type.getPackageName();
			return SliceIdentifier.of(CORE_NAMES.contains(name) ? "core" : name);
		}

		@Override
		public String getDescription() {
			return "packages";
		}

	}

}
