import { makePerson, makeReport, uniqueLastName } from "../seeding/made-up-reports.ts";
import type { Random } from "../seeding/random.ts";
import type { Caller } from "./caller.ts";

/** Submits a report about a person whose last name nobody else has. @param n number of the name. @returns its id. */
export async function submitReport(visitor: Caller, random: Random, n: number): Promise<string> {
  const body = makeReport(random, makePerson(random, uniqueLastName(n)));
  const { id } = await visitor<{ id: string }>("POST", "/prod/api/reports/submit", body);
  return id;
}
