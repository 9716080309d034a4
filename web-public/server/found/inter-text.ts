import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import anyAscii from "any-ascii";
import type { Font } from "fontkitten";

const require = createRequire(import.meta.url);
const FILES = ["latin", "latin-ext"].map(
  (name) => `@fontsource-variable/inter/files/inter-${name}-wght-normal.woff2`,
);

export interface TextStyle {
  /** Left edge (right edge with `end`) and baseline, in pixels. */
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly fill: string;
  readonly strong?: boolean;
  readonly end?: boolean;
  /** In pixels. Longer text is cut and ends in an ellipsis. */
  readonly width: number;
}

/** Draws text as SVG paths, so that the renderer needs no installed font. */
export type DrawText = (text: string, style: TextStyle) => string;

/** Outline width of bold text, and the extra letter spacing that makes room for it, in ems. */
const STRONG = 0.036;
/** Maximum number of letters to shape. No line has room for more. */
const LONGEST = 200;

/** Loads the site's own typeface. */
export async function openInter(): Promise<DrawText> {
  const { create } = await import("fontkitten");
  const fonts = await Promise.all(
    FILES.map(async (file) => create(await readFile(require.resolve(file))) as Font),
  );
  return (text, style) => draw(fonts, text, style);
}

function draw(fonts: readonly Font[], text: string, style: TextStyle): string {
  const { x, y, size, fill, strong = false, end = false, width } = style;
  const whole = shape(fonts, text.slice(0, LONGEST));
  const letters = widthOf(whole) * size <= width ? whole : cut(fonts, whole, width / size);
  const apart = strong ? STRONG : 0;
  let at = end ? x - widthOf(letters) * size : x;
  const paths = letters.map(({ path, advance, unit }) => {
    const scale = size * unit;
    const drawn = `<path transform="translate(${round(at)} ${y}) scale(${scale} ${-scale})" d="${path}"${strong ? ` stroke="${fill}" stroke-width="${STRONG / unit}"` : ""}/>`;
    at += (advance + apart) * size;
    return drawn;
  });
  return `<g fill="${fill}">${paths.join("")}</g>`;
}

interface Letter {
  readonly path: string;
  /** In ems. */
  readonly advance: number;
  /** Ems per unit of the path. */
  readonly unit: number;
}

/** Letters missing from the fonts are transliterated to Latin. */
function shape(fonts: readonly Font[], text: string): Letter[] {
  return runs(fonts, text).flatMap(([font, part]) => {
    const unit = 1 / font.unitsPerEm;
    // No kerning: close pairs such as "7." would touch once they have outlines.
    return [...part].map((letter) => {
      const glyph = font.glyphForCodePoint(letter.codePointAt(0) ?? 0);
      return { path: glyph.path.toSVG(), advance: glyph.advanceWidth * unit, unit };
    });
  });
}

function runs(fonts: readonly Font[], text: string): [Font, string][] {
  const parts: [Font, string][] = [];
  const [latin] = fonts as [Font];
  const fontOf = (letter: string) =>
    fonts.find((font) => font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0));
  for (const letter of text.normalize("NFC")) {
    const font = fontOf(letter);
    const shown = font ? letter : anyAscii(letter);
    const last = parts.at(-1);
    if (last && last[0] === (font ?? latin)) last[1] += shown;
    else parts.push([font ?? latin, shown]);
  }
  return parts;
}

function cut(fonts: readonly Font[], letters: readonly Letter[], ems: number): Letter[] {
  const ellipsis = shape(fonts, "…");
  let room = ems - widthOf(ellipsis);
  const end = letters.findIndex(({ advance }) => {
    room -= advance;
    return room < 0;
  });
  return [...letters.slice(0, end), ...ellipsis];
}

function widthOf(letters: readonly Letter[]): number {
  return letters.reduce((sum, { advance }) => sum + advance, 0);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
