import { once } from "node:events";
import net from "node:net";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { startSmtpServer, type TestSmtpServer } from "../testing/smtp-server.ts";
import { createSmtpTransport } from "./smtp.transport.ts";
import { MailRefused, MailUnanswered } from "./transport.ts";

/** Short limits for servers that never answer, so that tests need not wait. */
const hurried = { connectMs: 20_000, answerMs: 2_000, mailMs: 30_000 };

let smtp: TestSmtpServer;
beforeEach(async () => {
  smtp = await startSmtpServer();
});
afterEach(() => smtp.stop());

describe("the SMTP transport", { timeout: 120_000 }, () => {
  const mail = {
    id: "mail-1",
    ownerId: "report-1",
    to: "ann@shop.example",
    subject: "s",
    text: "t",
    html: "<p>t</p>",
  };
  const open = (url: string, given: Partial<typeof hurried> = {}) => {
    const transport = createSmtpTransport(url, "support@registry.example", {
      limits: { ...hurried, ...given },
      connections: 4,
    });
    onTestFinished(() => transport.close());
    return transport;
  };

  it("distinguishes a refusal from a server lost before and after it had the email", async () => {
    const transport = open(smtp.url);
    smtp.onRecipient = () => ({ code: 550 });
    await expect(transport.send(mail)).rejects.toThrow(MailRefused);
    smtp.onRecipient = () => "hang";
    await expect(transport.send(mail)).rejects.toThrow(/timeout/i);
    smtp.onRecipient = () => "accept";
    smtp.onMessage = () => "hang";
    await expect(transport.send(mail)).rejects.toThrow(MailUnanswered);
  });

  describe("over smtp://", () => {
    /** An address of this machine that is not recognized as local. */
    const elsewhere = (url: string, parameters = "") =>
      `${url.replace("127.0.0.1", "0.0.0.0")}${parameters}`;

    it("sends no email and no address to another machine without TLS", async () => {
      const transport = open(elsewhere(smtp.url));
      await expect(transport.send(mail)).rejects.toThrow(/STARTTLS|TLS/);
      await expect(transport.check()).rejects.toThrow(/STARTTLS|TLS/);
      expect([smtp.named, smtp.received]).toEqual([[], []]);
    });

    it("sends it unencrypted if the URL says so, or on this machine", async () => {
      await open(elsewhere(smtp.url, "?requireTLS=false")).send(mail);
      await open(smtp.url).send(mail);
      expect(smtp.received.map(({ isEncrypted }) => isEncrypted)).toEqual([false, false]);
      await expect(open(`${smtp.url}?requireTLS=true`).send(mail)).rejects.toThrow(/TLS/);
    });

    it("uses TLS where it is offered, with a valid certificate", async () => {
      const server = await startSmtpServer({ startTls: true });
      onTestFinished(() => server.stop());
      await expect(open(elsewhere(server.url)).send(mail)).rejects.toThrow(/certificate/);
      expect(server.named).toEqual([]);
      await open(elsewhere(server.url, "?tls.rejectUnauthorized=false")).send(mail);
      expect(server.received.map(({ isEncrypted }) => isEncrypted)).toEqual([true]);
    });
  });

  it("gives up on a server that stays busy", async () => {
    // Announces that more lines of its answer follow (RFC 5321, 4.2.1), and keeps sending them.
    const sockets = new Set<net.Socket>();
    const server = net.createServer((socket) => {
      sockets.add(socket);
      socket.write("220 busy\r\n");
      socket.once("data", () => {
        const timer = setInterval(() => socket.write("250-more\r\n"), 20);
        socket.on("close", () => clearInterval(timer));
      });
      socket.on("error", () => undefined);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    });
    const { port } = server.address() as net.AddressInfo;
    const transport = open(`smtp://127.0.0.1:${port}`, { mailMs: 500 });
    await expect(transport.send(mail)).rejects.toThrow(/abort|timeout/i);
  });
});
