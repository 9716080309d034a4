import { createTransport, type SendMailOptions } from "nodemailer";
import { isLoopback } from "#runtime/config/urls.ts";
import { MailRefused, type MailTransport, MailUnanswered } from "./transport.ts";

/** Milliseconds that a server may take. */
export interface SmtpLimits {
  /** For a connection, and for its greeting. */
  readonly connectMs: number;
  /** For any answer, above all the last one: it may look through the mail first. */
  readonly answerMs: number;
  /** For a whole mail, however busy the server; shorter than a mail's lease. */
  readonly mailMs: number;
}

const LIMITS: SmtpLimits = { connectMs: 15_000, answerMs: 60_000, mailMs: 100_000 };

/** One for each mail in progress, so that none waits for another's connection. */
const CONNECTIONS = 4;

/**
 * Hands mails to an SMTP server. RFC 5321 (4.5.3.2) has a client wait ten minutes for the last
 * answer, since giving up makes a second mail of one that was taken; it is a minute here, and what
 * was given up then is counted.
 * @param url `smtp://` or `smtps://`, with credentials. `smtp://` demands STARTTLS (RFC 3207) of
 *   any other machine, unless its parameter `requireTLS` is `false`.
 */
export function createSmtpTransport(
  url: string,
  from: string,
  limits: SmtpLimits = LIMITS,
): MailTransport {
  const { hostname } = new URL(url);
  const transport = createTransport({
    // What the URL says itself comes first.
    requireTLS: !isLoopback(hostname),
    url,
    pool: true,
    maxConnections: CONNECTIONS,
    // A mail whose connection broke may have gone out: the outbox tries again, and counts it.
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
    async send({ id, to, subject, text, html }) {
      let isHandedOver = false;
      try {
        const mail: SendMailOptions & Watched = {
          from,
          to,
          subject,
          text,
          html,
          messageId: `<${id}@${hostname}>`,
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
          throw new MailUnanswered("the server did not say whether it took the mail");
        }
        throw error;
      }
    },
    // What was handed over is out of reach.
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

/** Called when the last byte of the message is on its way. */
interface Watched {
  readonly onHandedOver: () => void;
}

/**
 * RFC 5321, 4.2.1: 5yz is final, 4yz and a lost connection are not. Only of this recipient and this
 * message, though: who refuses our sign-in or the sender's address refuses every mail, and an
 * operator can mend it.
 */
function isRefusal(responseCode: number | undefined, command: string | undefined): boolean {
  const isAboutThisMail = command === "RCPT TO" || command === "DATA";
  return isAboutThisMail && responseCode !== undefined && responseCode >= 550 && responseCode < 555;
}
