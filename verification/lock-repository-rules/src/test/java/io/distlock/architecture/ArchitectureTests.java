package io.distlock.architecture;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import io.distlock.redis.protocol.RedisFailure;
import io.distlock.spring.definition.LockAttributes;
import io.distlock.support.ForeignText;
import io.distlock.support.KeyText;
import org.jspecify.annotations.NullMarked;

import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.boot.autoconfigure.AutoConfiguration;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The boundaries between the modules and between their packages, as
 * {@code docs/architecture.md} draws them. All modules are on this module's class path.
 */
@AnalyzeClasses(packages = "io.distlock", importOptions = ArchitectureTests.MainClasses.class)
class ArchitectureTests {

	private static final int MAX_TYPES_OF_A_CYCLE = 3;

	private static final double LEAST_PERCENT_OF_FINAL_FIELDS = 85;

	private static final Rooms ROOMS = new Rooms()
		// lock-core
		.room("io.distlock.support")
		.room("io.distlock", "io.distlock.support")
		.room("io.distlock.spi", "io.distlock", "io.distlock.support")
		.room("io.distlock.observe", "io.distlock", "io.distlock.support")
		.room("io.distlock.operations", "io.distlock", "io.distlock.spi", "io.distlock.support")
		.room("io.distlock.leader", "io.distlock", "io.distlock.spi", "io.distlock.support")
		.room("io.distlock.stores", "io.distlock", "io.distlock.operations", "io.distlock.spi", "io.distlock.support")
		// The engine of lock-core, from below to above
		.room("io.distlock.internal.time", "io.distlock", "io.distlock.spi", "io.distlock.support")
		.room("io.distlock.internal.observe", "io.distlock", "io.distlock.observe", "io.distlock.support")
		.room("io.distlock.internal.monitor", "io.distlock", "io.distlock.internal.time")
		.room("io.distlock.internal.outage", "io.distlock", "io.distlock.spi", "io.distlock.support",
				"io.distlock.observe", "io.distlock.internal.observe", "io.distlock.internal.time",
				"io.distlock.internal.monitor")
		.room("io.distlock.internal.lease", "io.distlock", "io.distlock.spi", "io.distlock.internal.time")
		.room("io.distlock.internal.hold", "io.distlock", "io.distlock.spi", "io.distlock.support",
				"io.distlock.internal.observe", "io.distlock.internal.time", "io.distlock.internal.lease")
		.room("io.distlock.internal.context", "io.distlock", "io.distlock.spi", "io.distlock.support",
				"io.distlock.observe", "io.distlock.internal.observe", "io.distlock.internal.time",
				"io.distlock.internal.monitor", "io.distlock.internal.outage", "io.distlock.internal.hold")
		.room("io.distlock.internal.waiting", "io.distlock", "io.distlock.spi", "io.distlock.observe",
				"io.distlock.internal.observe", "io.distlock.internal.time", "io.distlock.internal.monitor",
				"io.distlock.internal.hold", "io.distlock.internal.context")
		.room("io.distlock.internal.ownership", "io.distlock", "io.distlock.spi", "io.distlock.support",
				"io.distlock.internal.observe", "io.distlock.internal.time", "io.distlock.internal.monitor",
				"io.distlock.internal.lease", "io.distlock.internal.hold", "io.distlock.internal.context",
				"io.distlock.internal.waiting")
		.room("io.distlock.internal.request", "io.distlock", "io.distlock.spi", "io.distlock.support",
				"io.distlock.observe", "io.distlock.internal.observe", "io.distlock.internal.time",
				"io.distlock.internal.monitor", "io.distlock.internal.outage", "io.distlock.internal.lease",
				"io.distlock.internal.hold", "io.distlock.internal.context", "io.distlock.internal.waiting")
		.room("io.distlock.internal.key", "io.distlock", "io.distlock.spi", "io.distlock.support",
				"io.distlock.observe", "io.distlock.internal.monitor", "io.distlock.internal.outage",
				"io.distlock.internal.lease", "io.distlock.internal.hold", "io.distlock.internal.context",
				"io.distlock.internal.waiting", "io.distlock.internal.ownership", "io.distlock.internal.request")
		.room("io.distlock.internal", "io.distlock", "io.distlock.spi", "io.distlock.support", "io.distlock.observe",
				"io.distlock.operations", "io.distlock.internal.observe", "io.distlock.internal.time",
				"io.distlock.internal.monitor", "io.distlock.internal.hold", "io.distlock.internal.context",
				"io.distlock.internal.waiting", "io.distlock.internal.ownership", "io.distlock.internal.request",
				"io.distlock.internal.key")
		.room("io.distlock.engine", "io.distlock", "io.distlock.spi", "io.distlock.observe", "io.distlock.internal")
		// lock-records
		.room("io.distlock.records.place", "io.distlock", "io.distlock.spi", "io.distlock.support")
		.room("io.distlock.records.state", "io.distlock", "io.distlock.spi", "io.distlock.support",
				"io.distlock.records.place")
		.room("io.distlock.memory", "io.distlock", "io.distlock.spi", "io.distlock.records.place",
				"io.distlock.records.state")
		.room("io.distlock.records", "io.distlock", "io.distlock.spi", "io.distlock.support",
				"io.distlock.records.place", "io.distlock.records.state")
		// lock-redis
		.room("io.distlock.redis.protocol", "io.distlock", "io.distlock.spi", "io.distlock.support")
		.room("io.distlock.redis.client", "io.distlock.spi", "io.distlock.support", "io.distlock.redis.protocol")
		.room("io.distlock.redis.lettuce", "io.distlock", "io.distlock.spi", "io.distlock.support",
				"io.distlock.redis.client", "io.distlock.redis.protocol")
		.room("io.distlock.redis.pooled", "io.distlock", "io.distlock.spi", "io.distlock.support",
				"io.distlock.redis.client", "io.distlock.redis.protocol")
		.room("io.distlock.redis.connect", "io.distlock", "io.distlock.redis.client", "io.distlock.redis.lettuce",
				"io.distlock.redis.pooled", "io.distlock.redis.protocol")
		.room("io.distlock.redis", "io.distlock", "io.distlock.spi", "io.distlock.support", "io.distlock.redis.client",
				"io.distlock.redis.connect", "io.distlock.redis.pooled", "io.distlock.redis.protocol")
		// lock-redlock
		.room("io.distlock.redlock", "io.distlock", "io.distlock.spi", "io.distlock.support", "io.distlock.redis",
				"io.distlock.redis.client", "io.distlock.redis.connect", "io.distlock.redis.protocol")
		// lock-jdbc
		.room("io.distlock.jdbc", "io.distlock", "io.distlock.spi", "io.distlock.support", "io.distlock.records",
				"io.distlock.records.place")
		// lock-zookeeper
		.room("io.distlock.zookeeper", "io.distlock", "io.distlock.spi", "io.distlock.support", "io.distlock.records",
				"io.distlock.records.place")
		// lock-spring
		.room("io.distlock.spring", "io.distlock", "io.distlock.support")
		.room("io.distlock.spring.event", "io.distlock", "io.distlock.observe", "io.distlock.operations")
		.room("io.distlock.spring.fencing", "io.distlock", "io.distlock.support")
		.room("io.distlock.spring.integration", "io.distlock", "io.distlock.support")
		.room("io.distlock.spring.shedlock", "io.distlock")
		.room("io.distlock.spring.definition", "io.distlock", "io.distlock.observe", "io.distlock.support",
				"io.distlock.spring")
		.room("io.distlock.spring.intercept", "io.distlock", "io.distlock.observe", "io.distlock.support",
				"io.distlock.spring", "io.distlock.spring.definition")
		.room("io.distlock.spring.reactive", "io.distlock", "io.distlock.support", "io.distlock.spring.intercept")
		.room("io.distlock.spring.startup", "io.distlock", "io.distlock.spi", "io.distlock.support",
				"io.distlock.spring", "io.distlock.spring.definition", "io.distlock.spring.intercept",
				"io.distlock.stores")
		// lock-autoconfigure
		.room("io.distlock.autoconfigure", "io.distlock", "io.distlock.observe", "io.distlock.operations",
				"io.distlock.spi", "io.distlock.engine", "io.distlock.memory", "io.distlock.support",
				"io.distlock.stores", "io.distlock.spring", "io.distlock.spring.event", "io.distlock.spring.intercept",
				"io.distlock.spring.reactive", "io.distlock.spring.startup")
		.room("io.distlock.autoconfigure.redis", "io.distlock", "io.distlock.spi", "io.distlock.support",
				"io.distlock.autoconfigure", "io.distlock.redis", "io.distlock.redlock")
		.room("io.distlock.autoconfigure.jdbc", "io.distlock", "io.distlock.spi", "io.distlock.support",
				"io.distlock.autoconfigure", "io.distlock.jdbc", "io.distlock.spring")
		.room("io.distlock.autoconfigure.zookeeper", "io.distlock", "io.distlock.spi", "io.distlock.autoconfigure",
				"io.distlock.zookeeper")
		.room("io.distlock.autoconfigure.leader", "io.distlock.leader", "io.distlock.spring.event")
		.room("io.distlock.autoconfigure.health", "io.distlock", "io.distlock.leader", "io.distlock.observe",
				"io.distlock.operations", "io.distlock.stores", "io.distlock.support", "io.distlock.autoconfigure")
		.room("io.distlock.autoconfigure.tracing", "io.distlock", "io.distlock.observe", "io.distlock.support",
				"io.distlock.autoconfigure")
		.room("io.distlock.autoconfigure.actuate", "io.distlock", "io.distlock.leader", "io.distlock.spi",
				"io.distlock.support", "io.distlock.operations", "io.distlock.spring.startup",
				"io.distlock.autoconfigure")
		.room("io.distlock.autoconfigure.integration", "io.distlock", "io.distlock.spring.integration",
				"io.distlock.autoconfigure")
		.room("io.distlock.autoconfigure.shedlock", "io.distlock", "io.distlock.spring.shedlock",
				"io.distlock.autoconfigure")
		.room("io.distlock.autoconfigure.diagnostics", "io.distlock.spring", "io.distlock.autoconfigure")
		.room("io.distlock.autoconfigure.web", "io.distlock", "io.distlock.autoconfigure")
		// lock-aspectj
		.room("io.distlock.aspectj", "io.distlock.spring.intercept")
		// lock-spring-boot-test
		.room("io.distlock.boot.test", "io.distlock", "io.distlock.autoconfigure", "io.distlock.observe",
				"io.distlock.operations", "io.distlock.spi", "io.distlock.support")
		// lock-migration
		.room("io.distlock.migration", "io.distlock", "io.distlock.spi", "io.distlock.support",
				"io.distlock.autoconfigure", "io.distlock.autoconfigure.jdbc", "io.distlock.autoconfigure.redis")
		// lock-test
		.room("io.distlock.test", "io.distlock", "io.distlock.engine", "io.distlock.operations", "io.distlock.spi")
		.room("io.distlock.test.records", "io.distlock.records.place")
		.room("io.distlock.test.redis")
		.room("io.distlock.output")
		.room("io.distlock.databases", "io.distlock.test.redis")
		.room("io.distlock.browser", "io.distlock.databases", "io.distlock.test.redis")
		// lock-sample-app
		.room("io.distlock.sample..", "io.distlock", "io.distlock.spring", "io.distlock.redis",
				"io.distlock.test.redis")
		// lock-lab
		.room("io.distlock.lab..", "io.distlock", "io.distlock.engine", "io.distlock.observe", "io.distlock.spi",
				"io.distlock.spring", "io.distlock.redis", "io.distlock.redlock", "io.distlock.jdbc",
				"io.distlock.zookeeper", "io.distlock.test.redis");

