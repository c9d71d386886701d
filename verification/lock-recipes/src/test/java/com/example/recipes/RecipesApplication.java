package com.example.recipes;

import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.repeat.RepeatStatus;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.quartz.SchedulerFactoryBean;
import org.springframework.scheduling.quartz.SpringBeanJobFactory;
import org.springframework.transaction.PlatformTransactionManager;

import io.distlock.LockContext;

/** An application with all that the recipes are about. */
@SpringBootApplication
class RecipesApplication {

	@Bean
	Runs runs() {
		return new Runs();
	}

	@Bean
	Job importJob(JobRepository repository, PlatformTransactionManager transactions, Runs runs) {
		return new JobBuilder("import", repository)
			.start(new StepBuilder("read", repository).tasklet((contribution, chunk) -> {
				runs.add(LockContext.current().orElseThrow().key());
				return RepeatStatus.FINISHED;
			}, transactions).build())
			.build();
	}

	/** As Spring Boot's starter for Quartz makes it. */
	@Bean
	SchedulerFactoryBean scheduler(ApplicationContext context) {
		SpringBeanJobFactory jobs = new SpringBeanJobFactory();
		jobs.setApplicationContext(context);
		SchedulerFactoryBean scheduler = new SchedulerFactoryBean();
		scheduler.setJobFactory(jobs);
		scheduler.setWaitForJobsToCompleteOnShutdown(true);
		return scheduler;
	}

	@Bean
	OrderListener orderListener() {
		return new OrderListener();
	}

}
