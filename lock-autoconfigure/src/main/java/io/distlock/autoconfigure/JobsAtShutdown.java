package io.distlock.autoconfigure;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.scheduling.concurrent.ExecutorConfigurationSupport;

/**
 * Ends the jobs that are left when a context closes, before its locks end. By then the
 * executors have waited for their jobs in the phase of their own. Spring ends them a
 * moment later as their settings say, which for most means an interrupt. A job that ends
 * only then could not release its lock any more, and its lock would be taken until the
 * lease ends.
 */
final class JobsAtShutdown implements Runnable, ApplicationListener<ContextClosedEvent> {

	private final ConfigurableApplicationContext context;

	/** Once set, it stays: a closed context does not start again. */
	private volatile boolean closing;

	JobsAtShutdown(ConfigurableApplicationContext context) {
		this.context = context;
		context.addApplicationListener(this);
	}

	@Override
	public void onApplicationEvent(ContextClosedEvent event) {
		// The events of child contexts come here too.
		if (event.getApplicationContext() == this.context) {
			this.closing = true;
		}
	}

	/** Does nothing if the context only stops and may start again. */
	@Override
	public void run() {
		if (!this.closing) {
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
