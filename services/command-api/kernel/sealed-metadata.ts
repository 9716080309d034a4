import type { KeyLookups } from "#vault/sealing/event-codec.ts";
import { KeyMissing } from "#vault/sealing/event-codec.ts";
import { bodyMac } from "#vault/sealing/hashes.ts";
import { seal } from "#vault/sealing/seal.ts";
import type { Caller, CommandEnvelope } from "./envelope.ts";
import type { Folded } from "./handler.ts";

/**
 * MAC of a command's body; undefined when a key is missing or no subject is given.
 * @param texts subjects of the keys of its events' free texts: once one is destroyed, the text cannot be found by
 *   trying bodies.
 */
export function macOf<S>(
  { bodySubjects = [] }: Folded<S>,
  keys: KeyLookups,
  { body }: CommandEnvelope,
  texts: readonly string[],
): string | undefined {
  const present: Buffer[] = [];
  const subjects = [...bodySubjects, ...texts];
  for (const subject of subjects) {
    const found = keys.get(subject);
    if (found?.state === "present") present.push(found.key);
  }
  const whole = bodySubjects.length > 0 && present.length === subjects.length;
  return whole ? bodyMac(present, body) : undefined;
}

/** The sealed address and user agent; nothing if their key was destroyed meanwhile. */
export function sealClient<S>(
  aggregate: Folded<S>,
  caller: Caller,
  keys: KeyLookups,
  place: { eventId: string; stream: string; type: string; schemaVersion: number },
) {
  if (!caller.client) return undefined;
  const subject = aggregate.clientSubject(caller);
  const key = keys.get(subject);
  if (key?.state === "destroyed") return undefined;
  if (key?.state !== "present") throw new KeyMissing(subject);
  const { ip, user_agent } = caller.client;
  return seal(key.key, { ip, user_agent }, { ...place, part: "client", key: subject });
}
