import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { cwd, env, platform, stderr } from "node:process";
import type { CliContext } from "@openclaw/plugin-sdk/plugin-entry";
import { McpImportError } from "../errors.js";
import type {
  FoundServer,
  ImportPlace,
  UnusableServer,
  WrittenEntry,
} from "../import/found-server.js";
import { PROGRAMS, type Program, programFiles, readProgramFile } from "../import/programs.js";
import { type LiteralSecret, separateSecrets } from "../import/secrets.js";
import { print } from "./output.js";

/** Access of the command to the gateway. */
export interface ImportGateway {
  /** Returns the names of stored secrets. */
  storedSecrets(): Promise<readonly string[]>;
  /** Stores a secret, encrypted. */
  storeSecret(secret: LiteralSecret): Promise<void>;
  /** Writes entries of servers, by name, into the configuration. */
  write(entries: Readonly<Record<string, WrittenEntry>>): Promise<void>;
  /** Returns the names of the configured servers. */
  configured(): readonly string[];
}

interface ImportOptions {
  readonly from?: string;
  readonly file?: string;
  readonly all?: boolean;
  readonly replace?: boolean;
  readonly json?: boolean;
}

/** File of a program, and what is in it. */
interface ReadFile {
  readonly program: Program;
  readonly title: string;
  readonly path: string;
  readonly servers: readonly (FoundServer | UnusableServer)[];
  /** Reason why the file cannot be read. */
  readonly problem?: string;
}

type Command = ReturnType<CliContext["program"]["command"]>;

/**
 * Adds `mcp import`, which takes over servers from the files of other programs. It starts nothing.
 * @param mcp - command `mcp`
 * @param gateway - access to the gateway
 */
export function describeImport(mcp: Command, gateway: ImportGateway): void {
  mcp
    .command("import")
    .description("take over servers from Claude Code, Claude Desktop, Cursor, VS Code or Codex")
    .argument("[names...]", "servers to take over; without them, the servers found are listed")
    .option("--from <program>", `only from one program: ${PROGRAMS.join(", ")}`)
    .option("--file <path>", "read this file, in the form of the program of --from")
    .option("--all", "take over every server that is found")
    .option("--replace", "also servers whose names are in use")
    .option("--json", "print the list as JSON")
    .action(async (names: readonly string[], options: ImportOptions) => {
      const files = findFiles(options);
      if (names.length === 0 && options.all !== true) {
        list(files, gateway.configured(), options.json === true);
        return;
      }
      await takeOver(chosen(files, names), options, gateway);
    });
}

