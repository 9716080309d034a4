import type { Pool } from "pg";
import type { InquiryForm } from "#contracts/inquiry/inquiry-forms.ts";

type Family = InquiryForm["family"];

/** An inquiry or a notice whose key may exist. */
export interface KnownInquiry {
  readonly id: string;
  readonly family: Family;
}

/** Which inquiries and notices there are: the command side's table `command.inquiry`. */
export class InquiryStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Before the stream is there. Once more for the same id changes nothing. */
  async add({ id, family }: KnownInquiry, receivedAt: string): Promise<void> {
    await this.#pool.query(
      "insert into command.inquiry (id, family, received_at) values ($1, $2, $3) on conflict do nothing",
      [id, family, receivedAt],
    );
  }

  /** Those from before a time, the oldest first. */
  async receivedBefore(before: Date, limit: number): Promise<readonly KnownInquiry[]> {
    const { rows } = await this.#pool.query<KnownInquiry>(
      "select id, family from command.inquiry where received_at < $1 order by received_at, id limit $2",
      [before, limit],
    );
    return rows;
  }

  /** The newest, with the time at which each was received. */
  async newest(limit: number): Promise<readonly (KnownInquiry & { readonly receivedAt: Date })[]> {
    const { rows } = await this.#pool.query<KnownInquiry & { receivedAt: Date }>(
      `select id, family, received_at as "receivedAt" from command.inquiry
       order by received_at desc, id limit $1`,
      [limit],
    );
    return rows;
  }

  /** @param digits the first ten digits of the ids, in lower case. */
  async withDigits(digits: string): Promise<readonly KnownInquiry[]> {
    const { rows } = await this.#pool.query<KnownInquiry>(
      "select id, family from command.inquiry where starts_with(replace(id::text, '-', ''), $1)",
      [digits],
    );
    return rows;
  }

  async withId(id: string): Promise<KnownInquiry | undefined> {
    const { rows } = await this.#pool.query<KnownInquiry>(
      "select id, family from command.inquiry where id = $1",
      [id],
    );
    return rows[0];
  }

  async remove(id: string): Promise<void> {
    await this.#pool.query("delete from command.inquiry where id = $1", [id]);
  }
}
