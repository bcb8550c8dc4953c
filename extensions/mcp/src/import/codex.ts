import { fields } from "../settings.js";
import { usable } from "./entries.js";
import type { FoundServer, UnusableServer, WrittenEntry } from "./found-server.js";

const MILLISECONDS = 1000;
/** Keys that are taken over, or that concern the other program alone. */
const READ = new Set([
  ...["command", "args", "env", "env_vars", "cwd", "url", "enabled", "required"],
  ...["bearer_token_env_var", "http_headers", "env_http_headers", "enabled_tools"],
  ...["disabled_tools", "startup_timeout_sec", "startup_timeout_ms", "tool_timeout_sec"],
]);

/**
 * Reads the tables `mcp_servers` of a `config.toml` of Codex, whose values have no variables.
 * @param section - servers by name
 */
export function readCodexEntries(section: unknown): readonly (FoundServer | UnusableServer)[] {
  return Object.entries(fields(section)).map(([name, table]) => readTable(name, fields(table)));
}

function readTable(name: string, table: WrittenEntry): FoundServer | UnusableServer {
  const { bearer_token_env_var: bearer, startup_timeout_ms: startup } = table;
  const env = { ...named(table.env_vars), ...literals(table.env) };
  const headers = {
    ...variables(table.env_http_headers),
    ...literals(table.http_headers),
    ...(typeof bearer === "string" ? { Authorization: `Bearer \${${bearer}}` } : {}),
  };
  const tools = { ...list("allow", table.enabled_tools), ...list("deny", table.disabled_tools) };
  const entry = {
    ...field("command", table.command),
    ...(Array.isArray(table.args) && table.args.length > 0
      ? { args: table.args.map(literal) }
      : {}),
    ...filled("env", env),
    ...field("cwd", table.cwd),
    ...field("url", table.url),
    ...filled("headers", headers),
    ...(table.enabled === false ? { enabled: false } : {}),
    ...filled("tools", tools),
    ...time("startupTimeoutMs", table.startup_timeout_sec, MILLISECONDS),
    ...time("startupTimeoutMs", startup, 1),
    ...time("timeoutMs", table.tool_timeout_sec, MILLISECONDS),
  };
  const notes = Object.keys(table)
    .filter((key) => !READ.has(key))
    .map((key) => `its setting ${key} is not taken over`);
  return usable(name, entry, notes);
}

function literal(value: unknown): string {
  return String(value).replaceAll("${", "$${");
}

function literals(value: unknown): Record<string, string> {
  const entries = Object.entries(fields(value));
  return Object.fromEntries(entries.map(([key, each]) => [key, literal(each)]));
}

/** Variables of the environment that the program gets under their own names. */
function named(value: unknown): Record<string, string> {
  const names = Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
  return Object.fromEntries(names.map((name) => [name, `\${${name}}`]));
}

/** Headers whose values are variables of the environment. */
function variables(value: unknown): Record<string, string> {
  const entries = Object.entries(fields(value));
  return Object.fromEntries(entries.map(([key, name]) => [key, `\${${String(name)}}`]));
}

function field(key: string, value: unknown): object {
  return typeof value === "string" ? { [key]: literal(value) } : {};
}

function filled(key: string, value: object): object {
  return Object.keys(value).length === 0 ? {} : { [key]: value };
}

function list(key: string, value: unknown): object {
  return Array.isArray(value) ? { [key]: value.map(String) } : {};
}

/** The configuration has whole milliseconds between a tenth of a second and ten minutes. */
function time(key: string, value: unknown, factor: number): object {
  if (typeof value !== "number" || !Number.isFinite(value)) return {};
  return { [key]: Math.min(600_000, Math.max(100, Math.round(value * factor))) };
}