function findFiles({ from, file }: ImportOptions): readonly ReadFile[] {
  const program = PROGRAMS.find((each) => each === from);
  if (from !== undefined && program === undefined) {
    throw new McpImportError(
      `--from expected ${PROGRAMS.join(", ")}, got ${JSON.stringify(from)}`,
      "name one of these programs",
    );
  }
  const place: ImportPlace = { home: homedir(), workspace: cwd(), platform, environment: env };
  const known = programFiles(place).filter(
    (each) => program === undefined || each.program === program,
  );
  const [first] = known;
  const guessed = program ?? (file?.endsWith(".toml") ? "codex" : "claude-code");
  const files =
    file === undefined || first === undefined
      ? known
      : [{ program: guessed, title: file, path: resolve(file) }];
  return files.flatMap((each): ReadFile[] => {
    const text = textOf(each.path);
    if (text === undefined) {
      if (file === undefined) return [];
      throw new McpImportError(`${each.path} cannot be read`, "check the path of --file");
    }
    const read = readProgramFile(each.program, text, place);
    if (typeof read === "string") return [{ ...each, servers: [], problem: read }];
    return read.length === 0 ? [] : [{ ...each, servers: read }];
  });
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function list(files: readonly ReadFile[], configured: readonly string[], json: boolean): void {
  print(json, files, () => {
    if (files.length === 0) {
      return [
        "No MCP servers of other programs were found.",
        "Read another file: openclaw mcp import --file PATH",
      ];
    }
    return [
      ...files.flatMap((file) => [
        `${file.title}  ${file.path}`,
        ...(file.problem === undefined ? [] : [`  cannot be read: ${file.problem}`]),
        ...file.servers.map((server) => `  ${lineOf(server, configured)}`),
      ]),
      "",
      "Take over: openclaw mcp import NAME, or openclaw mcp import --all",
    ];
  });
}

function lineOf(server: FoundServer | UnusableServer, configured: readonly string[]): string {
  if ("problem" in server) return `${server.name}  cannot be taken over: it ${server.problem}`;
  const { name, entry, notes } = server;
  const { secrets } = separateSecrets(name, entry, new Set());
  const target =
    entry.url ?? [entry.command, ...(Array.isArray(entry.args) ? entry.args : [])].join(" ");
  const shown = secrets.reduce((text, { value }) => text.replaceAll(value, "…"), String(target));
  const about = [
    ...(configured.includes(name) ? ["the name is in use"] : []),
    ...(secrets.length === 0
      ? []
      : [secrets.length === 1 ? "1 secret" : `${secrets.length} secrets`]),
    ...notes,
  ];
  return `${name}  ${shown}${about.length === 0 ? "" : `  (${about.join("; ")})`}`;
}

interface Chosen {
  readonly server: FoundServer;
  readonly title: string;
}

/** Returns the servers of some names; of equal ones the first is the one of the program that comes first. */
function chosen(files: readonly ReadFile[], names: readonly string[]): readonly Chosen[] {
  const found = new Map<string, Chosen | UnusableServer>();
  for (const { title, servers } of files) {
    for (const server of servers) {
      const isBetter = !found.has(server.name) || "problem" in (found.get(server.name) ?? {});
      if (isBetter) found.set(server.name, "problem" in server ? server : { server, title });
    }
  }
  const wanted = names.length === 0 ? [...found.keys()] : names;
  return wanted.flatMap((name) => {
    const each = found.get(name);
    if (each === undefined) {
      throw new McpImportError(
        `no server of another program is named ${JSON.stringify(name)}`,
        found.size === 0
          ? "list what was found: openclaw mcp import"
          : `choose of: ${[...found.keys()].join(", ")}`,
      );
    }
    if (!("problem" in each)) return [each];
    if (names.length > 0) {
      throw new McpImportError(
        `server ${JSON.stringify(name)} ${each.problem}`,
        "add it by hand: openclaw mcp add",
      );
    }
    note(`${name} was not taken over: it ${each.problem}`);
    return [];
  });
}

async function takeOver(
  servers: readonly Chosen[],
  { replace = false }: ImportOptions,
  gateway: ImportGateway,
): Promise<void> {
  const before = new Set(gateway.configured());
  const stored = new Set(servers.length === 0 ? [] : await gateway.storedSecrets());
  const usable = servers.filter(({ server: { name, entry } }) => {
    const missing = unsetVariables(entry);
    const secret = secretsOf(entry).find((each) => !stored.has(each));
    const problem =
      before.has(name) && !replace
        ? "the name is in use. Replace that server with --replace"
        : secret !== undefined
          ? `store what its editor asks for: openclaw secrets set ${secret}, and import it again`
          : missing.length > 0 &&
            `set ${missing.join(" and ")} in the environment, and import it again`;
    if (problem !== false) note(`${name} was not taken over: ${problem}`);
    return problem === false;
  });
  const [first] = usable;
  if (first === undefined) {
    print(false, usable, () => ["No server was taken over."]);
    return;
  }
  const taken = new Set(stored);
  const separated = usable.map((each) => {
    const { entry, secrets } = separateSecrets(each.server.name, each.server.entry, taken);
    for (const { name } of secrets) taken.add(name);
    return { ...each, entry, secrets };
  });
  // First the secrets: an entry whose secrets are missing could not be used.
  for (const secret of separated.flatMap(({ secrets }) => secrets)) {
    await gateway.storeSecret(secret);
  }
  await gateway.write(
    Object.fromEntries(separated.map(({ server, entry }) => [server.name, entry])),
  );
  print(false, separated, () => [
    ...separated.flatMap(({ server: { name, notes }, title, secrets }) => [
      `${before.has(name) ? "Replaced" : "Added"} MCP server ${name} from ${title}.`,
      ...secrets.map((secret) => `  stored secret ${secret.name}`),
      ...notes.map((each) => `  ${each}`),
    ]),
    `Test it: openclaw mcp test ${first.server.name}`,
  ]);
}

/** Returns the names of the stored secrets that an entry refers to. */
function secretsOf(entry: WrittenEntry): readonly string[] {
  const used = JSON.stringify(entry).matchAll(/(?<!\$)\$\{secret:([^}]+)\}/g);
  return [...used].map(([, name = ""]) => name);
}

/** Returns the variables of the environment without which the configuration would reject an entry. */
function unsetVariables(entry: WrittenEntry): readonly string[] {
  const used = JSON.stringify(entry).matchAll(/(?<!\$)\$\{([A-Za-z_]\w*)\}/g);
  const names = [...used].flatMap(([, name = ""]) => (env[name] ? [] : [name]));
  return [...new Set(names)];
}

function note(text: string): void {
  stderr.write(`${text}\n`);
}
