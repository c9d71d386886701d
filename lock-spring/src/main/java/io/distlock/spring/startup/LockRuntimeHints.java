package io.distlock.spring.startup;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;
import io.distlock.LockOptions;
import io.distlock.spring.definition.KeyRoot;

/**
 * Registers what each native image must contain. {@link LockedBeanAotProcessor} adds what
 * depends on beans.
 */
final class LockRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("io/distlock/spring/fencing/*.sql").registerPattern("io/distlock/jdbc/*.sql");
		// Spring reads an annotation that is composed of these through a proxy.
		hints.proxies().registerJdkProxy(DistributedLock.class).registerJdkProxy(DistributedSemaphore.class);
		// AliasCheck compares their attributes with those of annotations of the
		// application.
		hints.reflection()
			.registerType(DistributedLock.class, MemberCategory.INVOKE_DECLARED_METHODS)
			.registerType(DistributedSemaphore.class, MemberCategory.INVOKE_DECLARED_METHODS);
		// Keys read this type as #root.
		hints.reflection().registerType(KeyRoot.class, MemberCategory.INVOKE_PUBLIC_METHODS);
		// SettingText reads the components of this record.
		hints.reflection().registerType(LockOptions.class, MemberCategory.INVOKE_PUBLIC_METHODS);
		// LockTemplateLockRegistry looks for it by name, because Spring Integration 6
		// lacks it.
		hints.reflection()
			.registerTypeIfPresent(classLoader, "org.springframework.integration.support.locks.DistributedLock");
		// Looked up by name, because Java 17 lacks it.
		hints.reflection()
			.registerType(TypeReference.of(Thread.class),
					(thread) -> thread.withMethod("isVirtual", List.of(), ExecutableMode.INVOKE));
	}

}
