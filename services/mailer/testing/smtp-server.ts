import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

/** `drop` breaks all connections without notice. */
type Answer = "accept" | "hang" | "drop" | { readonly code: number };

/** A mail as the server took it. */
export interface ReceivedMail {
  readonly to: string;
  readonly messageId: string;
  readonly text: string;
  /** Whether it came over TLS. */
  readonly isEncrypted: boolean;
}

/** An SMTP server on loopback that misbehaves as a test wants it to. */
export interface TestSmtpServer {
  readonly url: string;
  /** Whole messages, whether they were answered or not. */
  readonly received: ReceivedMail[];
  /** Recipients that were named so far. */
  readonly named: string[];
  /** Answers; a test replaces them. */
  onSender: () => Answer;
  onRecipient: (address: string) => Answer | Promise<Answer>;
  onMessage: (mail: ReceivedMail) => Answer | Promise<Answer>;
  /** Ends it and its connections; nobody listens on its port. */
  stop(): Promise<void>;
  /** Listens on its port again. */
  start(): Promise<void>;
}

/** @param options.startTls whether it offers STARTTLS, under a certificate that nobody signed. */
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
    // A client that breaks a connection off is what these tests are about.
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
