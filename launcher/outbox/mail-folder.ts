import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import PostalMime from "postal-mime";

/** A mail as the outbox page shows it. */
export type Mail = {
  file: string;
  to: string;
  from: string;
  subject: string;
  /** When its file was written. */
  at: Date;
  text: string;
};

const fileName = /^[\w.-]+\.eml$/;

/** A mail is in the folder of its report. Its file name starts with that report's id. */
function pathOf(folder: string, file: string): string {
  return path.join(folder, file.split(".")[0] ?? "", file);
}

/** The mails of a folder, newest first. A mail that is removed meanwhile is left out. */
export async function listMails(folder: string, limit = 200): Promise<Mail[]> {
  const reports = await readdir(folder).catch(() => []);
  const inFolders = await Promise.all(
    reports.map((report) => readdir(path.join(folder, report)).catch(() => [])),
  );
  const names = inFolders.flat().filter((name) => fileName.test(name));
  const dated = await Promise.all(
    names.map(async (name) => ({
      name,
      at: (await stat(pathOf(folder, name)).catch(() => undefined))?.mtimeMs ?? 0,
    })),
  );
  dated.sort((a, b) => b.at - a.at || b.name.localeCompare(a.name));
  const mails = await Promise.all(dated.slice(0, limit).map(({ name }) => readMail(folder, name)));
  return mails.filter((mail) => mail !== undefined);
}

/** One mail of a folder; undefined when no mail has this name. */
export async function readMail(folder: string, file: string): Promise<Mail | undefined> {
  if (!fileName.test(file)) return undefined;
  const source = pathOf(folder, file);
  try {
    const [content, { mtime }] = await Promise.all([readFile(source), stat(source)]);
    const mail = await PostalMime.parse(content);
    return {
      file,
      to: (mail.to ?? []).map(({ address = "" }) => address).join(", "),
      from: mail.from?.address ?? "",
      subject: mail.subject ?? "",
      at: mtime,
      text: mail.text ?? "",
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
