import helmet from "@fastify/helmet";
import type { FastifyInstance, FastifyReply } from "fastify";
import { isLocalRequest } from "#runtime/net/client-address.ts";
import { listMails, readMail } from "./mail-folder.ts";
import { mailPage, messagePage, outboxPage } from "./outbox.pages.ts";

/**
 * `/outbox`: the mails in the folder of the embedded setup, with working links, for programs on
 * this machine only. Register it only while the whole system listens on loopback.
 *
 * @param options.folder folder of `.eml` files that the mailer's file transport writes.
 * @param options.productName name of the registry, for the heads of the pages.
 */
export async function outboxRoutes(
  app: FastifyInstance,
  options: { folder: string; productName: string },
): Promise<void> {
  const { folder, productName } = options;
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: ["'unsafe-inline'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: false,
    referrerPolicy: { policy: "no-referrer" },
  });
  app.addHook("onRequest", async (request, reply) => {
    const { headers, socket } = request.raw;
    if (!isLocalRequest({ headers, remoteAddress: socket.remoteAddress }))
      return sendPage(
        reply.code(403),
        messagePage(
          productName,
          "Not from here",
          "Mails are shown on the machine that the registry runs on.",
        ),
      );
  });
  app.get("/outbox", async (_request, reply) =>
    sendPage(reply, outboxPage(productName, await listMails(folder))),
  );
  app.get<{ Params: { file: string } }>("/outbox/:file", async (request, reply) => {
    const mail = await readMail(folder, request.params.file);
    return mail
      ? sendPage(reply, mailPage(productName, mail))
      : sendPage(
          reply.code(404),
          messagePage(productName, "No such mail", "It may have been deleted."),
        );
  });
}

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply.type("text/html; charset=utf-8").header("cache-control", "no-store").send(html);
}
