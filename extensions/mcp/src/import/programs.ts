import { join } from "node:path";
import { type ParseError, parse } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { fields } from "../settings.js";
import { readCodexEntries } from "./codex.js";
import { readEntries } from "./entries.js";
import type { FoundServer, ImportPlace, UnusableServer } from "./found-server.js";
import type { VariableForm } from "./placeholders.js";

/** Programs whose servers can be taken over. */
export const PROGRAMS = ["claude-code", "claude-desktop", "cursor", "vscode", "codex"] as const;

/** Program whose servers can be taken over. */
export type Program = (typeof PROGRAMS)[number];

/** File with servers. */
export interface ProgramFile {
  readonly program: Program;
  readonly title: string;
  readonly path: string;
}

const TITLES: Readonly<Record<Program, string>> = {
  "claude-code": "Claude Code",
  "claude-desktop": "Claude Desktop",
  cursor: "Cursor",
  vscode: "VS Code",
  codex: "Codex",
};

/**
 * Returns the files in which programs keep their servers, whether they exist or not.
 * @param place - home, workspace, platform and environment
 */
export function programFiles(place: ImportPlace): readonly ProgramFile[] {
  const { home, workspace, environment } = place;
  const data = dataFolder(place);
  const file = (program: Program, ...path: readonly string[]): ProgramFile => ({
    program,
    title: TITLES[program],
    path: join(...path),
  });
  return [
    file("claude-code", environment.CLAUDE_CONFIG_DIR ?? home, ".claude.json"),
    file("claude-code", workspace, ".mcp.json"),
    file("claude-desktop", data, "Claude", "claude_desktop_config.json"),
    file("cursor", home, ".cursor", "mcp.json"),
    file("cursor", workspace, ".cursor", "mcp.json"),
    file("vscode", data, "Code", "User", "mcp.json"),
    file("vscode", workspace, ".vscode", "mcp.json"),
    file("codex", environment.CODEX_HOME ?? join(home, ".codex"), "config.toml"),
  ];
}

function dataFolder({ home, platform, environment }: ImportPlace): string {
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return environment.APPDATA ?? join(home, "AppData", "Roaming");
  return environment.XDG_CONFIG_HOME ?? join(home, ".config");
}

/**
 * Reads the servers in the text of a file.
 * @param program - program that wrote the file
 * @param text - text of the file
 * @param place - home, workspace and environment
 * @returns the reason when the text cannot be read
 */
export function readProgramFile(
  program: Program,
  text: string,
  place: ImportPlace,
): readonly (FoundServer | UnusableServer)[] | string {
  if (program === "codex") {
    try {
      return readCodexEntries(parseToml(text).mcp_servers);
    } catch (error) {
      return `it is not TOML: ${String(error).split("\n", 1)[0]}`;
    }
  }
  const errors: ParseError[] = [];
  const parsed: unknown = parse(text.replace(/^\uFEFF/, ""), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) return `it is not JSON: there is a mistake at character ${error.offset}`;
  const document = fields(parsed);
  const form = FORMS[program];
  const own = program === "vscode" ? document.servers : document.mcpServers;
  const ofProject = fields(fields(document.projects)[place.workspace]).mcpServers;
  return [...readEntries(own, form, place), ...readEntries(ofProject, form, place)];
}

const FORMS: Readonly<Record<Exclude<Program, "codex">, VariableForm>> = {
  "claude-code": "shell",
  "claude-desktop": "literal",
  cursor: "editor",
  vscode: "editor",
};
