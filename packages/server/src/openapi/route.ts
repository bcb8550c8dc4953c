import type { Context } from "hono";
import type { MethodCalls } from "../calls/method-calls.js";
import { openApiDocument } from "./document.js";

/**
 * Creates the route `GET /openapi.json` (GW-032).
 * @param version - version of the gateway
 */
export function openApiRoute(calls: Pick<MethodCalls, "definitions">, version = "0.0.0") {
  return async (context: Context): Promise<Response> =>
    context.json(openApiDocument({ version, methods: await calls.definitions() }));
}
