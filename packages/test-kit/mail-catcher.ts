import { once } from "node:events";
import type { AddressInfo } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

/** An email as the server accepted it. */
export interface CaughtMail {
  /** Message-ID: the same when an email is sent a second time. */
  readonly id: string;
  /** The only recipient. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface MailCatcher {
  readonly url: string;
  /** Everything accepted so far, in order. */
  readonly mails: readonly CaughtMail[];
  /** Leaves recipients in the domain without a reply from now on, so senders wait in the middle of an email. */
  hold(domain: string): void;
  /** Number of held emails, including those whose senders have died since. */
  readonly held: number;
  /** Replies to everything held and stops holding. */
  release(): void;
  close(): Promise<void>;
}

/** An SMTP server that accepts every email and keeps it for the test to read. */
export async function startMailCatcher(): Promise<MailCatcher> {
  const mails: CaughtMail[] = [];
  let holding: string | undefined;
  let held: (() => void)[] = [];
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    onRcptTo({ address }, _session, done) {
      if (holding && address.endsWith(`@${holding}`)) held.push(done);
      else done();
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      // A client that dies midway closes the connection without an end: that email was not accepted.
      stream.on("end", () => {
        const [recipient] = session.envelope.rcptTo;
        PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          const { messageId: id = "", subject = "", text = "" } = mail;
          mails.push({ id, to: recipient?.address ?? "", subject, text });
          done();
        }, done);
      });
    },
  });
  server.on("error", () => undefined);
  const listener = server.listen(0, "127.0.0.1");
  await once(listener, "listening");
  return {
    url: `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    mails,
    hold(domain) {
      holding = domain;
    },
    get held() {
      return held.length;
    },
    release() {
      holding = undefined;
      for (const done of held) done();
      held = [];
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
