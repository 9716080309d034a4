import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename } from "node:fs/promises";
import path from "node:path";
import { createTransport } from "nodemailer";
import { closedLoop, type Load, type Rate } from "../load/rate.ts";

/** Mails that are repeated. */
const EXAMPLES = 500;

/** Reads files of mails, as examples of what a mailer writes. */
export async function readMails(folder: string): Promise<Buffer[]> {
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => name.endsWith(".eml")).slice(0, EXAMPLES);
  return Promise.all(files.map((name) => readFile(path.join(folder, name))));
}

/** Writes the same mails into a folder, each flushed, and in a folder of its own, as a mailer leaves them. */
export async function bareWrites(
  folder: string,
  mails: readonly Buffer[],
  load: Load,
): Promise<Rate> {
  await mkdir(folder, { recursive: true });
  return closedLoop(load, async (n) => {
    const temporary = path.join(folder, `${randomUUID()}.tmp`);
    const file = await open(temporary, "wx", 0o600);
    await file.writeFile(mails[n % mails.length] as Buffer);
    await file.sync();
    await file.close();
    const own = path.join(folder, randomUUID());
    await mkdir(own);
    await rename(temporary, path.join(own, "mail.eml"));
  });
}

/** Sends the same mails to a server over as many connections. */
export async function bareSmtp(url: string, mails: readonly Buffer[], load: Load): Promise<Rate> {
  const { hostname: host, port } = new URL(url);
  const transport = createTransport({
    host,
    port: Number(port),
    pool: true,
    maxConnections: load.connections,
  });
  const envelope = { from: "support@registry.example", to: ["ann@shop.example"] };
  try {
    return await closedLoop(load, async (n) => {
      await transport.sendMail({ envelope, raw: mails[n % mails.length] as Buffer });
    });
  } finally {
    transport.close();
  }
}
