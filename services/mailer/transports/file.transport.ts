import { randomUUID } from "node:crypto";
import {
  access,
  constants,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { type MailTransport, messageOf } from "./transport.ts";

/** Folder of emails that are being written. */
const UNFINISHED = ".unfinished";
/** Header field of a stored email: the revision of its report that it was written from. */
const REVISION = "X-Report-Revision";
/** Milliseconds after which a file counts as abandoned. This is longer than an email's lease. */
const ABANDONED_MS = 10 * 60_000;

/**
 * Writes each email as an `.eml` file (RFC 5322) in a folder of its report or account, so that the
 * emails are removed together with it. The file name contains the email's id, so sending it again
 * replaces it.
 * @param replyTo returns the address for replies at the time of each email; the sender's when undefined.
 */
export function createFileTransport(
  folder: string,
  from: string,
  replyTo: () => string | undefined = () => undefined,
): MailTransport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  const unfinished = join(folder, UNFINISHED);
  const makeFolder = (path: string) => mkdir(path, { recursive: true, mode: 0o700 });
  return {
    isRemote: false,
    async send(mail) {
      const { id, ownerId, revision } = mail;
      const message = messageOf(mail, from, replyTo);
      if (revision !== undefined) message.headers[REVISION] = String(revision);
      const composed = await composer.sendMail(message);
      const temporary = join(unfinished, `${ownerId}.${randomUUID()}.tmp`);
      const create = () => open(temporary, "wx", 0o600);
      const file = await create().catch(async (error) => {
        unlessGone(error);
        await makeFolder(unfinished);
        return create();
      });
      try {
        await file.writeFile(composed.message as Buffer);
        await file.sync();
      } finally {
        await file.close();
      }
      await makeFolder(join(folder, ownerId));
      await rename(temporary, join(folder, ownerId, `${ownerId}.${id}.eml`));
    },
    async forget(ownerId, until) {
      if (until === undefined) await rm(join(folder, ownerId), { recursive: true, force: true });
      for (const place of [join(folder, ownerId), unfinished])
        for (const name of await namesIn(place)) {
          const path = join(place, name);
          if (!name.startsWith(`${ownerId}.`)) continue;
          if (until === undefined || (await revisionIn(path)) <= until)
            await rm(path, { force: true });
        }
    },
    async sweep() {
      for (const name of await namesIn(unfinished)) await removeAbandoned(join(unfinished, name));
    },
    async check() {
      await makeFolder(folder);
      await access(folder, constants.W_OK);
    },
    async close() {
      composer.close();
    },
  };
}

/** Returns the revision that an email was written from; -1, before any, if the file does not state it. */
async function revisionIn(path: string): Promise<number> {
  const [head = ""] = ((await readFile(path, "latin1").catch(unlessGone)) ?? "").split("\r\n\r\n");
  const [, revision] = new RegExp(`^${REVISION}: ([0-9]+)\r?$`, "im").exec(head) ?? [];
  return revision === undefined ? -1 : Number(revision);
}

async function removeAbandoned(path: string): Promise<void> {
  const found = await stat(path).catch(unlessGone);
  if (found && found.mtimeMs < Date.now() - ABANDONED_MS) await rm(path, { force: true });
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(unlessGone)) ?? [];
}

/** Ignores a missing file or folder: not created yet, or removed by another mailer or a deletion. */
function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
