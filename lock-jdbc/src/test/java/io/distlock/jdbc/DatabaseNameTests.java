package io.distlock.jdbc;

import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class DatabaseNameTests {

	@ParameterizedTest
	@CsvSource(delimiter = ' ', textBlock = """
			jdbc:postgresql://db-1:5432/jobs?user=u&password=secret jdbc:postgresql://db-1:5432/jobs
			jdbc:postgresql://db-1:5432,db-2:5432/jobs jdbc:postgresql://db-1:5432,db-2:5432/jobs
			jdbc:postgresql://[::1]:5432/jobs jdbc:postgresql://[::1]:5432/jobs
			jdbc:postgresql:///jobs jdbc:postgresql:///jobs
			jdbc:mysql://u:secret@db-1/jobs jdbc:mysql://db-1/jobs
			jdbc:mysql://u:se@secret@db-1/jobs jdbc:mysql://db-1/jobs
			jdbc:mysql://u:?secret@db-1/jobs jdbc:mysql://…
			jdbc:mysql://u?secret@db-1/jobs jdbc:mysql://…
			jdbc:mysql://address=(host=db-1)(password=secret)/jobs jdbc:mysql://…
			jdbc:sqlserver://db-1:1433;databaseName=jobs;password=secret jdbc:sqlserver://db-1:1433
			jdbc:oracle:thin:u/secret@//db-1:1521/jobs jdbc:oracle:…
			jdbc:oracle:thin:u/secret@db-1:1521:jobs jdbc:oracle:…
			jdbc:h2:mem:jobs;USER=u;PASSWORD=secret jdbc:h2:mem:jobs
			jdbc:h2:tcp://db-1/~/jobs;PASSWORD=secret jdbc:h2:tcp://db-1/~/jobs
			""")
	void secretsAreLeftOut(String url, String shown) {
		assertThat(DatabaseName.withoutSecrets(url)).isEqualTo(shown).doesNotContain("secret");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "?", ";", "@", "//", "//@", "a://b@c@", "jdbc:", ":", "jdbc:x:@" })
	void anyTextIsShown(String url) {
		assertThat(DatabaseName.withoutSecrets(url)).isNotNull();
	}

	@Test
	void lineBreaksAreEscapedAndLongNamesCut() {
		assertThat(DatabaseName.withoutSecrets("jdbc:postgresql://db-1/a\nb")).doesNotContain("\n");
		assertThat(DatabaseName.withoutSecrets("jdbc:postgresql://db-1/" + "a".repeat(5000)).length()).isLessThan(500);
	}

	@Test
	void nameSaysIfNoOtherProcessSeesTheDatabase() {
		DatabaseName name = new DatabaseName("distributed_lock");
		assertThat(name).hasToString("table distributed_lock");
		name.expect(Optional.of("jdbc:h2:mem:5f;DB_CLOSE_DELAY=-1"));
		assertThat(name).hasToString("table distributed_lock of jdbc:h2:mem:5f (in the memory of this process)");
	}

}
