package io.distlock;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import org.springframework.boot.autoconfigure.AutoConfiguration;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

@AnalyzeClasses(packages = "io.distlock", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	static final ArchRule annotationKnowsNothingOfBoot = noClasses().that()
		.resideInAPackage("io.distlock.spring")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework.boot..", "io.distlock.autoconfigure..", "io.distlock.redis..",
				"io.distlock.redlock..");

	@ArchTest
	static final ArchRule onlyTheRedisWiringKnowsRedis = noClasses().that()
		.resideInAnyPackage("io.distlock.spring", "io.distlock.autoconfigure")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework.data..", "io.distlock.redis..", "io.distlock.redlock..");

	@ArchTest
	static final ArchRule internalsStayInternal = noClasses().that()
		.resideInAnyPackage("io.distlock.spring", "io.distlock.autoconfigure..")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("io.distlock.internal..");

	@ArchTest
	static final ArchRule autoConfigurationsArePublicAndFinal = classes().that()
		.areAnnotatedWith(AutoConfiguration.class)
		.should()
		.bePublic()
		.andShould()
		.haveModifier(JavaModifier.FINAL);

	@ArchTest
	static final ArchRule autoConfigurationsHaveNoPublicMethods = methods().that()
		.areDeclaredInClassesThat()
		.areAnnotatedWith(AutoConfiguration.class)
		.should()
		.notBePublic();

	@ArchTest
	static final ArchRule packagesAreFreeOfCycles = slices().matching("io.distlock.(spring|autoconfigure..)")
		.should()
		.beFreeOfCycles();

	@ArchTest
	static final ArchRule stateIsFinal = fields().that()
		.areDeclaredInClassesThat()
		.resideInAnyPackage("io.distlock.spring", "io.distlock.autoconfigure..")
		.and()
		.doNotHaveModifier(JavaModifier.VOLATILE)
		.should()
		.beFinal();

}
