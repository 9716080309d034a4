import { eventDefinitions } from "#contracts/events/index.ts";
import { createEventCodec, type EventCodec } from "./event-codec.ts";

/** Seals and opens every event of the registry. */
export type RegistryCodec = EventCodec<(typeof eventDefinitions)[number]>;

/** The one codec, so that every service lifts earlier versions in the same way. */
export const registryCodec: RegistryCodec = createEventCodec(eventDefinitions);
