package io.distlock.test.redis;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class PortBlockTests {

	@Test
	void reserveWhenAnotherHasItsBlockThenTheirPortsDiffer() throws IOException {
		PortBlock one = PortBlock.reserve();
		PortBlock other = PortBlock.reserve();
		Set<Integer> ports = new HashSet<>(all(one));
		ports.addAll(all(other));
		assertThat(ports).hasSize(2 * (PortBlock.SIZE - 1)).allMatch((port) -> port > 12_000 && port < 22_000);
		one.release();
		other.release();
	}

	@Test
	void findWhenPortsAreTakenThenPassesThemOver() throws IOException {
		PortBlock block = PortBlock.reserve();
		int free = block.find((port) -> true);
		assertThat(block.find((port) -> port == free)).isEqualTo(free);
		assertThatIllegalStateException().isThrownBy(() -> block.find((port) -> false))
			.withMessageContaining("No free port from ");
		block.release();
	}

	private static List<Integer> all(PortBlock block) {
		List<Integer> ports = new ArrayList<>();
		for (int i = 1; i < PortBlock.SIZE; i++) {
			ports.add(block.find((port) -> true));
		}
		return ports;
	}

}
