import static io.gatling.javaapi.core.CoreDsl.*;
import static io.gatling.javaapi.http.HttpDsl.*;

import io.gatling.javaapi.core.*;
import io.gatling.javaapi.http.*;

/** What all runs of this folder are: users that ask `path` within a group, then /mixed. */
public class BasicSim extends Simulation {
  private static final int USERS = Integer.getInteger("users", 40);
  private static final String PATH = System.getProperty("path", "/ok");

  private final HttpProtocolBuilder protocol =
      http.baseUrl("http://127.0.0.1:" + Integer.getInteger("port", 8931)).disableWarmUp();

  private final ScenarioBuilder browse =
      scenario("browse, \"quoted\"")
          .group("grp").on(exec(http("home").get(PATH)))
          .exec(http("mixed, and more").get("/mixed"));

  {
    setUp(
            Boolean.getBoolean("closed")
                ? browse.injectClosed(constantConcurrentUsers(USERS).during(2))
                : browse.injectOpen(rampUsers(USERS).during(2)))
        .protocols(protocol)
        .assertions(global().responseTime().percentile(95.0).lt(500), global().failedRequests().percent().lt(1.0));
  }
}
