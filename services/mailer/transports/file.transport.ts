import { randomUUID } from "node:crypto";
import { access, constants, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import type { MailTransport } from "./transport.ts";

/**
 * Writes each mail as an `.eml` file (RFC 5322). The name holds the report's id, so that its mails
 * go with it, and the mail's id, so that a second sending replaces the first.
 */
export function createFileTransport(folder: string, from: string): MailTransport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  return {
    isRemote: false,
    async send({ id, reportId, to, subject, text, html }) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const messageId = `<${id}@registry.invalid>`;
      const composed = await composer.sendMail({ from, to, subject, text, html, messageId });
      const temporary = join(folder, `.${randomUUID()}.tmp`);
      const file = await open(temporary, "wx", 0o600);
      try {
        await file.writeFile(composed.message as Buffer);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, join(folder, `${reportId}.${id}.eml`));
    },
    async forget(reportId) {
      for (const name of await names(folder)) {
        if (name.startsWith(`${reportId}.`)) await rm(join(folder, name), { force: true });
      }
    },
    async check() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await access(folder, constants.W_OK);
    },
    async close() {
      composer.close();
    },
  };
}

async function names(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
