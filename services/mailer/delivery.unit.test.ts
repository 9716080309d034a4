import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { deliver } from "./delivery.ts";

const OWNER = randomUUID();

/** What a delivery does, in order; the store and the transport only take notes. */
async function delivering(outcome: {
  readonly admission?: "admitted" | "lost";
  readonly overtaking?: { readonly until?: number };
}): Promise<readonly string[]> {
  const steps: string[] = [];
  const note = (step: string) => async () => void steps.push(step);
  const mail = { id: "mail-1", kind: "verification", ownerId: OWNER, attempts: 1 };
  const counter = { inc: () => undefined };
  const deps = {
    outbox: {
      lease: async () => mail,
      admit: async () => outcome.admission ?? "admitted",
      sent: note("marked"),
    },
    writer: {
      write: async () => ({ mail: { id: mail.id, ownerId: OWNER } }),
      overtakenBy: async () => outcome.overtaking,
    },
    transport: {
      send: note("sent"),
      forget: async (owner: string, until?: number) => void steps.push(`forgot ${owner} ${until}`),
    },
    metrics: { sent: counter, overtaken: counter },
    log: { debug: () => undefined },
    notifies: () => true,
  };
  await deliver(mail.id, deps as unknown as Parameters<typeof deliver>[1]);
  return steps;
}

it("an email is marked once it is sent", async () => {
  expect(await delivering({})).toEqual(["sent", "marked"]);
});

it("an email whose owner was erased while it was in flight is removed from where it is stored", async () => {
  const erased = await delivering({ overtaking: {} });
  expect(erased).toEqual(["sent", "marked", `forgot ${OWNER} undefined`]);
  const masked = await delivering({ overtaking: { until: 7 } });
  expect(masked.at(-1)).toBe(`forgot ${OWNER} 7`);
});

it("an email that another worker holds by now is not sent", async () => {
  expect(await delivering({ admission: "lost" })).toEqual([]);
});
