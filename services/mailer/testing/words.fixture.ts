import { pino } from "pino";
import type { EventStore } from "#event-store/port.ts";
import { readActive } from "#mail-templates/active-template.ts";
import { TemplateRenderer } from "#mail-templates/template-renderer.ts";
import { MailRenderer } from "#mail-templates/writing/mail-renderer.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import { createMailerMetrics, TemplateAlarm } from "../metrics.ts";

/** Sets up the text of emails from templates in the given log, as in a mailer. */
export function wordsFrom(store: EventStore, keys: KeyStore, renderer = new TemplateRenderer()) {
  const lines: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void lines.push(line) });
  const metrics = createMailerMetrics();
  const stored = { store, keys, codec: registryCodec };
  const alarm = new TemplateAlarm({ log, metrics, active: (kind) => readActive(kind, stored) });
  const productName = "The Registry";
  const publicUrl = "http://registry.example";
  const words = new MailRenderer({ ...stored, renderer, alarm, productName, publicUrl });
  return { words, alarm, metrics, lines };
}
