/** S3Proxy, which ends with the process that started it: when its standard input closes. */
public final class S3Server {
  public static void main(String[] args) throws Exception {
    Thread parent = new Thread(() -> {
      try {
        while (System.in.read() >= 0) {}
      } catch (java.io.IOException closed) {
        // It is gone as well.
      }
      Runtime.getRuntime().halt(0);
    });
    parent.setDaemon(true);
    parent.start();
    org.gaul.s3proxy.Main.main(args);
  }
}
