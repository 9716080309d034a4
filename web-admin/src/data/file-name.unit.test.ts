import { expect, it } from "vitest";
import { fileNameOf } from "./console-data-provider.ts";

it.each([
  ["attachment; filename*=UTF-8''invoice.pdf", "invoice.pdf"],
  ["attachment; filename*=UTF-8''Rechnung%20f%C3%BCr%20M%C3%BCller.pdf", "Rechnung für Müller.pdf"],
  ["attachment; filename*=UTF-8''%", undefined],
  ["attachment", undefined],
  ["", undefined],
])("reads the file name of a download from %j", (said, name) => {
  expect(fileNameOf(new Headers({ "content-disposition": said }))).toBe(name);
});
