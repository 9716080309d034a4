import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

/** `drop` breaks all connections without notice. */
type Answer = "accept" | "hang" | "drop" | { readonly code: number };

/** An email that the server accepted. */
export interface ReceivedMail {
  readonly to: string;
  readonly messageId: string;
  readonly text: string;
  /** Whether it was sent over TLS. */
  readonly isEncrypted: boolean;
}

/** An SMTP server on loopback whose misbehavior a test controls. */
export interface TestSmtpServer {
  readonly url: string;
  /** Complete messages, answered or not. */
  readonly received: ReceivedMail[];
  /** Recipients named so far. */
  readonly named: string[];
  /** The server's answers. Tests replace these functions. */
  onSender: () => Answer;
  onRecipient: (address: string) => Answer | Promise<Answer>;
  onMessage: (mail: ReceivedMail) => Answer | Promise<Answer>;
  /** Stops listening and breaks its connections. */
  stop(): Promise<void>;
  /** Listens on the same port again. */
  start(): Promise<void>;
}

/** @param options.startTls whether it offers STARTTLS, with a self-signed certificate. */
export async function startSmtpServer({ startTls = false } = {}): Promise<TestSmtpServer> {
  const received: ReceivedMail[] = [];
  const named: string[] = [];
  const sockets = new Set<Socket>();
  let server = open();
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;

  const test: TestSmtpServer = {
    url: `smtp://127.0.0.1:${port}`,
    received,
    named,
    onSender: () => "accept",
    onRecipient: () => "accept",
    onMessage: () => "accept",
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
    async start() {
      server = open();
      server.listen(port, "127.0.0.1");
      await once(server.server, "listening");
    },
  };

  function open(): SMTPServer {
    const opened = new SMTPServer({
      authOptional: true,
      disabledCommands: startTls ? ["AUTH"] : ["STARTTLS", "AUTH"],
      disableReverseLookup: true,
      closeTimeout: 50,
      onMailFrom: (_address, _session, done) => give(test.onSender(), done),
      onRcptTo: ({ address }, _session, done) => {
        named.push(address);
        give(test.onRecipient(address), done);
      },
      async onData(stream, session, done) {
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(chunk as Buffer);
        const { messageId = "", text = "" } = await PostalMime.parse(Buffer.concat(chunks));
        const [recipient] = session.envelope.rcptTo;
        const isEncrypted = session.secure;
        const mail = { to: recipient?.address ?? "", messageId, text, isEncrypted };
        received.push(mail);
        give(test.onMessage(mail), done);
      },
    });
    // These tests are about clients that break their connections, so such errors are expected.
    opened.on("error", () => undefined);
    opened.server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    });
    return opened;
  }

  async function give(answer: Answer | Promise<Answer>, done: (error?: Error | null) => void) {
    const given = await answer;
    if (given === "accept") done();
    else if (given === "drop") for (const socket of sockets) socket.destroy();
    else if (given !== "hang")
      done(Object.assign(new Error("not today"), { responseCode: given.code }));
  }
  return test;
}
