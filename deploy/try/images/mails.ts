/** Replaces Mailpit: accepts emails on port 1025, and lists them as JSON on port 8025, newest first. */
import http from "node:http";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

const PAGE = 8025;

if (process.argv[2] === "readyz") {
  const reply = await fetch(`http://127.0.0.1:${PAGE}/`).catch(() => undefined);
  process.exit(reply?.ok ? 0 : 1);
}

const mails: { to: string[]; raw: string }[] = [];
new SMTPServer({
  disabledCommands: ["AUTH", "STARTTLS"],
  // Nothing answers such queries in a network without a way out, and mailers do not wait.
  disableReverseLookup: true,
  onData(stream, session, done) {
    const to = session.envelope.rcptTo.map(({ address }) => address);
    text(stream).then((raw) => {
      mails.unshift({ to, raw });
      done();
    }, done);
  },
}).listen(1025, "0.0.0.0");
http
  .createServer((_request, response) => response.end(JSON.stringify(mails)))
  .listen(PAGE, "0.0.0.0");
