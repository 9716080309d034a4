type Data = Readonly<Record<string, unknown>>;

/**
 * Sends a POST request and returns the data of the reply.
 * @param body JSON, or the bytes of a file.
 * @throws when the registry refuses it.
 */
export function post<T = Data>(url: string, route: string, body: object, token?: string) {
  return send<T>(url, `POST ${route}`, body, token);
}

/**
 * Like `post`, with any method, for example `PUT /auth/profile`.
 * @returns undefined if the reply is a file.
 */
export async function send<T = Data>(
  url: string,
  request: string,
  body: object,
  token?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> {
  const [method = "", route = ""] = request.split(" ");
  const isFile = body instanceof Uint8Array;
  const type = isFile ? "application/octet-stream" : "application/json";
  const sent = isFile ? new Uint8Array(body) : JSON.stringify(body);
  const reply = await fetch(`${url}/prod/api${route}`, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
      ...(method === "GET" ? {} : { "content-type": type }),
    },
    ...(method === "GET" ? {} : { body: sent }),
  });
  if (!reply.ok) throw new Error(`${request} answered ${reply.status}: ${await reply.text()}`);
  const isJson = reply.headers.get("content-type")?.startsWith("application/json");
  return ((isJson ? await reply.json() : {}) as { data: T }).data;
}
