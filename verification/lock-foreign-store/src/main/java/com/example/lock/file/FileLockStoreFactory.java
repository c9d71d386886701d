package com.example.lock.file;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.autoconfigure.LockStoreFactory;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spi.DelegatingLockStore;

/** Makes stores that share what is in a folder; here the folders are in memory. */
final class FileLockStoreFactory implements LockStoreFactory {

	private static final Map<String, InMemoryLockServer> FOLDERS = new ConcurrentHashMap<>();

	@Override
	public String type() {
		return "file";
	}

	@Override
	public CreatedStore create(Definition definition) {
		String folder = definition.bind("file", FileLockProperties.class).folder();
		if (folder.isEmpty()) {
			throw new LockConfigurationException("The property " + definition.path() + "file.folder is not set.",
					"Set it to the folder that the processes share.");
		}
		InMemoryLockServer files = FOLDERS.computeIfAbsent(folder, (each) -> new InMemoryLockServer());
		return new CreatedStore(new DelegatingLockStore(new InMemoryLockStore(files)) {

			@Override
			public String describe() {
				return "folder " + folder;
			}

		});
	}

}
