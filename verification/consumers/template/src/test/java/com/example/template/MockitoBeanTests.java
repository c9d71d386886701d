package com.example.template;

import io.distlock.LockTemplate;
import org.junit.jupiter.api.Nested;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

/** Doubles as with Spring Boot 3.4.3 and later. */
class MockitoBeanTests {

	@Nested
	@MockitoBean(types = RedisConnectionFactory.class)
	class ConnectionsTests extends AbstractDoublesTests.OfConnections {

	}

	@Nested
	@MockitoBean(types = LockTemplate.class)
	class LocksTests extends AbstractDoublesTests.OfTheLocks {

	}

	@Nested
	@MockitoBean(types = InvoiceService.class)
	class ServiceTests extends AbstractDoublesTests.OfTheService {

	}

}
