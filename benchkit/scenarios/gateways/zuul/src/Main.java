package gateways;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cloud.netflix.zuul.EnableZuulProxy;

/** Zuul 1 as Spring Cloud has it; its one route is given by {@code --zuul.routes.all.*}. */
@EnableZuulProxy
@SpringBootApplication
public class Main {
  public static void main(String[] arguments) {
    SpringApplication.run(Main.class, arguments);
  }
}
