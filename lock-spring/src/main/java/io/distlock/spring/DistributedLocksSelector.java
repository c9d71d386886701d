package io.distlock.spring;

import java.util.ArrayList;
import java.util.List;

import org.springframework.context.annotation.AdviceMode;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Chooses what {@link EnableDistributedLocks} imports. It names classes as text, because
 * the internal packages depend on this package.
 */
final class DistributedLocksSelector implements ImportSelector {

	private static final String STARTUP = "io.distlock.spring.startup.";

	@Override
	public String[] selectImports(AnnotationMetadata importing) {
		List<String> imports = new ArrayList<>();
		imports.add(STARTUP + "DistributedLockRegistrar");
		imports.add(STARTUP + "DistributedLockConfiguration");
		if (importing.getAnnotations()
			.get(EnableDistributedLocks.class)
			.getEnum("mode", AdviceMode.class) == AdviceMode.ASPECTJ) {
			imports.add(STARTUP + "WeavingConfiguration");
		}
		return imports.toArray(String[]::new);
	}

}
