import { jsonResult, textResult } from "@openclaw/plugin-sdk/tool-results";
import { defineTool } from "@openclaw/plugin-sdk/tools";
import { type Static, Type } from "typebox";
import type { CoreTool } from "../core-tool.js";
import { ToolRefusalError } from "../errors.js";
import { answer, refusing } from "../result.js";
import { EXTENSION_KINDS, type ExtensionInstall, type ExtensionManagement } from "./management.js";

/** Names of the tools that manage extensions (TURN-067). */
export const EXTENSION_TOOL_NAMES = [
  "tool_list",
  "tool_activate",
  "tool_install",
  "tool_auth",
  "tool_remove",
] as const;

const closed = { additionalProperties: false };
const name = Type.String({
  ...{ minLength: 1, maxLength: 300 },
  description: "Name of the extension, as tool_list shows it.",
});
const named = Type.Object({ name }, closed);
const listing = Type.Object(
  {
    kind: Type.Optional(
      Type.Enum([...EXTENSION_KINDS], { description: "Kind to list; all kinds when absent." }),
    ),
  },
  closed,
);
const installation = Type.Object(
  {
    name: Type.String({
      ...{ minLength: 1, maxLength: 300 },
      description: "npm name of a plugin, or a name of your choice for an MCP server.",
    }),
    url: Type.Optional(
      Type.String({
        ...{ minLength: 1, maxLength: 2000 },
        description: "URL of an MCP server; for a plugin a git URL or an archive instead of npm.",
      }),
    ),
    kind: Type.Optional(Type.Enum([...EXTENSION_KINDS], { default: "plugin" })),
  },
  closed,
);

/**
 * Creates the tools with which owners manage extensions in a conversation.
 * @param management - returns what changes the extensions; undefined on a host that is not a gateway
 */
export function createExtensionTools(
  management: () => ExtensionManagement | undefined,
): readonly CoreTool[] {
  const managing = <Result>(work: (extensions: ExtensionManagement) => Promise<Result>) =>
    refusing(async () => {
      const extensions = management();
      if (extensions !== undefined) return await work(extensions);
      throw new ToolRefusalError("refused", "this host is not a gateway; ask the operator");
    });
  return [
    defineTool({
      name: "tool_list",
      label: "List extensions",
      description: "List plugins and MCP servers. Shows their states and tools.",
      parameters: listing,
      ownerOnly: true,
      parallelSafe: true,
      idempotent: true,
      execute: (_id, { kind }) =>
        answer("list the extensions", async () =>
          jsonResult({ extensions: await managing((extensions) => extensions.list(kind)) }),
        ),
    }),
    defineTool({
      name: "tool_activate",
      label: "Activate an extension",
      description:
        "Enable a plugin, or accept an MCP server. A server of the workspace, or one whose tools changed, waits for this. The tools are there in the next turn.",
      parameters: named,
      ownerOnly: true,
      approval: ({ name: extension }) => ({
        need: "unless-granted",
        description: `Activates the extension ${extension}, whose tools agents can then call.`,
        grantKey: extension,
        covers: `of ${extension}`,
      }),
      execute: (_id, { name: extension }) =>
        answer(`activate ${extension}`, async () =>
          jsonResult(await managing((extensions) => extensions.activate(extension))),
        ),
    }),
    defineTool({
      name: "tool_install",
      label: "Install an extension",
      description:
        "Install a plugin, or add an MCP server by its URL. The tools are there in the next turn.",
      parameters: installation,
      ownerOnly: true,
      approval: (given) => ({ need: "always", description: installSentence(installOf(given)) }),
      execute: (_id, given) =>
        answer(`install ${given.name}`, async () =>
          jsonResult(await managing((extensions) => extensions.install(installOf(given)))),
        ),
    }),
    defineTool({
      name: "tool_auth",
      label: "Log in to an extension",
      description:
        "Start a login of an extension. Returns the URL that the user must open. Never ask for passwords or keys.",
      parameters: named,
      ownerOnly: true,
      approval: ({ name: extension }) => ({
        need: "always",
        description: `Starts a login of the extension ${extension}, which the user completes in a browser.`,
      }),
      execute: (_id, { name: extension }) =>
        answer(`log in to ${extension}`, async () => {
          const login = await managing((extensions) => extensions.authenticate(extension));
          return textResult(
            `Tell the user to open this URL within 10 minutes:\n${login.url}\nAfter the login the browser returns to ${login.returnsTo}, which it must be able to reach.`,
          );
        }),
    }),
    defineTool({
      name: "tool_remove",
      label: "Remove an extension",
      description: "Remove a plugin or an MCP server. Its settings and data are removed too.",
      parameters: named,
      ownerOnly: true,
      approval: ({ name: extension }) => ({
        need: "always",
        description: `Removes the extension ${extension} with its settings and data.`,
      }),
      execute: (_id, { name: extension }) =>
        answer(`remove ${extension}`, async () =>
          jsonResult(await managing((extensions) => extensions.remove(extension))),
        ),
    }),
  ];
}

function installOf({
  kind = "plugin",
  name: extension,
  url,
}: Static<typeof installation>): ExtensionInstall {
  return { kind, name: extension, url };
}

function installSentence({ kind, name: extension, url }: ExtensionInstall): string {
  return kind === "mcp"
    ? `Adds the MCP server ${extension} at ${url ?? "no URL"}, whose tools agents can then call.`
    : `Installs the plugin ${url ?? extension}, whose code runs in the gateway.`;
}
