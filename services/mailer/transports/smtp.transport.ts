import { createTransport, type SendMailOptions } from "nodemailer";
import { isLoopbackHost } from "#runtime/net/client-address.ts";
import { MailRefused, type MailTransport, MailUnanswered, messageOf } from "./transport.ts";

/** Time limits for a server, in milliseconds. */
export interface SmtpLimits {
  /** For a connection, and for its greeting. */
  readonly connectMs: number;
  /** For any answer. The last one takes longest, because the server may scan the email first. */
  readonly answerMs: number;
  /** For a whole email, even if the server keeps answering. Shorter than an email's lease. */
  readonly mailMs: number;
}

const LIMITS: SmtpLimits = { connectMs: 15_000, answerMs: 60_000, mailMs: 100_000 };

/** How emails are handed over to a server. */
interface SmtpOptions {
  /** {@link LIMITS} when absent. */
  readonly limits?: SmtpLimits | undefined;
  /** Maximum number of connections: one for each email in progress, so that none waits for another. */
  readonly connections: number;
  /** Returns the address for replies at the time of each email; the sender's when absent or undefined. */
  readonly replyTo?: () => string | undefined;
}

/**
 * Hands emails over to an SMTP server. RFC 5321 (4.5.3.2) asks clients to wait ten minutes for the
 * last answer, because giving up can send a second copy of an email that was accepted. Here the limit is
 * a minute, and emails given up that way are counted.
 * @param url `smtp://` or `smtps://`, with credentials. `smtp://` requires STARTTLS (RFC 3207) for
 * any other machine, unless its parameter `requireTLS` is `false`.
 */
export function createSmtpTransport(
  url: string,
  from: string,
  { limits = LIMITS, connections, replyTo = () => undefined }: SmtpOptions,
): MailTransport {
  const { hostname } = new URL(url);
  const transport = createTransport({
    // Parameters in the URL take precedence.
    // A name server may resolve a name below localhost to any machine.
    requireTLS: !isLoopbackHost(hostname) || /\.localhost$/i.test(hostname),
    url,
    pool: true,
    maxConnections: connections,
    // An email whose connection broke may have gone out. The outbox tries it again and counts it.
    maxRequeues: 0,
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.connectMs,
    socketTimeout: limits.answerMs,
  } as Parameters<typeof createTransport>[0]);
  // The message is read to its end only after the server asked for it (RFC 5321, 4.1.1.4).
  transport.use("stream", (mail, done) => {
    const { onHandedOver } = mail.data as Partial<Watched>;
    mail.message.processFunc((message) => {
      if (onHandedOver) message.once("end", onHandedOver);
      return message;
    });
    done();
  });
  const closing = new AbortController();
  return {
    isRemote: true,
    async send(outgoing) {
      let isHandedOver = false;
      try {
        const mail: SendMailOptions & Watched = {
          ...messageOf(outgoing, from, replyTo),
          signal: AbortSignal.any([closing.signal, AbortSignal.timeout(limits.mailMs)]),
          onHandedOver: () => {
            isHandedOver = true;
          },
        };
        await transport.sendMail(mail);
      } catch (error) {
        const { responseCode, command } = error as { responseCode?: number; command?: string };
        if (isRefusal(responseCode, command)) {
          throw new MailRefused(`the server answered ${responseCode}`);
        }
        if (isHandedOver && !responseCode) {
          throw new MailUnanswered("the server did not confirm that it accepted the email");
        }
        throw error;
      }
    },
    // An email that was handed over cannot be recalled.
    forget: async () => undefined,
    sweep: async () => undefined,
    async check() {
      await transport.verify();
    },
    async close() {
      closing.abort();
      transport.close();
    },
  };
}

/** Called when the last byte of the message has been read for sending. */
interface Watched {
  readonly onHandedOver: () => void;
}

/**
 * Replies 550 to 554 are final, others and lost connections are not (RFC 5321, 4.2.1). This applies
 * only to replies about this recipient and message. A server that refuses our sign-in or sender
 * address refuses every email, and an operator can correct that.
 */
function isRefusal(responseCode: number | undefined, command: string | undefined): boolean {
  const isAboutThisMail = command === "RCPT TO" || command === "DATA";
  return isAboutThisMail && responseCode !== undefined && responseCode >= 550 && responseCode < 555;
}
