package io.distlock.lab.web;

import java.io.IOException;
import java.util.Locale;
import java.util.Set;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses requests for another host than this machine. A page of a foreign site can give
 * its own name the address of this machine (DNS rebinding), and the laboratory starts and
 * kills processes.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class LocalRequests extends OncePerRequestFilter {

	private static final Set<String> HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		if (HOSTS.contains(request.getServerName().toLowerCase(Locale.ROOT))) {
			chain.doFilter(request, response);
		}
		else {
			response.sendError(HttpStatus.FORBIDDEN.value());
		}
	}

}
