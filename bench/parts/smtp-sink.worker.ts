/** An SMTP server in a separate thread that accepts every email and passes the first one to its parent thread. */
import { buffer } from "node:stream/consumers";
import { parentPort } from "node:worker_threads";
import { SMTPServer } from "smtp-server";

let isFirst = true;
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS", "AUTH"],
  disableReverseLookup: true,
  async onData(stream, _session, done) {
    const mail = await buffer(stream);
    if (isFirst) parentPort?.postMessage(mail);
    isFirst = false;
    done();
  },
});
// The measured program breaks its connections when it stops.
server.on("error", () => undefined);
server.listen(0, "127.0.0.1", () => {
  const address = server.server.address();
  parentPort?.postMessage(typeof address === "object" ? address?.port : undefined);
});
