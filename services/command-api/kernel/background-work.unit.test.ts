import { describe, expect, it } from "vitest";
import { BackgroundWork } from "./background-work.ts";

describe("work that runs after the response", () => {
  it("does not start before its caller continues", async () => {
    const background = new BackgroundWork(() => undefined);
    let begun = false;
    background.run(async () => {
      begun = true;
    });
    expect(begun).toBe(false);
    await background.finish();
    expect(begun).toBe(true);
  });

  it("is refused if too much is waiting, so that memory stays bounded", async () => {
    const background = new BackgroundWork(() => undefined);
    let done = 0;
    const give = () =>
      background.run(async () => {
        done += 1;
      });
    for (let n = 0; n < 500; n += 1) give();
    expect(give).toThrow(expect.objectContaining({ code: "unavailable" }));
    await background.finish();
    expect(done).toBe(500);
    give();
    await background.finish();
    expect(done).toBe(501);
  });

  it("is reported if it fails, and stops nothing", async () => {
    const errors: unknown[] = [];
    const background = new BackgroundWork((error) => errors.push(error));
    background.run(() => Promise.reject(new Error("away")));
    await background.finish();
    expect(errors).toEqual([new Error("away")]);
  });
});
