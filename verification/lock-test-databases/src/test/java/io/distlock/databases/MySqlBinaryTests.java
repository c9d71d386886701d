package io.distlock.databases;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class MySqlBinaryTests {

	@Test
	void otherMachineIsNamed() {
		MySqlBinary binary = MySqlBinary.unpack("Mac OS X aarch64", List.of());
		assertThat(binary.problem()).get().asString().contains("Linux on amd64 only, not for Mac OS X aarch64");
		assertThatIllegalStateException().isThrownBy(binary::command).withMessageContaining("does not run here");
	}

	@Test
	@NeedsMySql
	void renamedLibraryIsUsedWhereTheOldNameIsMissing(@TempDir Path libraries) throws IOException {
		Path renamed = Files.createFile(libraries.resolve("libaio.so.1t64"));
		MySqlBinary binary = MySqlBinary.unpack("Linux amd64", List.of(libraries));
		assertThat(binary.problem()).as("an empty library was loaded, so the server cannot start")
			.get()
			.asString()
			.contains("libaio.so.1: file too short", "install libaio1 (libaio1t64 on ", "libnuma1");
		Files.createSymbolicLink(libraries.resolve("libaio.so.1"), renamed);
		assertThat(MySqlBinary.unpack("Linux amd64", List.of(libraries)).problem()).as("the system's own").isEmpty();
	}

	@Test
	void conditionHasTheReason() {
		Optional<String> problem = MySqlBinary.unpack("Linux riscv64", List.of()).problem();
		assertThat(NeedsMySql.Condition.evaluate(Optional.empty(), "required").isDisabled()).isFalse();
		assertThat(NeedsMySql.Condition.evaluate(problem, "optional").getReason()).get()
			.asString()
			.endsWith(problem.orElseThrow());
		assertThatIllegalStateException().isThrownBy(() -> NeedsMySql.Condition.evaluate(problem, "required"))
			.withMessageContaining("not for Linux riscv64");
	}

}
