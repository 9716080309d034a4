import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.opensearch.Version;
import org.opensearch.analysis.common.CommonAnalysisModulePlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginInfo;
import org.opensearch.transport.Netty4ModulePlugin;

/**
 * One OpenSearch node, on loopback only: {@code SearchNode <folder> <HTTP port>}. It closes at the
 * end of its standard input too, so that it never outlives whoever started it.
 */
public final class SearchNode extends Node {
  private SearchNode(Environment environment) {
    super(
        environment,
        List.of(info(Netty4ModulePlugin.class), info(CommonAnalysisModulePlugin.class)),
        true);
  }

  private static PluginInfo info(Class<? extends Plugin> plugin) {
    String name = plugin.getName();
    return new PluginInfo(
        name, "of the class path", "NA", Version.CURRENT, "21", name, null, List.of(), false);
  }

  public static void main(String[] arguments) throws Exception {
    Path home = Path.of(arguments[0]);
    Settings settings =
        Settings.builder()
            .put("path.home", home)
            .put("path.data", home.resolve("data"))
            .put("path.logs", home.resolve("logs"))
            .put("cluster.name", "registry")
            .put("node.name", "local")
            .put("discovery.type", "single-node")
            .put("network.host", "127.0.0.1")
            .put("http.port", arguments[1])
            .put("transport.port", "0")
            // A development machine's disk is often nearly full.
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .build();
    Path config = Files.createDirectories(home.resolve("config"));
    SearchNode node =
        new SearchNode(
            InternalSettingsPreparer.prepareEnvironment(
                settings, Map.of(), config, () -> "local"));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(node)));
    node.start();
    while (System.in.read() >= 0) {}
    System.exit(0);
  }

  private static void close(Node node) {
    try {
      node.close();
    } catch (IOException error) {
      error.printStackTrace();
    }
  }
}
