import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";

/** Protocol of a client: the sessions of 2025, or the requests of 2026 that stand alone. */
export type McpEra = "legacy" | "modern";

/** Options of {@link connectMcp}. */
export interface McpConnection {
  readonly url: string;
  readonly token: string;
  readonly era?: McpEra | undefined;
  readonly session?: string | undefined;
  readonly capabilities?: ClientOptions["capabilities"];
  /** False for a client that answers requests for input itself. */
  readonly isAnswered?: boolean;
}

/**
 * Connects the client of the official library to the MCP server of a gateway; it is closed after the test.
 * @param connection - URL, token and era
 */
export async function connectMcp({
  url,
  token,
  era = "modern",
  session,
  capabilities = {},
  isAnswered = true,
}: McpConnection): Promise<Client> {
  const client = new Client(
    { name: "test-client", version: "1.0.0" },
    {
      capabilities,
      inputRequired: { autoFulfill: isAnswered },
      versionNegotiation: { mode: era === "modern" ? { pin: "2026-07-28" } : "legacy" },
    },
  );
  const headers: Record<string, string> = { authorization: `Bearer ${token}` };
  if (session !== undefined) headers["x-openclaw-session-key"] = session;
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", url), {
    requestInit: { headers },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}