	@ArchTest
	void everyRoomAndEveryPermissionIsUsed(JavaClasses classes) {
		assertThat(ROOMS.unused(classes)).isEmpty();
	}

	@ArchTest
	static final ArchRule packagesKnowOnlyThoseBelow = classes().should(ROOMS.respected())
		.because("sample → starter → autoconfigure → spring → core ← stores, and each package is a room with one door");

	@ArchTest
	static final ArchRule packagesFormNoCycle = slices().matching("(io.distlock..)").should().beFreeOfCycles();

	@ArchTest
	void typesFormNoLargeCycle(JavaClasses classes) {
		List<Set<String>> cycles = new TypeGraph(classes).cycles();
		assertThat(cycles).as("types that all need each other")
			.allSatisfy((types) -> assertThat(types).hasSizeLessThanOrEqualTo(MAX_TYPES_OF_A_CYCLE));
	}

	@ArchTest
	static final ArchRule coreNeedsNoFramework = classes()
		.that(belongTo("io.distlock", "io.distlock.support", "io.distlock.spi", "io.distlock.memory",
				"io.distlock.engine", "io.distlock.observe", "io.distlock.operations", "io.distlock.leader",
				"io.distlock.records", "io.distlock.records.place", "io.distlock.records.state",
				"io.distlock.internal"))
		.should()
		.onlyDependOnClassesThat()
		.resideInAnyPackage("io.distlock..", "java..", "org.slf4j..", "org.jspecify.annotations..",
				"com.google.errorprone.annotations..")
		.because("the lock must work in any Java program, and only the compiler reads annotations");

