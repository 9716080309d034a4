import { expect, it } from "vitest";
import { exportText } from "./list-exports.routes.ts";

async function* pages(...all: (readonly object[])[]) {
  for (const rows of all) yield { rows };
}

async function written(format: "csv" | "json", most: number, ...all: (readonly object[])[]) {
  let text = "";
  for await (const piece of exportText(pages(...all), format, ["id", "name", "tags"], most))
    text += piece;
  return text;
}

it("writes CSV with a BOM and a header row, and no cell that is a formula", async () => {
  const rows = [
    { id: 1, name: '=HYPERLINK("http://x")', tags: ["a", "b"] },
    { id: 2, name: "Ames, Quinn", tags: [] },
  ];
  expect(await written("csv", 9, rows, [{ id: 3, name: "B", tags: [{ a: 1 }] }])).toBe(
    [
      "\u{feff}id,name,tags",
      `1,"'=HYPERLINK(""http://x"")","a; b"`,
      '2,"Ames, Quinn",',
      '3,B,"[{""a"":1}]"',
      "",
    ].join("\r\n"),
  );
});

it("writes complete JSON, even without rows", async () => {
  const rows = [{ id: 1, name: "a\nb" }, { id: 2 }];
  expect(JSON.parse(await written("json", 9, rows, [], [{ id: 3 }]))).toEqual([...rows, { id: 3 }]);
  expect(JSON.parse(await written("json", 0))).toEqual([]);
});

it("writes no more rows than the log recorded", async () => {
  const rows = [{ id: 1 }, { id: 2 }];
  expect(JSON.parse(await written("json", 3, rows, rows, rows))).toHaveLength(3);
  expect((await written("csv", 1, rows)).split("\r\n")).toHaveLength(3);
});
