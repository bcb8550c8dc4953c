/** Use of the lock of the state folder by a command. */
export type CommandLock =
  /** Takes none, and works while another process has it. */
  | { readonly lock: "none"; readonly args: string; readonly exitCode?: number }
  /** Waits up to 5 s for it, and ends with 75 (busy) when it is still held. */
  | { readonly lock: "waits"; readonly args: string }
  /** Hosts the agent itself: another process that has the state folder is named at once. */
  | { readonly lock: "hosts"; readonly args: string }
  /** Is not run here, for the reason. */
  | { readonly lock: "not run"; readonly reason: string };

const none = (args: string, exitCode = 0): CommandLock => ({ lock: "none", args, exitCode });
const waits = (args: string): CommandLock => ({ lock: "waits", args });
const hosts = (args: string): CommandLock => ({ lock: "hosts", args });
const notRun = (reason: string): CommandLock => ({ lock: "not run", reason });

const OF_GATEWAY = "asks the process that has the lock, and takes none";
const OF_SERVICE = "speaks with the service manager of this user, and takes none";

/**
 * Every command, with what it does with the lock (HOST-600). `{folder}` is a folder with the files that the commands
 * name. A new command is added here by what it changes: one that writes rows of the database through the methods of a
 * host waits for the lock, any other takes none.
 */
