package com.example.lock.file;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

import io.distlock.autoconfigure.ConditionalOnDistributedLockEnabled;
import io.distlock.autoconfigure.LockAutoConfiguration;
import io.distlock.autoconfigure.LockStoreFactory;

/** All that a module has to declare for its type of store. */
@AutoConfiguration(before = LockAutoConfiguration.class)
@ConditionalOnDistributedLockEnabled
@EnableConfigurationProperties(FileLockProperties.class)
public final class FileLockAutoConfiguration {

	@Bean
	LockStoreFactory fileLockStoreFactory() {
		return new FileLockStoreFactory();
	}

}
