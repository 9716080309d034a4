import type { TSchema } from "typebox";
import type { System } from "./in-process.ts";

interface Operation {
  readonly parameters?: readonly { in: string; name: string; schema: TSchema }[];
  readonly requestBody?: {
    readonly content?: Record<string, { schema?: { properties?: Record<string, TSchema> } }>;
  };
}

/** Returns every route of the running services with the documented fields of its body and query. */
export function routesOf({ queryApi, commandApi }: Pick<System, "queryApi" | "commandApi">) {
  const services = { "query-api": queryApi, "command-api": commandApi };
  return Object.entries(services).flatMap(([service, { app }]) => {
    const { paths = {} } = app.swagger() as { paths?: Record<string, Record<string, Operation>> };
    return app.routeTable.map((route) => {
      const path = paths[route.url.replace(/:(\w+)/g, "{$1}")];
      const { parameters = [], requestBody } = path?.[route.method.toLowerCase()] ?? {};
      const query = parameters.filter((parameter) => parameter.in === "query");
      return {
        ...route,
        app,
        service: service as keyof typeof services,
        body: requestBody?.content?.["application/json"]?.schema?.properties ?? {},
        query: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
      };
    });
  });
}
