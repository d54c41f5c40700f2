package gateways;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.annotation.Bean;

/** Spring Cloud Gateway with one route: everything goes to {@code --backend}. */
@SpringBootApplication
public class Main {
  @Bean
  RouteLocator everything(RouteLocatorBuilder routes, @Value("${backend}") String backend) {
    return routes.routes().route(route -> route.path("/**").uri(backend)).build();
  }

  public static void main(String[] arguments) {
    SpringApplication.run(Main.class, arguments);
  }
}
