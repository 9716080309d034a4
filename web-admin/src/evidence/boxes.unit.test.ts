import { describe, expect, it } from "vitest";
import { between, fitted, nudged, publishedSize } from "./boxes.ts";

const picture = { width: 400, height: 300 };

it("limits the size of a published picture and keeps its aspect ratio", () => {
  expect(publishedSize({ width: 3000, height: 1500 }, 2000)).toEqual({ width: 2000, height: 1000 });
  expect(publishedSize({ width: 30, height: 3000 }, 2000)).toEqual({ width: 20, height: 2000 });
  expect(publishedSize({ width: 3, height: 9000 }, 2000)).toEqual({ width: 1, height: 2000 });
  expect(publishedSize(picture, 2000)).toEqual(picture);
});

describe("a box", () => {
  it("stays inside the picture, in whole pixels", () => {
    const box = { x: -5.4, y: 290.6, width: 50.5, height: 900 };
    expect(fitted(box, picture)).toEqual({ x: 0, y: 0, width: 51, height: 300 });
    expect(fitted({ x: 398, y: 298, width: 1, height: -3 }, picture)).toEqual({
      x: 396,
      y: 296,
      width: 4,
      height: 4,
    });
  });

  it("spans two corners in any order, but ignores a click", () => {
    const box = { x: 10, y: 20, width: 90, height: 60 };
    expect(between({ x: 100, y: 80 }, { x: 10, y: 20 }, picture)).toEqual(box);
    expect(between({ x: 10, y: 80 }, { x: 100, y: 20 }, picture)).toEqual(box);
    expect(between({ x: 10, y: 10 }, { x: 11, y: 200 }, picture)).toBeUndefined();
  });

  it("is moved by arrows and resized by arrows with Shift, up to the edge", () => {
    const box = { x: 2, y: 10, width: 20, height: 20 };
    const press = (key: string, shiftKey = false) => nudged(box, { key, shiftKey }, picture);
    expect(press("ArrowRight")).toEqual({ ...box, x: 6 });
    expect(press("ArrowLeft")).toEqual({ ...box, x: 0 });
    expect(press("ArrowDown")).toEqual({ ...box, y: 14 });
    expect(press("ArrowDown", true)).toEqual({ ...box, height: 24 });
    expect(press("ArrowLeft", true)).toEqual({ ...box, width: 16 });
    expect(press("Enter")).toBeUndefined();
  });
});