	@ArchTest
	static final ArchRule onlyStoreAndItsWiringKnowRedis = noClasses().that()
		.resideInAnyPackage("io.distlock.spring..", "io.distlock.aspectj..", "io.distlock.autoconfigure")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework.data..", "io.lettuce..", "redis.clients..")
		.because("the annotation works with any store");

	@ArchTest
	static final ArchRule storesKnowNeitherAnnotationNorBoot = noClasses().that()
		.resideInAnyPackage("io.distlock.redis..", "io.distlock.redlock..", "io.distlock.jdbc..",
				"io.distlock.zookeeper..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework.boot..", "org.springframework.aop..")
		.because("a store works without the annotation and without Spring Boot");

	@ArchTest
	static final ArchRule stateOfWiringIsFinal = fields().that()
		.areDeclaredInClassesThat(
				resideInAnyPackage("io.distlock.spring..", "io.distlock.autoconfigure..", "io.distlock.aspectj..")
					.and(not(visitClassFiles())))
		.and()
		.doNotHaveModifier(JavaModifier.VOLATILE)
		.should()
		.beFinal()
		.because("many threads share it");

	/** What objects consist of: without constants and without what the compiler adds. */
	@ArchTest
	void mostFieldsAreFinal(JavaClasses classes) {
		Map<Boolean, Long> fields = classes.stream()
			.filter(arePublished())
			.flatMap((type) -> type.getFields().stream())
			.filter((field) -> !field.getModifiers().contains(JavaModifier.STATIC)
					&& !field.getModifiers().contains(JavaModifier.SYNTHETIC))
			.collect(Collectors.partitioningBy((field) -> field.getModifiers().contains(JavaModifier.FINAL),
					Collectors.counting()));
		assertThat(100.0 * fields.get(true) / (fields.get(true) + fields.get(false)))
			.as("percent of final fields, %s", fields)
			.isGreaterThanOrEqualTo(LEAST_PERCENT_OF_FINAL_FIELDS);
	}

