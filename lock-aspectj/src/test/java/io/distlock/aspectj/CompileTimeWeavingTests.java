package io.distlock.aspectj;

import java.io.File;
import java.nio.file.Path;
import java.util.List;

import org.aspectj.bridge.IMessage;
import org.aspectj.bridge.MessageHandler;
import org.aspectj.tools.ajc.Main;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The AspectJ compiler weaves class files; no agent runs. */
class CompileTimeWeavingTests extends AbstractWeavingTests {

	@TempDir
	private static Path woven;

	@Override
	protected List<String> runScenarios() throws Exception {
		weave(locationOf(WovenBeans.class), locationOf(DistributedLockAspect.class), woven);
		return run(woven + File.pathSeparator, List.of());
	}

	private static String locationOf(Class<?> type) throws Exception {
		return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
	}

	/** What a build plugin does. */
	private static void weave(String classes, String aspects, Path target) {
		MessageHandler messages = new MessageHandler();
		new Main().run(new String[] { "-17", "-proc:none", "-inpath", classes, "-aspectpath", aspects, "-classpath",
				System.getProperty("java.class.path"), "-d", target.toString() }, messages);
		assertThat(messages.getMessages(IMessage.ERROR, true)).isEmpty();
	}

}
