const SCHEDULE = "`openclaw cron` runs tasks on a schedule, see docs/use/routines.md";
const CONSOLE = "`openclaw console` opens the web console, see docs/use/console.md";
const NODES =
  "`openclaw nodes list` shows the gateways that share a database, see docs/operate/nodes.md; `openclaw db migrate --to postgres` moves the data of one gateway to PostgreSQL";
const AGENTS =
  "agents are part of the configuration: `openclaw config get agents` prints them, and `openclaw chat --agent` uses one";
const MESSAGE = "`openclaw chat -m` sends a message and prints the reply";
const ONBOARD = "`openclaw onboard` sets up model, key, database and service";
const KEYS =
  "`openclaw onboard` asks for the key of a provider, `openclaw secrets set` stores one, see docs/use/models.md";

/**
 * Advice for commands that people look for and that OpenClaw does not have, by the words after `openclaw` (GW-461). A part
 * that is added removes its words from this table.
 */
export const ABSENT_COMMANDS: Readonly<Record<string, string>> = {
  wasm: "`openclaw plugins install @openclaw/wasm` installs the plugin that runs WebAssembly components, see docs/use/wasm.md",
  job: "`openclaw jobs` lists, creates and cancels jobs",
  schedule: SCHEDULE,
  routines: SCHEDULE,
  reminders: SCHEDULE,
  dashboard: CONSOLE,
  ui: CONSOLE,
  web: CONSOLE,
  node: NODES,
  agent: AGENTS,
  agents: AGENTS,
  message: MESSAGE,
  send: MESSAGE,
  ask: MESSAGE,
  tui: "`openclaw chat` is the chat at a terminal",
  setup: ONBOARD,
  configure: ONBOARD,
  wizard: ONBOARD,
  init: "`openclaw onboard` sets up a gateway; `openclaw plugins init` creates a plugin",
  login: KEYS,
  auth: KEYS,
  start: "`openclaw run` runs the gateway, `openclaw service start` the installed service",
  stop: "`openclaw gateway stop` stops the gateway",
  restart: "`openclaw gateway restart` restarts the gateway",
  health: "`openclaw doctor` checks the installation, `openclaw gateway status` the gateway",
  security: "`openclaw doctor guards` shows what guards tool calls, see docs/operate/safety.md",
  sandbox: "`openclaw doctor sandbox` tests the sandbox for commands",
  tools: "`openclaw tool list` lists the tools",
  install: "`openclaw plugins install` installs a plugin, `openclaw service install` the service",
  uninstall:
    "`openclaw plugins uninstall` removes a plugin, `openclaw service uninstall` the service",
  backup: "`openclaw db backup` writes the database to a file",
  restore: "`openclaw db restore` replaces the database with a backup",
  migrate: "`openclaw db migrate` moves the data to another database, see docs/author/migrating.md",
  reset: "delete the state folder, which `openclaw status` prints, to begin again",
  webhooks: "webhooks are part of the configuration, see docs/operate/webhooks.md",
  costs: "`openclaw usage` shows tokens and cost",
  "gateway start":
    "`openclaw gateway run` runs the gateway, `openclaw service start` the installed service",
  "gateway install": "`openclaw service install` installs the service",
  "gateway logs": "`openclaw logs` shows the log of the gateway",
  "plugins add": "`openclaw plugins install` installs a plugin",
  "plugins remove": "`openclaw plugins uninstall` removes a plugin",
  "plugins new": "`openclaw plugins init` creates a plugin",
  "plugins create": "`openclaw plugins init` creates a plugin",
  "channels remove":
    "`openclaw config unset` removes the key of a channel, see docs/operate/channels.md",
  "models set": "`openclaw config set` sets agents.defaults.model, see docs/use/models.md",
  "models add": "providers are part of the configuration, see docs/use/models.md",
};
