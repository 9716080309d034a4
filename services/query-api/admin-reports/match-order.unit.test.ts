import { expect, it } from "vitest";
import type { NameDifference } from "#contracts/http/report-view.ts";
import { byEvidence } from "./admin-reports.routes.ts";

type Match = Parameters<typeof byEvidence>[0];

const match = (
  id: string,
  shares: string[],
  [first, last]: readonly [NameDifference["kind"], NameDifference["kind"]],
  day = "01",
): Match =>
  ({
    id,
    shares,
    first_name_differs: { kind: first },
    last_name_differs: { kind: last },
    created_at: `2026-11-${day}T00:00:00.000Z`,
  }) as Match;

it("sorts possible matches by shared identifiers, then by name, then newest first", () => {
  const strongestFirst = [
    match("three shared, another name", ["email", "phone", "card"], ["different", "different"]),
    match("two shared, another name", ["email", "phone"], ["different", "different"], "30"),
    match("same name, newer", ["email"], ["same", "same"], "09"),
    match("same name, older", ["email"], ["same", "same"], "02"),
    match("nickname", ["email"], ["nickname", "same"], "20"),
    match("sounds alike", ["email"], ["same", "sounds_alike"], "20"),
    match("letters apart", ["email"], ["letters", "same"], "20"),
    match("another first name", ["email"], ["different", "same"], "20"),
    match("another name", ["email"], ["different", "different"], "20"),
  ];
  const ids = strongestFirst.map(({ id }) => id);
  for (const from of [strongestFirst, strongestFirst.toReversed()])
    expect(from.toSorted(byEvidence).map(({ id }) => id)).toEqual(ids);
});