	@ArchTest
	static final ArchRule everyPackageIsNullMarked = classes().should(beInANullMarkedPackage())
		.because("null is part of every signature");

	@ArchTest
	static final ArchRule autoConfigurationIsFinal = classes().that()
		.areAnnotatedWith(AutoConfiguration.class)
		.should()
		.haveModifier(JavaModifier.FINAL)
		.andShould()
		.bePublic()
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

	@ArchTest
	static final ArchRule textFromElsewhereIsReadInOnePlace = noClasses().that(arePublished())
		.and(not(belongToAnyOf(ForeignText.class)))
		.should()
		.callMethodWhere(readsForeignText())
		.because(
				"thread names and messages of other libraries may forge log lines: ForeignText escapes and bounds them");

	@ArchTest
	void everyRecordOfAKeyEscapesIt(JavaClasses classes) {
		assertThat(classes.stream()
			// Its key is an expression of the application's own code; that of properties
			// is a pattern of its settings.
			.filter((type) -> !type.isEquivalentTo(LockAttributes.class))
			.filter((type) -> !type
				.isAnnotatedWith("org.springframework.boot.context.properties.ConfigurationProperties"))
			// Those of the lab are its own constants, and go to its page only.
			.filter((type) -> !type.getPackageName().startsWith("io.distlock.lab."))
			.filter((type) -> type.isRecord() && type.getModifiers().contains(JavaModifier.PUBLIC))
			.filter((type) -> type.tryGetField("key").isPresent() || type.tryGetField("keys").isPresent())
			.filter((type) -> !type.getMethod("toString")
				.getMethodCallsFromSelf()
				.stream()
				.anyMatch((call) -> call.getTargetOwner().isEquivalentTo(KeyText.class)))
			.map(JavaClass::getName)).as("records whose toString has the key as it is").isEmpty();
	}

