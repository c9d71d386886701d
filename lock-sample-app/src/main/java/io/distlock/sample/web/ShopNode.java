package io.distlock.sample.web;

import java.io.IOException;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Names this node in each answer. */
@Component
class ShopNode extends OncePerRequestFilter {

	private static final String HEADER = "X-Shop-Node";

	private final String name;

	ShopNode(@Value("${spring.application.name}") String name) {
		this.name = name;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		response.setHeader(HEADER, this.name);
		chain.doFilter(request, response);
	}

}
