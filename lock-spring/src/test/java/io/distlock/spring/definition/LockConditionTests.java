package io.distlock.spring.definition;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import io.distlock.spring.LockConditionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A call runs without its lock only if its values say so, and not for want of a value.
 */
class LockConditionTests {

	private static final Order ORDER = new Order(5, new BigDecimal("100.0"), "open", true, null);

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			"#none > 100"                                  | compares #none, which is null
			"100 < #none"                                  | compares #none, which is null
			"#none <= 100"                                 | compares #none, which is null
			"#order.note >= 'a'"                           | compares #order.note, which is null
			"#order?.note == 'a'"                          | compares #order?.note, which is null
			"#none?.note == 'a'"                           | compares #none?.note, which is null
			"#none == 'a'"                                 | compares #none, which is null
			"#none != 'a'"                                 | compares #none, which is null
			"#order.count > 1 and #none > 1"               | compares #none, which is null
			"#order.count > 9 or #none > 1"                | compares #none, which is null
			"!(#none > 1)"                                 | compares #none, which is null
			"#order.count > 1 ? #none > 1 : true"          | compares #none, which is null
			"#order.note ?: (#none > 1)"                   | compares #none, which is null
			"#none == null and #order.note == 'a'"         | compares #order.note, which is null
			"#map['x'] > 1"                                | compares #map['x'], which is null
			"#list[1] > 1"                                 | compares #list[1], which is null
			"#list.?[#this > 1].size() > 0"                | compares null with 1
			"#list.![#this > 1].contains(true)"            | compares #this, which is null
			"#none between {1, 5}"                         | compares null with 1
			"#none"                                        | evaluated to null, which is neither true nor false
			"#none and true"                               | asks whether #none is true, but it is null
			"!#none"                                       | asks whether #none is true, but it is null
			"#none ? true : false"                         | asks whether #none is true, but it is null
			"(#none + 1) > 5"                              | has a part that is null: #none
			"#none.length() > 1"                           | could not be evaluated: EL1011E
			""")
	void evaluateWhenAValueIsNullThenFailsAndNamesIt(String condition, String reason) {
		assertThatExceptionOfType(LockConditionException.class).isThrownBy(() -> evaluate(condition))
			.withMessageContaining("condition '" + condition + "' " + reason)
			.satisfies((ex) -> assertThat(ex.expression()).isEqualTo(condition));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			"#none != null and #none > 1"                  | false
			"#none == null or #none > 1"                   | true
			"null == #none"                                | true
			"#none?.note == null"                          | true
			"#none?.note != null && #none.note == 'a'"     | false
			"(#none ?: 5) > 1"                             | true
			"(#none?.count ?: 0) > 1"                      | false
			"#none == null ? true : #none > 1"             | true
			"#none instanceof T(String)"                   | false
			"'a'.equals(#none)"                            | false
			"#order.count > 4 and not (#order.count > 5)"  | true
			"#order.count == 5 AND #order.count != 6"      | true
			"#order.count == 5L and #order.count == 5.0"   | true
			"#order.total == 100 and #order.total >= 100"  | true
			"#order.total > 99.5 and #order.total < 100.5" | true
			"#order.total <= 99"                           | false
			"#order.state == 'open' and #order.state > 'o'" | true
			"#order.state < 'p' and #order.state != 'x'"   | true
			"#order.urgent"                                | true
			"!#order.urgent"                               | false
			"#order.urgent == true"                        | true
			"#order.count between {1, 5}"                  | true
			"#order.state matches 'o.*'"                   | true
			"#list.?[#this != null and #this > 1].size() > 0" | true
			"#list.contains(null)"                         | true
			"T(java.util.Objects).nonNull(#none)"          | false
			"T(java.util.Objects).toString(#none) == 'null'" | true
			"#builder == 'open' and #builder > 'o'"        | true
			""")
	void evaluateWhenNullIsAskedForThenAsSpelSays(String condition, boolean needed) {
		assertThat(evaluate(condition)).isEqualTo(needed);
	}

	private boolean evaluate(String condition) {
		LockedMethodId id = new LockedMethodId(Service.class.getMethods()[0]);
		List<@Nullable Object> list = new ArrayList<>(Arrays.asList(2, null));
		return new KeyExpressions(this.beans).condition(condition, id)
			.evaluate("target", new Object[] { ORDER, null, Map.of(), list, new StringBuilder("open") });
	}

	interface Service {

		void run(Order order, @Nullable Object none, Map<String, Integer> map, List<Integer> list,
				StringBuilder builder);

	}

	record Order(int count, BigDecimal total, String state, boolean urgent, @Nullable String note) {

	}

}
