package io.distlock.adapters.store;

import io.distlock.adapters.AdapterContract;
import io.distlock.adapters.SharedMemory;

import org.junit.jupiter.api.Tag;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

@Tag("ci")
class MemoryAdapterTests extends AdapterContract {

	@Override
	protected ConfigurableApplicationContext start() {
		return start(InOneProcess.class);
	}

	@Import({ Application.class, SharedMemory.class })
	static class InOneProcess {

	}

}
