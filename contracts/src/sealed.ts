import { type Static, Type } from "typebox";

/**
 * A part of an event that is encrypted with its subject's key (AES-256-GCM). `key` names the
 * subject's key, `box` is base64url of nonce (12 bytes), ciphertext and tag (16 bytes). The
 * plaintext is JSON in UTF-8, padded with spaces to a multiple of 64 bytes. The additional
 * authenticated data is the RFC 8785 JSON of `[event id, stream, type, schema version, part, key]`,
 * so a box cannot be moved to another place.
 */
export const Sealed = Type.Object(
  { key: Type.String(), box: Type.String() },
  { additionalProperties: false },
);
export type Sealed = Static<typeof Sealed>;

/**
 * Names of keys in the key store. A report has keys for the reported person, for the reporter, and for the free
 * texts of each event.
 */
export const subjects = {
  personal: (reportId: string) => `personal-${reportId}`,
  reporter: (reportId: string) => `reporter-${reportId}`,
  /** The free texts of one event of a report. Masking a text destroys this key alone. */
  text: (reportId: string, n: number) => `text-${reportId}-${n}`,
  account: (userId: string) => `account-${userId}`,
  /** `month` looks like `2026-11`. The key is destroyed 90 days after the month's end. */
  security: (month: string) => `security-${month}`,
  /** Each file of the file store has its own key. */
  file: (fileId: string) => `file-${fileId}`,
  /** For an inquiry or a notice. */
  inquiry: (id: string) => `inquiry-${id}`,
  /** For a text that the registry publishes about itself. */
  content: (id: string) => `content-${id}`,
  /** For texts in the settings. Never destroyed. */
  settings: "settings",
  /** For the templates of a kind of email. */
  template: (kind: string) => `template-${kind}`,
};

/** Returns the report's ID if this is its reporter's key, or undefined for any other key. */
export function reportOfReporterKey(subject: string): string | undefined {
  return /^reporter-(.+)$/.exec(subject)?.[1];
}

/** Returns the report's ID if this is the key of some of its free texts, or undefined for any other key. */
export function reportOfTextKey(subject: string): string | undefined {
  return /^text-(.+)-\d+$/.exec(subject)?.[1];
}
