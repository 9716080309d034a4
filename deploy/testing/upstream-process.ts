/** A service process for tests that freeze it. It reports its port and each request to the test. */
import http from "node:http";
import type { AddressInfo } from "node:net";

const tell = (message: object) => process.send?.(message);

const server = http.createServer((request, response) => {
  if (request.url === "/readyz") return response.end("{}");
  request.resume();
  request.once("end", () => {
    tell({ seen: `${request.method} ${request.url}` });
    response.end("whole");
  });
});
server.listen(0, "127.0.0.1", () => tell({ port: (server.address() as AddressInfo).port }));
process.once("disconnect", () => process.exit());
