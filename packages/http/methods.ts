import Router, { type HTTPVersion, type Instance } from "find-my-way";
import { DomainError } from "#contracts/domain-error.ts";
import { API_ROUTES } from "#contracts/http/routes.ts";
import { inputBounds } from "./bounds.ts";
import { messages } from "./errors.ts";

/** The URL exists but only for other methods (RFC 9110, section 15.5.6). */
export class MethodNotAllowed extends DomainError {
  /** For the `Allow` header. */
  readonly allow: readonly string[];
  constructor(allow: readonly string[]) {
    super("method_not_allowed", messages.method_not_allowed);
    this.allow = allow;
  }
}

/** The methods allowed at each URL. */
export interface MethodTable {
  /** @param pattern a route's pattern, with parameters as `:name`. */
  add(method: string, pattern: string): void;
  /** @param url path and query. @returns the error if the URL allows only other methods. */
  refusal(method: string, url: string): MethodNotAllowed | undefined;
}

/** Returns a table that starts with the contract's routes, including those of other services. */
export function createMethodTable(): MethodTable {
  const router: Instance<HTTPVersion.V1> = Router({ maxParamLength: inputBounds.parameterLength });
  const methodsOf = new Map<string, Set<string>>();

  function add(method: string, pattern: string): void {
    // Parameters in the same position may have different names in different routes.
    const shape = pattern.replace(/:\w+/g, ":_");
    let methods = methodsOf.get(shape);
    if (!methods) {
      methods = new Set();
      methodsOf.set(shape, methods);
      router.on("GET", shape, () => undefined, methods);
    }
    methods.add(method);
    if (method === "GET") methods.add("HEAD");
  }

  for (const [pattern, methods] of Object.entries(API_ROUTES))
    for (const method of Object.keys(methods)) add(method, pattern);
  return {
    add,
    refusal(method, url) {
      const methods = router.find("GET", url)?.store as ReadonlySet<string> | undefined;
      if (!methods || methods.has(method)) return undefined;
      return new MethodNotAllowed([...methods].sort());
    },
  };
}
