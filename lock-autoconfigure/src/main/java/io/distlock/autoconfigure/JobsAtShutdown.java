package io.distlock.autoconfigure;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.scheduling.concurrent.ExecutorConfigurationSupport;

/**
 * Ends the jobs that are left when a context closes, before its locks end. By then the
 * executors have waited for their jobs in the phase of their own. Spring ends them a
 * moment later as their settings say, which for most means an interrupt. A job that ends
 * only then could not release its lock any more, and its lock would be taken until the
 * lease ends.
 */
final class JobsAtShutdown implements Runnable {

	private final ConfigurableApplicationContext context;

	JobsAtShutdown(ConfigurableApplicationContext context) {
		this.context = context;
	}

	/** Does nothing if the context only stops and may start again. */
	@Override
	public void run() {
		if (!this.context.isClosed()) {
			return;
		}
		ConfigurableListableBeanFactory beans = this.context.getBeanFactory();
		for (String name : beans.getBeanNamesForType(ExecutorConfigurationSupport.class, false, false)) {
			if (beans.containsSingleton(name)
					&& beans.getSingleton(name) instanceof ExecutorConfigurationSupport jobs) {
				jobs.shutdown();
			}
		}
	}

}
