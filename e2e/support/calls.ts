/**
 * Sends a call that changes something, and gives what its reply holds.
 * @param body JSON, or the bytes of a file.
 * @throws when the registry refuses it.
 */
export async function post<T = Readonly<Record<string, unknown>>>(
  url: string,
  route: string,
  body: object,
  token?: string,
): Promise<T> {
  const isFile = body instanceof Uint8Array;
  const reply = await fetch(`${url}/prod/api${route}`, {
    method: "POST",
    headers: {
      "content-type": isFile ? "application/octet-stream" : "application/json",
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: isFile ? new Uint8Array(body) : JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${route} answered ${reply.status}: ${await reply.text()}`);
  return ((await reply.json()) as { data: T }).data;
}
