package com.example.lock.file;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration of stores of type file.
 *
 * @param folder The folder that the processes share.
 */
@ConfigurationProperties("distributed-lock.file")
public record FileLockProperties(@DefaultValue("") String folder) {

}
