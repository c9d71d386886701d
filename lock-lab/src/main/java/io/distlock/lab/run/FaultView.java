package io.distlock.lab.run;

import java.util.Arrays;
import java.util.List;

import io.distlock.lab.strategy.Text;

/**
 * A fault as readers see it.
 *
 * @param id its name in addresses
 * @param title its name for readers
 * @param text what happens
 */
public record FaultView(String id, Text title, Text text) {

	/**
	 * Describes all faults.
	 * @return the faults
	 */
	public static List<FaultView> all() {
		return Arrays.stream(Fault.values())
			.map((fault) -> new FaultView(fault.id(), fault.title(), fault.text()))
			.toList();
	}

}
