import { fileURLToPath } from "node:url";
import { startOAuthServer, startTestServer } from "../../packages/platform-fakes/dist/index.js";

const STDIO_SERVER = fileURLToPath(
  new URL("../../extensions/mcp/test/support/stdio-server.mjs", import.meta.url),
);

/** Adds a server as Claude Code does: the command after `--` must answer `initialize`. */
const CLAUDE = `#!/bin/sh
while [ "$1" != -- ]; do shift; done
shift
request='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"claude","version":"1"}}}'
{ echo "$request"; sleep 4; } | timeout 20 "$@" | grep -q '"serverInfo"'
`;

/** A server without Node.js: in a sandbox it has its folders and the programs of the system. */
const FILES_SERVER = `while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\\([^,}]*\\).*/\\1/p')
  case "$line" in
    *'"initialize"'*) result='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"files","version":"1"}}' ;;
    *'"tools/list"'*) result='{"tools":[{"name":"read","inputSchema":{"type":"object"}}]}' ;;
    *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$result"
done
`;

/**
 * Scene of MCP servers: `linear`, which asks for a login, here and in the files of another program, and `files`.
 * @param reader - reader of the page
 */
export async function mcpServers(reader) {
  reader.program("claude", CLAUDE);
  const oauth = await startOAuthServer({ registersClients: true });
  const server = await protectedServer(oauth);
  const url = `${server.origin}/mcp`;
  await trust(reader, [oauth.host, new URL(server.origin).host]);
  const files = { command: "npx", args: ["-y", "@modelcontextprotocol/server-files"] };
  const mcpServers = { linear: { type: "http", url }, files };
  reader.write({
    "../.claude.json": JSON.stringify({ mcpServers }),
    "data/files-mcp": FILES_SERVER,
  });
  return {
    replaced: {
      "https://mcp.linear.app/mcp": [url],
      "/usr/local/bin/files-mcp": [`sh ${reader.project}/data/files-mcp`],
      "/srv/data": [`${reader.project}/data`],
      "npx -y @modelcontextprotocol/server-everything@2026.7.4": [`node ${STDIO_SERVER}`],
    },
    services: [server, oauth],
  };
}

/**
 * Scene of the plugin `mail`, which registers the credential `google`.
 * @param reader - reader of the page
 */
export async function mailLogin(reader) {
  const oauth = await startOAuthServer();
  const credential = {
    ...{ id: "google", label: "Google Mail", clientId: "client", endpoints: oauth.endpoints },
  };
  reader.write({
    "mail/openclaw.plugin.json": JSON.stringify({ id: "mail", configSchema: { type: "object" } }),
    "mail/package.json": JSON.stringify({
      ...{ name: "mail", version: "1.0.0", type: "module" },
      openclaw: { extensions: ["./index.js"] },
    }),
    "mail/index.js": `export default { id: "mail", register(api) { api.registerOAuthCredential(${JSON.stringify(credential)}); } };\n`,
  });
  await trust(reader, [oauth.host]);
  await reader.shell(`openclaw config set plugins.load.paths "[\\"$PWD/mail\\"]"`);
  return { services: [oauth] };
}

async function trust(reader, hosts) {
  await reader.openclaw(["config", "set", "tools.http.allowHosts", JSON.stringify(hosts)]);
}

/** An MCP server over HTTP whose requests need a token of an authorization server. */
async function protectedServer(oauth) {
  const server = await startTestServer(({ path, method, headers, body }) => {
    if (path.startsWith("/.well-known/oauth-protected-resource")) {
      const resource = `${server.origin}/mcp`;
      return { body: JSON.stringify({ resource, authorization_servers: [oauth.issuer] }) };
    }
    const token = headers.authorization?.replace("Bearer ", "");
    if (!oauth.tokens.some(({ accessToken }) => accessToken === token)) {
      return { status: 401, body: "{}" };
    }
    if (method !== "POST") return { status: 405, body: "{}" };
    if (body.id === undefined) return { status: 202, body: "" };
    const results = {
      initialize: {
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "linear", version: "1" },
      },
      "tools/list": { tools: [{ name: "triage", inputSchema: { type: "object" } }] },
    };
    const result = results[body.method];
    const error = { code: -32601, message: "Method not found" };
    return {
      body: JSON.stringify({
        ...{ jsonrpc: "2.0", id: body.id },
        ...(result === undefined ? { error } : { result }),
      }),
    };
  });
  return server;
}
