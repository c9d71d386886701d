package io.distlock.boot.test;

import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/** Tells the locks of the application context when a test begins and ends. */
final class LockTestListener extends AbstractTestExecutionListener {

	private static final String END = LockTestListener.class.getName();

	/**
	 * After a transaction of the test, which may keep locks, and before the context may
	 * be closed.
	 */
	@Override
	public int getOrder() {
		return 3500;
	}

	@Override
	public void beforeTestMethod(TestContext test) {
		if (test.hasApplicationContext()) {
			test.getApplicationContext().getBeanProvider(TestedLocks.class).ifAvailable((locks) -> {
				TestRun run = locks.begin();
				Object outer = test.getAttribute(END);
				test.setAttribute(END, (Runnable) () -> {
					test.setAttribute(END, outer);
					locks.end(run);
				});
			});
		}
	}

	@Override
	public void afterTestMethod(TestContext test) {
		if (test.removeAttribute(END) instanceof Runnable end) {
			end.run();
		}
	}

}
