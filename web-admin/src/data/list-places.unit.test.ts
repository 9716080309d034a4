import { describe, expect, it } from "vitest";
import { ListPlaces } from "./list-places.ts";

const url = (first: number, last: number, filter = "{}") =>
  `/prod/admin/users?filter=${encodeURIComponent(filter)}&range=${encodeURIComponent(`[${first},${last}]`)}`;
const read = new Headers({ "list-start": "S", "list-end": "E" });
const placeIn = (asked: string) => new URLSearchParams(asked.split("?")[1]).get("place");

describe("the remembered places", () => {
  it("point after the last row of the previous page, and before the first row of the next one", () => {
    const places = new ListPlaces();
    expect(places.ask(url(10_000, 10_009))).toBe(url(10_000, 10_009));
    places.answered(url(10_000, 10_009), read);
    expect(placeIn(places.ask(url(10_010, 10_019)))).toBe("after~E");
    expect(placeIn(places.ask(url(9_990, 9_999)))).toBe("before~S");
    expect(placeIn(places.ask(url(10_020, 10_029)))).toBeNull();
  });

  it("are not used for the first page", () => {
    const places = new ListPlaces();
    places.answered(url(10, 19), read);
    expect(placeIn(places.ask(url(0, 9)))).toBeNull();
  });

  it("apply to one page size, filter and resource", () => {
    const places = new ListPlaces();
    places.answered(url(10, 19), read);
    expect(placeIn(places.ask(url(20, 24)))).toBeNull();
    expect(placeIn(places.ask(url(20, 29).replace("users", "reports")))).toBeNull();
    expect(placeIn(places.ask(url(20, 29)))).toBe("after~E");
    expect(placeIn(places.ask(url(20, 29, '{"status":"banned"}')))).toBeNull();
  });

  it("survive the lists that a record's page reads, and are dropped after many", () => {
    const places = new ListPlaces();
    places.answered(url(10, 19), read);
    for (let n = 0; n < 9; n += 1) places.answered(url(0, 9, `{"status":"${n}"}`), read);
    expect(placeIn(places.ask(url(20, 29)))).toBe("after~E");
    for (let n = 0; n < 10; n += 1) places.answered(url(0, 9, `{"status":"${n}"}`), read);
    expect(placeIn(places.ask(url(20, 29)))).toBeNull();
  });

  it("are not set by a response without them", () => {
    const places = new ListPlaces();
    places.answered(url(10, 19), new Headers());
    expect(placeIn(places.ask(url(20, 29)))).toBeNull();
  });
});
