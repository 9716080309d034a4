import { Secret, TOTP } from "otpauth";
import type { Role } from "#contracts/http/account.ts";
import { DEVICE_COOKIE } from "../account/device.store.ts";
import type { Fixture } from "./command-api.fixture.ts";
import { PASSWORD } from "./sessions.fixture.ts";

/** The code of an authenticator app this many steps of 30 seconds from now. */
export function totpCode(secret: string, steps = 0, now = Date.now()): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return totp.generate({ timestamp: now + steps * 30_000 });
}

export class Browser {
  readonly #fixture: Fixture;
  readonly ip: string;
  cookie = "";
  token = "";

  constructor(fixture: Fixture, ip: string) {
    this.#fixture = fixture;
    this.ip = ip;
  }

  async send(method: "POST" | "DELETE" | "GET", path: string, payload?: object) {
    const answer = await this.#fixture.api.app.inject({
      method,
      url: path.startsWith("/") ? path : `/prod/api/auth/${path}`,
      headers: {
        "x-forwarded-for": this.ip,
        ...(this.cookie ? { cookie: `${DEVICE_COOKIE}=${this.cookie}` } : {}),
        ...(this.token ? { authorization: `Bearer ${this.token}` } : {}),
      },
      ...(payload ? { payload } : {}),
    });
    const set = answer.cookies.find(({ name }) => name === DEVICE_COOKIE);
    if (set) this.cookie = set.value;
    return answer;
  }

  /** Takes the first step of a sign-in. */
  async login(email: string, password = PASSWORD) {
    this.token = "";
    const { data } = (await this.send("POST", "login", { email, password })).json();
    if (data?.token) this.token = data.token;
    return data;
  }

  /** Takes the second step. @returns its status, or the error code. */
  async finish(challenge: string, code: string): Promise<number | string> {
    this.token = "";
    const answer = await this.send("POST", "login/two-factor", { challenge, code });
    const { data, error } = answer.json();
    if (data?.token) this.token = data.token;
    return error?.code ?? answer.statusCode;
  }
}

let browsers = 0;
export const newBrowser = (fixture: Fixture) => {
  browsers += 1;
  return new Browser(fixture, `10.${browsers >> 16}.${(browsers >> 8) & 255}.${browsers & 255}`);
};

/** Adds an account, and signs in to it from a new browser. */
export async function newAccount(fixture: Fixture, role: Role = "user") {
  const added = await fixture.addAccount({ role });
  const home = newBrowser(fixture);
  await home.login(added.email);
  return { ...added, home };
}

/**
 * Creates an account with two-factor authentication.
 * @param steps which code turns it on, relative to the current one. A previous code leaves the current one for a
 *   sign-in, but expires at the end of a step unless the clock is stopped.
 */
export async function newProtectedAccount(fixture: Fixture, steps = 0, role?: Role) {
  const account = await newAccount(fixture, role);
  const { home } = account;
  const { secret } = (await home.send("POST", "two-factor/setup")).json().data;
  const code = totpCode(secret, steps);
  const answer = await home.send("POST", "two-factor/confirm", { code });
  const { token, recovery_codes: codes } = answer.json().data;
  home.token = token;
  return { ...account, secret: secret as string, codes: codes as string[] };
}