export const COMMAND_LOCKS: Readonly<Record<string, readonly CommandLock[]>> = {
  run: [hosts("run")],
  "gateway run": [hosts("gateway run")],
  "gateway stop": [notRun(OF_GATEWAY)],
  "gateway restart": [notRun(OF_GATEWAY)],
  "gateway status": [none("gateway status", 3)],
  // It starts on the real state, with migrations.
  "gateway check": [waits("gateway check")],
  "gateway token create": [none("gateway token create --name one --scope operator.read")],
  "gateway token list": [none("gateway token list")],
  "gateway token revoke": [none("gateway token revoke none", 4)],
  "gateway call": [none("gateway call host.status", 69)],
  chat: [hosts("chat -m hello")],
  onboard: [notRun("asks a person, and starts chat or gateway when it has ended")],
  trust: [none("trust")],
  "plugins inspect": [none("plugins inspect memory")],
  "plugins install": [waits("plugins install {folder}/plugin")],
  "plugins update": [waits("plugins update absent")],
  "plugins accept": [waits("plugins accept absent")],
  "plugins uninstall": [waits("plugins uninstall absent --yes")],
  "plugins enable": [waits("plugins enable memory")],
  "plugins disable": [waits("plugins disable memory")],
  "plugins reload": [waits("plugins reload")],
  "plugins doctor": [none("plugins doctor")],
  "plugins dev": [notRun("hosts the plugin in its own state folder, until it is stopped")],
  "plugins validate": [none("plugins validate {folder}/plugin")],
  "plugins compat": [none("plugins compat {folder}/plugin")],
  "plugins build": [none("plugins build {folder}/plugin --check")],
  "plugins init": [notRun("writes a new folder and reads no state")],
  "plugins try": [none("plugins try {folder}/plugin")],
  "plugins link": [notRun("writes into the folder of the plugin and reads no state")],
  "plugins fix-manifest": [waits("plugins fix-manifest absent")],
  "plugins list": [none("plugins list")],
  "policy explain": [none("policy explain exec")],
  "policy test": [none("policy test {folder}/cases.json")],
  "policy what-if": [none("policy what-if --config {folder}/other.json")],
  "hooks list": [none("hooks list")],
  "hooks show": [none("hooks show before_tool_call")],
  "hooks enable": [waits("hooks enable absent")],
  "hooks disable": [waits("hooks disable absent")],
  "hooks approve": [waits("hooks approve hooks/hooks.json --yes")],
  // The program of the hook really runs, and its run is recorded.
  "hooks test": [waits("hooks test absent")],
  "approvals list": [none("approvals list")],
  "approvals show": [none("approvals show absent", 4)],
  "approvals history": [none("approvals history")],
  "approvals approve": [waits("approvals approve absent")],
  "approvals deny": [waits("approvals deny absent")],
  "approvals grants": [none("approvals grants")],
  "approvals revoke": [waits("approvals revoke --all")],
  "approvals audit": [none("approvals audit")],
  "approvals check": [none("approvals check ls")],
  "channels list": [none("channels list")],
  "channels status": [none("channels status", 3)],
  "channels test": [none("channels test http", 4)],
  "channels add": [none("channels add http")],
  "channels logs": [none("channels logs http")],
  "pairing list": [none("pairing list")],
  "pairing approve": [waits("pairing approve telegram CODE")],
  "pairing revoke": [waits("pairing revoke telegram 7")],
  "devices list": [none("devices list")],
  "devices approve": [waits("devices approve absent")],
  "devices reject": [waits("devices reject absent")],
  "devices revoke": [waits("devices revoke absent")],
  "devices rename": [waits("devices rename absent name")],
  // Sessions are rows of their own, which the database keeps apart from the work of a host.
  "sessions list": [none("sessions list")],
  "sessions show": [none("sessions show agent:main:absent", 4)],
  "sessions export": [none("sessions export agent:main:absent", 4)],
  "sessions import": [none("sessions import {folder}/absent.json", 2)],
  "sessions delete": [waits("sessions delete main --yes")],
  "cron list": [none("cron list")],
  "cron add": [
    waits("cron add one task --every 1h"),
    none("cron add one task --every 1h --dry-run"),
  ],
  "cron edit": [waits("cron edit absent --every 1h")],
  "cron show": [none("cron show absent", 4)],
  "cron next": [none("cron next absent", 4)],
  "cron why": [none("cron why absent", 4)],
  "cron runs": [none("cron runs absent", 4)],
  "cron enable": [waits("cron enable absent")],
  "cron disable": [waits("cron disable absent")],
  "cron run": [waits("cron run absent")],
  "cron rm": [waits("cron rm absent")],
  "jobs list": [none("jobs list")],
  "jobs show": [none("jobs show absent", 4)],
  "jobs log": [none("jobs log absent", 4)],
  "jobs create": [waits("jobs create one")],
  "jobs cancel": [waits("jobs cancel absent")],
  "jobs restart": [waits("jobs restart absent")],
  "jobs accept": [waits("jobs accept absent")],
  "skills list": [none("skills list")],
  status: [none("status")],
  "tool list": [none("tool list")],
  "tool info": [none("tool info read")],
  "tool run": [waits("tool run read")],
  logs: [none("logs")],
  "models list": [none("models list")],
  "models status": [none("models status")],
  // The call of the model is counted.
  "models test": [waits("models test")],
  usage: [none("usage")],
  "db status": [none("db status")],
  "db backup": [none("db backup {folder}/monday.db")],
  "db restore": [waits("db restore {folder}/monday.db --yes")],
  "db migrate": [waits("db migrate --to sqlite --url file:{folder}/other.db")],
  trace: [none("trace absent", 4)],
  doctor: [none("doctor")],
  "doctor sandbox": [none("doctor sandbox")],
  "doctor guards": [none("doctor guards")],
  replay: [none("replay absent", 4)],
  "config validate": [none("config validate")],
  "config get": [none("config get")],
  "config schema": [none("config schema")],
  // A file has its own lock, which a running gateway takes too.
  "config set": [
    none("config set logging.level info"),
    waits("config set logging.level info --db"),
  ],
  "config unset": [none("config unset logging.level"), waits("config unset logging.level --db")],
  "config patch": [
    none("config patch {}"),
    waits('config patch {"logging":{"level":"info"}} --db'),
  ],
  "config edit": [notRun("opens an editor, and then does what `config set` does")],
  "config restore": [none("config restore")],
  "secrets set": [waits("secrets set ONE --from-env ONE")],
  "secrets list": [none("secrets list")],
  "secrets uses": [none("secrets uses")],
  "secrets delete": [waits("secrets delete ONE --yes")],
  "secrets login": [none("secrets login mail/google", 69)],
  "secrets logout": [none("secrets logout mail/google --yes", 69)],
  "secrets logins": [none("secrets logins", 69)],
  "secrets rotate": [waits("secrets rotate")],
  "secrets export": [notRun("asks for the passphrase, and then does what `secrets list` does")],
  "secrets import": [notRun("asks for the passphrase, and then does what `secrets set` does")],
  "service install": [notRun(OF_SERVICE)],
  "service uninstall": [notRun(OF_SERVICE)],
  "service start": [notRun(OF_SERVICE)],
  "service stop": [notRun(OF_SERVICE)],
  "service restart": [notRun(OF_SERVICE)],
  "service status": [notRun(OF_SERVICE)],
  update: [notRun("stops the gateway, and runs `gateway check` of the new version")],
  version: [none("version")],
};
