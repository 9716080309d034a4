import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { color, darkColor, tokensCss } from "./tokens.ts";

/** WCAG 2.2 contrast of two `#rrggbb` colors. */
function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const channel = (from: number) => {
    const value = Number.parseInt(hex.slice(from, from + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

it("tokens.css matches tokens.ts", () => {
  expect(readFileSync(new URL("./tokens.css", import.meta.url), "utf8")).toBe(tokensCss());
});

it("dark colors are dark, under the same names", () => {
  expect(Object.keys(darkColor).toSorted()).toEqual(Object.keys(color).toSorted());
  for (const ground of ["paper", "ground", "groundStrong", "raised"] as const)
    expect(luminance(darkColor[ground])).toBeLessThan(0.05);
});

describe.each([
  ["light", color],
  ["dark", darkColor],
])("the %s colors", (_name, color) => {
  it.each([
    ["ink", "paper"],
    ["ink", "ground"],
    ["ink", "groundStrong"],
    ["ink", "raised"],
    ["ink", "mark"],
    ["primary", "mark"],
    ["ink", "dueTint"],
    ["ink", "primaryTint"],
    ["ink", "privateTint"],
    ["ink", "warningTint"],
    ["inkMuted", "paper"],
    ["inkMuted", "ground"],
    ["inkMuted", "groundStrong"],
    ["inkMuted", "primaryTint"],
    ["inkMuted", "privateTint"],
    ["inkInverse", "primary"],
    ["inkInverse", "primaryStrong"],
    ["inverseInk", "inverse"],
    ["inverseInkMuted", "inverse"],
    ["primary", "paper"],
    ["primary", "ground"],
    ["primary", "raised"],
    ["primary", "primaryTint"],
    ["primaryStrong", "paper"],
    ["primaryStrong", "ground"],
    ["warning", "paper"],
    ["warning", "raised"],
    ["warning", "warningTint"],
    ["due", "paper"],
    ["due", "ground"],
    ["due", "raised"],
    ["due", "privateTint"],
    ["due", "dueTint"],
    ["settled", "paper"],
    ["settled", "raised"],
    ["settled", "settledTint"],
    ["private", "paper"],
    ["private", "privateTint"],
  ] as const)("%s text is readable on %s", (text, ground) => {
    expect(contrast(color[text], color[ground])).toBeGreaterThanOrEqual(4.5);
  });

  it.each([
    ["lineStrong", "paper"],
    ["lineStrong", "ground"],
    ["lineStrong", "privateTint"],
    ["focus", "paper"],
    ["focus", "ground"],
    ["focus", "primaryTint"],
    ["inverseFocus", "inverse"],
  ] as const)("the border of a control in %s is distinguishable from %s", (edge, ground) => {
    expect(contrast(color[edge], color[ground])).toBeGreaterThanOrEqual(3);
  });
});
