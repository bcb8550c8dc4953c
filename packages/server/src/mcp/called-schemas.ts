import type { GatewayPort } from "./gateway-port.js";
import { offeredTools } from "./gateway-tools.js";

/** Headers in which clients of the protocol of 2026 repeat what a request is about. */
const METHOD_HEADER = "mcp-method";
const NAME_HEADER = "mcp-name";

/**
 * Returns the schema of the arguments of the tool that a request calls, as its headers name it; the library rejects a request
 * whose headers name another tool than its body.
 * @param client - gateway and session of the client
 * @param request - the request; undefined where it has no headers
 */
export async function calledSchemas(
  client: { readonly gateway: GatewayPort; readonly sessionKey: string },
  request: Request | undefined,
): Promise<ReadonlyMap<string, Record<string, unknown>>> {
  const name = request?.headers.get(NAME_HEADER);
  if (request?.headers.get(METHOD_HEADER) !== "tools/call" || name == null) return new Map();
  const { tools } = await offeredTools(client);
  return new Map(
    tools.flatMap((tool) => (tool.name === name ? [[name, { ...tool.parameters }]] : [])),
  );
}
