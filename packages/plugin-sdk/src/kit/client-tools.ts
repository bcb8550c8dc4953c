/** Tool of Claude Code, which plugins of other tools name, and its counterpart here (EXT-531). */
interface ClientTool {
  readonly client: string;
  readonly host: string;
  /** Names of fields in the client's call, with those here; others keep their name. */
  readonly fields: Readonly<Record<string, string>>;
  /** Field with a path, which is absolute in the client's call. */
  readonly path?: string;
}

/** The first of several tools with one counterpart is the one that hooks see. */
const TOOLS: readonly ClientTool[] = [
  {
    client: "Bash",
    host: "exec",
    fields: { timeout: "timeoutMs", run_in_background: "background" },
  },
  { client: "Read", host: "read", fields: { file_path: "path" }, path: "path" },
  { client: "Write", host: "write", fields: { file_path: "path" }, path: "path" },
  { client: "Edit", host: "edit", fields: { file_path: "path" }, path: "path" },
  { client: "MultiEdit", host: "edit", fields: { file_path: "path" }, path: "path" },
  { client: "NotebookRead", host: "read", fields: {} },
  { client: "Grep", host: "grep", fields: { "-i": "ignoreCase", head_limit: "maxResults" } },
  { client: "LS", host: "list", fields: {}, path: "path" },
  { client: "Glob", host: "list", fields: {} },
  { client: "WebFetch", host: "web_fetch", fields: {} },
  { client: "WebSearch", host: "web_search", fields: {} },
  { client: "Agent", host: "sessions_spawn", fields: { prompt: "task", description: "label" } },
  { client: "Task", host: "sessions_spawn", fields: { prompt: "task", description: "label" } },
  { client: "Skill", host: "skill", fields: { skill: "name" } },
  { client: "BashOutput", host: "process", fields: {} },
  { client: "KillShell", host: "process", fields: {} },
];

/** Call of a tool as a plugin of Claude Code sees it. */
export interface ClientCall {
  readonly tool: string;
  /** Other names that a pattern may use for the tool. */
  readonly aliases: readonly string[];
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * Returns the name of the tool here for a name that a plugin of Claude Code uses; the name itself when it has no
 * counterpart. A rule in brackets, as in `Bash(git:*)`, is left out.
 * @param name - for example `Read` or `mcp__files__open`
 */
export function hostTool(name: string): string {
  const bare = name.replace(/\(.*\)\s*$/s, "").trim();
  const server = /^mcp__(.+?)__(.+)$/.exec(bare);
  if (server !== null) return `${server[1]}__${server[2]}`;
  return TOOLS.find(({ client }) => client === bare)?.host ?? bare;
}

/**
 * Returns a call as a plugin of Claude Code sees it.
 * @param toolName - name of the tool here
 * @param params - its arguments
 * @param absolute - makes a path of the workspace absolute
 */
export function clientCall(
  toolName: string,
  params: Readonly<Record<string, unknown>>,
  absolute: (path: string) => string,
): ClientCall {
  const same = TOOLS.filter(({ host }) => host === toolName);
  const [tool] = same;
  if (tool === undefined) {
    const isServer = /^[^_].*__./.test(toolName);
    return { tool: isServer ? `mcp__${toolName}` : toolName, aliases: [], input: params };
  }
  const names = new Map(Object.entries(tool.fields).map(([client, host]) => [host, client]));
  const input = Object.entries(params).map(([key, value]) => {
    const isPath = key === tool.path && typeof value === "string";
    return [names.get(key) ?? key, isPath ? absolute(value) : value];
  });
  return {
    tool: tool.client,
    aliases: same.slice(1).map(({ client }) => client),
    input: Object.fromEntries(input),
  };
}

/**
 * Returns arguments of a tool here for the changed input of a call that a plugin of Claude Code saw. A field that the
 * plugin left as it saw it keeps its value here.
 * @param toolName - name of the tool here
 * @param input - input as the plugin returned it
 * @param call - the call as the plugin saw it
 * @param params - arguments of that call
 */
export function hostParams(
  toolName: string,
  input: Readonly<Record<string, unknown>>,
  call: ClientCall,
  params: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const fields = TOOLS.find(({ host }) => host === toolName)?.fields ?? {};
  const changed = Object.entries(input).map(([key, value]): [string, unknown] => {
    const name = Object.hasOwn(fields, key) ? (fields[key] ?? key) : key;
    const isSame = Object.hasOwn(call.input, key) && call.input[key] === value;
    return [name, isSame && Object.hasOwn(params, name) ? params[name] : value];
  });
  return Object.fromEntries(changed);
}
