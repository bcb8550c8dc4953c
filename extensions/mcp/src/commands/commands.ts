import { RuntimeCapabilityError } from "@openclaw/plugin-sdk/errors";
import { errorMessage } from "@openclaw/plugin-sdk/kit";
import { type CliContext, defined } from "@openclaw/plugin-sdk/plugin-entry";
import { unpinnedPackage } from "../diagnostics.js";
import { McpServerNotFoundError } from "../errors.js";
import type { AcceptedTools } from "../methods.js";
import type { ServerOverview } from "../servers.js";
import { fields, readServer } from "../settings.js";
import { logIn, logOut } from "./auth.js";
import { type AddOptions, entryOf, literalSecrets } from "./entry.js";
import { describeImport } from "./import.js";
import { changeLines, note, print, serverLines, toolLines } from "./output.js";

interface JsonOption {
  readonly json?: boolean;
}

/**
 * Adds `openclaw mcp` to the command line.
 * @param context - command line, and access to the gateway
 * @param configured - returns the section `mcpServers`
 */
export function describeMcpCommands(
  context: CliContext,
  configured: () => Readonly<Record<string, unknown>>,
): void {
  const { program, callGateway, setExitCode } = context;
  const call = async <Result>(method: string, params: Readonly<Record<string, unknown>> = {}) => {
    if (callGateway === undefined) {
      throw new RuntimeCapabilityError("mcp", "callGateway", "use the command line of OpenClaw");
    }
    // The method of this plugin, or of the host, has this result.
    return (await callGateway(method, params)) as Result;
  };
  const change = async (entries: Readonly<Record<string, object | undefined>>) => {
    const changes = Object.entries(entries).map(([name, value]) => ({
      path: ["mcpServers", name],
      ...defined({ value }),
    }));
    const { baseHash } = await call<{ baseHash: string }>("config.get");
    const { problem } = await call<{ problem?: string }>("config.set", { baseHash, changes });
    if (problem !== undefined) note(problem);
  };

  const mcp = program.command("mcp").description("add, list, test and remove MCP servers");

  mcp
    .command("add")
    .description("add a server, start it and list its tools")
    .argument("<name>", "name of the server, with which the names of its tools begin")
    .argument("[target...]", "a URL, or after -- a command with its arguments")
    .option(
      "-e, --env <pair...>",
      "variable of the command, NAME=value; the value may refer to a stored secret",
    )
    .option("-H, --header <pair...>", "header of each request, 'Name: value'")
    .option("--cwd <folder>", "folder of the command")
    .option(
      "--sandbox <folder...>",
      "run the command in a sandbox that sees these folders and has no network",
    )
    .option("-t, --transport <name>", "stdio or http; follows from the target when absent")
    .option("--no-test", "do not start the server")
    .action(
      async (name: string, target: readonly string[], options: AddOptions & { test: boolean }) => {
        const entry = entryOf(name, target, options);
        const isNew = configured()[name] === undefined;
        await change({ [name]: entry });
        print(false, entry, () => [`${isNew ? "Added" : "Replaced"} MCP server ${name}.`]);
        const settings = readServer(name, fields(entry));
        const unpinned = "problem" in settings ? undefined : unpinnedPackage(settings);
        if ("command" in entry && options.sandbox === undefined) {
          note(
            `${name} runs outside a sandbox, with your rights. To limit it to a folder: openclaw mcp add ${name} --sandbox FOLDER -- …`,
          );
        }
        if (unpinned !== undefined) {
          note(
            `${unpinned} is installed in its newest version at each start. Name a version to keep its code: ${unpinned}@1.2.3`,
          );
        }
        for (const key of literalSecrets(entry)) {
          note(
            `The value of ${key} is written into the configuration. To store it encrypted: openclaw secrets set NAME, and give \${secret:NAME} as the value`,
          );
        }
        if (!options.test) return;
        try {
          const tested = await call<ServerOverview>("mcp.test", { server: name });
          print(false, tested, () => toolLines(tested));
        } catch (error) {
          note(errorMessage(error));
          note(`The entry is kept. Test it again: openclaw mcp test ${name}`);
          setExitCode?.(1);
        }
      },
    );

  describeImport(mcp, {
    configured: () => Object.keys(configured()),
    write: change,
    async storedSecrets() {
      const { secrets } = await call<{ secrets: readonly { name: string }[] }>("secrets.list");
      return secrets.map(({ name }) => name);
    },
    async storeSecret({ name, value }) {
      await call("secrets.set", { name, value });
    },
  });

  mcp
    .command("list")
    .description("list the servers with their states")
    .option("--json", "print the list as JSON")
    .action(async ({ json = false }: JsonOption) => {
      const listed = await call<{ servers: readonly ServerOverview[] }>("mcp.list");
      print(json, listed, () => serverLines(listed.servers));
    });

  mcp
    .command("test")
    .description("connect to a server and list its tools")
    .argument("<name>", "name of the server")
    .option("--json", "print the result as JSON")
    .action(async (name: string, { json = false }: JsonOption) => {
      const tested = await call<ServerOverview>("mcp.test", { server: name });
      print(json, tested, () => toolLines(tested));
    });

  mcp
    .command("accept")
    .description(
      "show tools whose definitions changed, or a server of a workspace, and accept them",
    )
    .argument("<name>", "name of the server")
    .argument("[tool]", "name of one tool; all of them when absent")
    .option("--yes", "accept the definitions, or the server")
    .action(async (name: string, tool: string | undefined, { yes = false }: { yes?: boolean }) => {
      const { servers } = await call<{ servers: readonly ServerOverview[] }>("mcp.list");
      const server = servers.find((each) => each.name === name);
      if (server === undefined) throw new McpServerNotFoundError(name, names(servers));
      if (server.isUndecided === true) {
        print(false, server, () => [`${name}  ${server.target}  (from ${server.origin})`]);
        if (!yes) {
          note(`Accept with: openclaw mcp accept ${name} --yes`);
          setExitCode?.(3);
          return;
        }
        await call<AcceptedTools>("mcp.accept", { server: name });
        print(false, name, () => [`Accepted MCP server ${name}, until its entry changes.`]);
        return;
      }
      const open = (server.tools ?? []).filter(
        (each) => each.problem !== undefined && (tool === undefined || tool === each.tool),
      );
      print(false, open, () =>
        open.length === 0 ? ["Nothing to accept."] : open.flatMap(changeLines),
      );
      if (open.length === 0) return;
      if (!yes) {
        note(
          `Accept with: openclaw mcp accept ${name}${tool === undefined ? "" : ` ${tool}`} --yes`,
        );
        setExitCode?.(3);
        return;
      }
      const params = { server: name, ...defined({ tool }) };
      const { accepted } = await call<AcceptedTools>("mcp.accept", params);
      print(false, accepted, () => [`Accepted: ${accepted.join(", ")}`]);
    });

  mcp
    .command("auth")
    .description("log in to a server over HTTP, whose tokens are stored encrypted")
    .argument("<name>", "name of the server")
    .option("--remove", "remove the login, and revoke its tokens")
    .action(async (name: string, { remove = false }: { remove?: boolean }) => {
      await (remove ? logOut(name, call) : logIn(name, call, context));
    });

  mcp
    .command("remove")
    .description("remove a server, and what is stored about its tools")
    .argument("<name>", "name of the server")
    .action(async (name: string) => {
      const entry = configured()[name];
      if (entry === undefined) {
        throw new McpServerNotFoundError(name, Object.keys(configured()));
      }
      await change({ [name]: undefined });
      await call("mcp.forget", { server: name, entry });
      print(false, name, () => [`Removed MCP server ${name}.`]);
    });

  mcp
    .command("logs")
    .description("print what a server of the running gateway wrote to its standard error")
    .argument("<name>", "name of the server")
    .action(async (name: string) => {
      const { lines } = await call<{ lines: readonly string[] }>("mcp.logs", { server: name });
      print(false, lines, () =>
        lines.length === 0 ? [`No lines of ${name} since the gateway started it.`] : lines,
      );
    });
}

function names(servers: readonly ServerOverview[]): readonly string[] {
  return servers.map(({ name }) => name);
}
