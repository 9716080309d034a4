/** An SMTP server in a separate thread, which reads each mail to its end, accepts it and keeps nothing. */
import { parentPort } from "node:worker_threads";
import { SMTPServer } from "smtp-server";

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS", "AUTH"],
  disableReverseLookup: true,
  onData(stream, _session, done) {
    stream.on("end", () => done());
    stream.resume();
  },
});
// The measured program breaks its connections when it stops.
server.on("error", () => undefined);
server.listen(0, "127.0.0.1", () => {
  const address = server.server.address();
  parentPort?.postMessage(typeof address === "object" ? address?.port : undefined);
});
