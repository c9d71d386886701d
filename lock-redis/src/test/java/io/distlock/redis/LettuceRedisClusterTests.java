package io.distlock.redis;

import io.distlock.redis.client.LettuceLinks;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

class LettuceRedisClusterTests extends AbstractRedisClusterTests {

	LettuceRedisClusterTests() {
		super(Client.LETTUCE);
	}

	@Test
	void serverIsNamed() {
		LettuceConnectionFactory factory = (LettuceConnectionFactory) SharedServers.cluster(Client.LETTUCE);
		assertThat(new LettuceLinks(factory).server()).isEqualTo("Redis Cluster");
	}

}
