package io.distlock.adapters;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

class MemoryAdapterTests extends AdapterContract {

	@Override
	protected ConfigurableApplicationContext start() {
		return start(InOneProcess.class);
	}

	@Import({ Application.class, SharedMemory.class })
	static class InOneProcess {

	}

}
