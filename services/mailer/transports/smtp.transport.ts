import { createTransport } from "nodemailer";
import { MailRefused, type MailTransport } from "./transport.ts";

/** Milliseconds that a server may take for a connection, a greeting, an answer. */
const TIME_LIMIT = 15_000;

/** Hands mails to an SMTP server. @param url `smtp://` or `smtps://`, with credentials. */
export function createSmtpTransport(url: string, from: string): MailTransport {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: TIME_LIMIT,
    greetingTimeout: TIME_LIMIT,
    socketTimeout: TIME_LIMIT,
  } as Parameters<typeof createTransport>[0]);
  const { hostname } = new URL(url);
  return {
    async send({ id, to, subject, text, html }) {
      try {
        await transport.sendMail({
          from,
          to,
          subject,
          text,
          html,
          messageId: `<${id}@${hostname}>`,
        });
      } catch (error) {
        const { responseCode } = error as { responseCode?: number };
        // RFC 5321, 4.2.1: 5yz is final, 4yz and a lost connection are not.
        if (responseCode && responseCode >= 550 && responseCode < 555) {
          throw new MailRefused(`the server answered ${responseCode}`);
        }
        throw error;
      }
    },
    // What was handed over is out of reach.
    forget: async () => undefined,
    async check() {
      await transport.verify();
    },
    async close() {
      transport.close();
    },
  };
}
