package gateways;

import com.twitter.finagle.Http;
import com.twitter.finagle.ListeningServer;
import com.twitter.finagle.Service;
import com.twitter.finagle.http.Request;
import com.twitter.finagle.http.Response;
import com.twitter.util.Await;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A proxy of nothing but the library that linkerd 1 is built on: {@code PORT BACKEND_PORT}. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) throws Exception {
    // It warns, with a stack trace, of each connection that a load generator resets at its end.
    Logger.getLogger("").setLevel(Level.SEVERE);
    Service<Request, Response> backend = Http.client().newService("127.0.0.1:" + arguments[1]);
    ListeningServer server = Http.server().serve("127.0.0.1:" + arguments[0], backend);
    Await.ready(server);
  }
}
