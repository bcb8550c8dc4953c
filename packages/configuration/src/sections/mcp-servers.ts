import { Type } from "typebox";

/** Server of the Model Context Protocol (EXT-010); the extension `mcp` uses it. */
export interface McpServerSection {
  type?: "stdio" | "http" | "streamable-http" | "sse";
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  cwd?: string;
  url?: string;
  headers?: Record<string, string>;
  oauth?: {
    clientId?: string;
    clientSecret?: string;
    clientMetadataUrl?: string;
    scopes?: string[];
  };
  sandbox?: { folders?: string[] };
  enabled?: boolean;
  start?: "eager" | "lazy";
  approval?: "hints" | "never" | "unless-granted" | "always";
  tools?: { allow?: string[]; deny?: string[] };
  startupTimeoutMs?: number;
  timeoutMs?: number;
}

const strings = Type.Record(Type.String(), Type.String());
const names = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description }));

/** Schema of the section `mcpServers`, the map that other MCP clients have too. */
export const mcpServersSchema = Type.Record(
  Type.String({ pattern: "^[^\\u0000-\\u001f]{1,64}$" }),
  Type.Object(
    {
      type: Type.Optional(
        Type.Enum(["stdio", "http", "streamable-http", "sse"], {
          description:
            "Transport; `command` means stdio, and `url` means http, when absent. A server that does not speak http is tried with sse, the transport of 2024.",
        }),
      ),
      command: Type.Optional(
        Type.String({
          minLength: 1,
          description: "Program of a server that runs on this machine.",
        }),
      ),
      args: Type.Optional(Type.Array(Type.String(), { description: "Arguments of the program." })),
      env: Type.Optional({
        ...strings,
        description:
          "Environment variables of the program; of the host's own it gets only harmless ones.",
      }),
      cwd: Type.Optional(
        Type.String({ minLength: 1, description: "Folder of the program; default the workspace." }),
      ),
      url: Type.Optional(
        Type.String({ minLength: 1, description: "URL of a server that is reached over HTTP." }),
      ),
      headers: Type.Optional({
        ...strings,
        description: "Headers of each request, for example `Authorization`.",
      }),
      sandbox: Type.Optional(
        Type.Object(
          {
            folders: Type.Optional(
              Type.Array(Type.String({ minLength: 1 }), {
                description: "Absolute paths of the folders that it sees and can change.",
              }),
            ),
          },
          {
            additionalProperties: false,
            description:
              "Runs the program in a sandbox without network that sees only programs of the system and these folders; it is not started where no sandbox works.",
          },
        ),
      ),
      oauth: Type.Optional(
        Type.Object(
          {
            clientId: Type.Optional(
              Type.String({
                minLength: 1,
                description: "ID of a client that you registered at the authorization server.",
              }),
            ),
            clientSecret: Type.Optional(
              Type.String({ minLength: 1, description: "Secret of that client, if it has one." }),
            ),
            clientMetadataUrl: Type.Optional(
              Type.String({
                pattern: "^https://.+/.+",
                description:
                  "URL of a client ID metadata document; default the one of this gateway, when `gateway.publicUrl` is https.",
              }),
            ),
            scopes: names("Scopes to request in addition to those that the server asks for."),
          },
          {
            additionalProperties: false,
            description: "Login with `openclaw mcp auth`, for a server over HTTP.",
          },
        ),
      ),
      enabled: Type.Optional(
        Type.Boolean({ default: true, description: "False keeps the entry and does not use it." }),
      ),
      start: Type.Optional(
        Type.Enum(["eager", "lazy"], {
          description:
            "`eager` connects once the gateway is ready. `lazy` connects at the first call, once the tools of the server are known; default `lazy`.",
        }),
      ),
      approval: Type.Optional(
        Type.Enum(["hints", "never", "unless-granted", "always"], {
          default: "hints",
          description:
            "Approval of calls. `hints` asks unless the server marks the tool as read-only or as not destructive.",
        }),
      ),
      tools: Type.Optional(
        Type.Object(
          {
            allow: names("Names of the only tools that are used, as the server gives them."),
            deny: names("Names of tools that are left out, as the server gives them."),
          },
          {
            additionalProperties: false,
            description: "Names of tools, as the server gives them, that are used or left out.",
          },
        ),
      ),
      startupTimeoutMs: Type.Optional(
        Type.Integer({
          minimum: 100,
          maximum: 600_000,
          default: 30_000,
          description: "Time in which a connection must be ready.",
        }),
      ),
      timeoutMs: Type.Optional(
        Type.Integer({
          minimum: 100,
          maximum: 600_000,
          default: 60_000,
          description: "Time of one call of a tool.",
        }),
      ),
    },
    { additionalProperties: false, description: "One MCP server." },
  ),
  { "x-key": "name", description: "MCP servers by name, whose tools agents can use." },
);
