import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { type ContentEvent, streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { forFile } from "#test-kit/for-file.ts";
import { openFixture } from "../../testing/projector.fixture.ts";

const fixture = forFile(openFixture);
beforeAll(() => fixture.start());

let clock = Date.UTC(2026, 10, 24);

const ADMIN = { id: "7f3d1c52-0000-4000-8000-000000000001", role: "admin" } as const;
const content = { slug: "canary-slug", title: "T", description: "D", body: "Canary-body" };
const edited: ContentEvent = {
  type: "ContentEdited",
  data: { content: { ...content, title: "New" } },
};
const published: ContentEvent = { type: "ContentPublished", data: {} };

/** Appends events, one second apart. @returns the last position. */
async function write(id: string, ...events: ContentEvent[]): Promise<string> {
  let position = "";
  for (const event of events) {
    clock += 1000;
    const options = { time: new Date(clock).toISOString(), actor: ADMIN };
    position = (await fixture.writer.append(streams.content(id), [event], options)).position;
  }
  return position;
}
const rows = () => fixture.rows<Record<string, unknown>>("select * from content.item order by id");
const row = async (id: string) => (await rows()).find((each) => each.id === id);

it("shows the draft and the public text, until it is published or unpublished", async () => {
  const id = randomUUID();
  const begin: ContentEvent = { type: "ContentCreated", data: { kind: "blog", content } };
  await fixture.reached(await write(id, begin));
  expect(await row(id)).toMatchObject({ status: "draft", title: "T", published: null });
  await fixture.reached(await write(id, published, edited));
  expect(await row(id)).toMatchObject({
    status: "published",
    title: "New",
    has_changes: true,
    published: { title: "T" },
    changed_by: ADMIN.id,
    revision: 2,
  });
  const first = (await row(id))?.first_published_at;
  await fixture.reached(await write(id, published));
  const again = await row(id);
  expect(again).toMatchObject({ has_changes: false, published: { title: "New" } });
  expect(again?.first_published_at).toEqual(first);
  expect(again?.published_at).not.toEqual(first);
  await fixture.reached(await write(id, { type: "ContentUnpublished", data: {} }));
  expect(await row(id)).toMatchObject({ status: "draft", published: null, title: "New" });
});

it("keeps nothing of a deleted text except that it was public, and a rebuild finds the same", async () => {
  const inForce = { version: "2026-11-23", effective_date: "2026-11-23" };
  const [gone, kept] = [randomUUID(), randomUUID()];
  await write(gone, { type: "ContentCreated", data: { kind: "page", content } }, published);
  await write(gone, { type: "ContentDeleted", data: {} });
  await fixture.stores.keys.destroy([subjects.content(gone)], new Date(clock).toISOString());
  const position = await write(
    kept,
    { type: "ContentShipped", data: { kind: "legal", ...inForce, content } },
    edited,
    { type: "ContentRestored", data: { revision: 0, content } },
  );
  await fixture.reached(position);
  const found = await row(gone);
  expect(found).toMatchObject({ status: "deleted", slug: null, title: null, draft: null });
  expect(JSON.stringify(found)).not.toMatch(/canary/i);
  expect(await row(kept)).toMatchObject({ status: "published", has_changes: false, ...inForce });
  const before = await rows();
  await fixture.rebuild(["content"]);
  // This includes when it was first public: its address answers 410 after a rebuild too.
  expect(await rows()).toEqual(before);
  expect((await row(gone))?.first_published_at).not.toBeNull();
});
