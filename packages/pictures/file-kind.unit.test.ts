import { describe, expect, it } from "vitest";
import { isAnimated, kindOf, pdfProblem } from "./pictures.ts";
import { pdf, zipEnd } from "./testing/made-files.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");

describe("the detected kind of a file", () => {
  it.each([
    ["\x89PNG\r\n\x1a\n....", "png"],
    ["\xff\xd8\xff\xe0..", "jpeg"],
    ["RIFF....WEBPVP8 ", "webp"],
    ["%PDF-1.4\n", "pdf"],
    ["....ftypheic....", "heic"],
    ["....ftypmif1....", "heic"],
    ["....ftypavif....", "unknown"],
    ["<svg xmlns='http://www.w3.org/2000/svg'>", "svg"],
    ["\xef\xbb\xbf<?xml version='1.0'?>\n<!-- a -->\n<SVG >", "svg"],
    ["<html><body><script>alert(1)</script>", "unknown"],
    ["#!/bin/sh\nrm -rf /", "unknown"],
    ["GIF89a....", "unknown"],
    ["BM....", "unknown"],
    ["II*\0....", "unknown"],
    ["RIFF....AVI LIST", "unknown"],
    [" %PDF-1.4\n", "unknown"],
    ["\x89PNG\r\n", "unknown"],
    ["", "unknown"],
  ] as const)("is for %j: %s", (text, kind) => {
    expect(kindOf(bytes(text))).toBe(kind);
  });

  it("detects animation", () => {
    expect(isAnimated("webp", bytes("RIFF....WEBPVP8X....\x02..."))).toBe(true);
    expect(isAnimated("webp", bytes("RIFF....WEBPVP8X....\x10..."))).toBe(false);
    expect(isAnimated("webp", bytes("RIFF....WEBPVP8 ....\x02..."))).toBe(false);
    expect(isAnimated("png", bytes("........IHDR acTL IDAT"))).toBe(true);
    // Pixel data may contain any letters.
    expect(isAnimated("png", bytes("........IHDR IDAT acTL"))).toBe(false);
    expect(isAnimated("jpeg", bytes("acTL"))).toBe(false);
  });
});

describe("a PDF", () => {
  it("is accepted if it begins and ends like one", () => {
    for (const whole of [pdf(), Buffer.concat([pdf(), pdf()]), pdf("PK\u0003\u0004\n")])
      expect(pdfProblem(whole)).toBeUndefined();
    expect(pdfProblem(Buffer.concat([pdf(), bytes("\r\n\0\0 ")]))).toBeUndefined();
  });

  it("is damaged if it is cut off, or only claims to be one", () => {
    const whole = pdf();
    for (const cut of [
      whole.subarray(0, 20),
      whole.subarray(0, whole.length - 4),
      Buffer.concat([whole, Buffer.alloc(2000, " ")]),
      bytes("%PDF-9.9\nstartxref\n%%EOF"),
      bytes("%PDF-<script>startxref %%EOF"),
    ])
      expect(pdfProblem(cut)).toBe("damaged");
  });

  it("is suspicious if it is also an archive or a page", () => {
    expect(pdfProblem(Buffer.concat([pdf(), zipEnd()]))).toBe("suspicious");
    expect(pdfProblem(Buffer.concat([pdf(), zipEnd(String(pdf()))]))).toBe("suspicious");
    expect(pdfProblem(Buffer.concat([pdf(), bytes("<html><script>")]))).toBe("suspicious");
  });
});
