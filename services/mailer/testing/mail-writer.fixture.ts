import { randomBytes } from "node:crypto";
import { eventDefinitions } from "#contracts/events/index.ts";
import { createMemoryEventStore } from "#event-store/testing/memory-event-store.ts";
import { MailWriter } from "#mail-templates/writing/mail-writer.ts";
import { EventWriter } from "#test-kit/event-writer.ts";
import { fixedKey } from "#vault/keys/key-store.ts";
import {
  createOneTimeLinks,
  createReportLinks,
  createUnsubscribeLinks,
} from "#vault/links/one-time-link.ts";
import { createEventCodec } from "#vault/sealing/event-codec.ts";
import { createBlindIndexer } from "#vault/sealing/hashes.ts";
import { createMemoryKeyStore } from "#vault/testing/memory-key-store.ts";
import { wordsFrom } from "./words.fixture.ts";

export const blind = createBlindIndexer(randomBytes(32));
export const links = createOneTimeLinks(fixedKey(randomBytes(32)));
export const reportLinks = createReportLinks(fixedKey(randomBytes(32)), blind);
export const unsubscribing = createUnsubscribeLinks(fixedKey(randomBytes(32)), blind);

/** A writer of emails, with an empty log that `log` appends to. */
export function newMailWriter(): { log: EventWriter; writer: MailWriter } {
  const store = createMemoryEventStore();
  const keys = createMemoryKeyStore();
  const writer = new MailWriter({
    store,
    keys,
    codec: createEventCodec(eventDefinitions),
    links,
    reportLinks,
    unsubscribing,
    blind,
    publicUrl: "http://registry.example",
    letterhead: { productName: "The Registry", supportEmail: "support@registry.example" },
    operatorEmail: "operator@registry.example",
    salesEmail: () => "sales@registry.example",
    words: wordsFrom(store, keys).words,
  });
  return { log: new EventWriter(store, keys), writer };
}