	/**
	 * Quotes are where messages have keys and names. Names of the application's own code
	 * and settings are trusted; add to the list of {@link SourceTexts} only those.
	 */
	@ArchTest
	void everyQuotedKeyIsEscaped(JavaClasses classes) {
		assertThat(SourceTexts.read().rawKeys()).as("keys and names in messages as they are").isEmpty();
	}

	private static DescribedPredicate<JavaClass> arePublished() {
		return DescribedPredicate.describe("are published for use in production", (type) -> !type.getPackageName()
			.matches("io\\.distlock\\.(test|boot\\.test|sample|lab|output|databases|browser)(\\..*)?"));
	}

	/** A visitor reads one class file, on one thread. */
	private static DescribedPredicate<JavaClass> visitClassFiles() {
		return assignableTo(ClassVisitor.class).or(assignableTo(MethodVisitor.class));
	}

	private static DescribedPredicate<JavaMethodCall> readsForeignText() {
		return DescribedPredicate.describe("reads the name of a thread, or a message that is not ours", (call) -> {
			JavaClass owner = call.getTargetOwner();
			boolean name = call.getName().equals("getName") && owner.isAssignableTo(Thread.class);
			// What is classified is not shown.
			boolean classified = call.getOriginOwner().isEquivalentTo(RedisFailure.class);
			boolean message = Set.of("getMessage", "getLocalizedMessage").contains(call.getName())
					&& owner.isAssignableTo(Throwable.class) && !owner.getPackageName().startsWith("io.distlock");
			return name || (message && !classified);
		});
	}

	private static DescribedPredicate<JavaClass> belongTo(String... packages) {
		return DescribedPredicate.describe("belong to " + List.of(packages),
				(type) -> List.of(packages).contains(type.getPackageName())
						|| type.getPackageName().startsWith("io.distlock.internal."));
	}

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

		/** Not what Spring generates for the sample either. */
		@Override
		public boolean includes(Location location) {
			return !location.contains("/test-classes/") && !location.contains("-tests.jar") && !location.contains("__");
		}

	}

}
