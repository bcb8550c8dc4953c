import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** Documented error: a row of its table. */
export interface DocumentedError {
  readonly code: string;
  readonly className: string;
  readonly kind: string;
}

const root = join(import.meta.dirname, "../../../..");
const page = readFileSync(join(root, "docs/reference/error-codes.md"), "utf8");

/** Families and base classes: no error is thrown with the code itself. */
export const FAMILIES: ReadonlySet<string> = new Set([
  "MODEL_REQUEST",
  "CREATE_PLUGIN",
  "HOOK_EXECUTION",
  "HOOK_USAGE",
  "GATEWAY_CLIENT",
  "PROTOCOL",
  "CHANNEL",
]);

const hookFailure = {
  ...{ pluginId: "guard", hookName: "agent_end", registrationId: "guard:1", mode: "fail-closed" },
  ...{ attempts: 1, durationMs: 5, detail: "it failed" },
};
const modelFailure = { provider: "demo", model: "echo", detail: "it failed" };
const missingSetting = (plugin: string, code?: string) => [plugin, "key", ["API_KEY"], code];
const invalidAddress = (plugin: string, code?: string) => [
  ...[plugin, { value: "x", source: "BASE_URL" }, "https://example.com", code],
];
const place = { file: "openclaw.json", line: 1, column: 1, key: "tools", message: "it is odd" };

/** Constructor arguments for one error of each code. */
const CONSTRUCTION: Readonly<Record<string, readonly unknown[]>> = {
  CONFIG_BUSY: ["/state/openclaw.json"],
  CONFIG_CONFLICT: ["/state/openclaw.json", "5b2c"],
  CONFIG_INVALID: [[place]],
  CONFIG_REJECTED: ["port 18790 is in use"],
  AUTH_REQUIRED: ["mail/box", "no login was made yet"],
  OAUTH_CREDENTIAL_NOT_FOUND: ["mail/bax", ["mail/box"]],
  OAUTH_LOGIN_INVALID: ["the gateway has no URL for browsers; set gateway.publicUrl"],
  OAUTH_REQUEST_FAILED: ["mail/box", "the refresh", "the server cannot be reached"],
  OAUTH_STATE_INVALID: [],
  SECRET_INVALID: ['"-x" is not the name of a secret'],
  SECRET_KEY_UNUSABLE: ["there is no key for the stored secrets", "restore it"],
  SECRET_NOT_FOUND: ["OPENAI_KYE", "OPENAI_KEY"],
  PROXY_CONNECTION_FAILED: ["http://proxy.example:3128", "example.com:443", "it answered 403"],
  FILE_NOT_REPLACED: ["/state/openclaw.json", "its folder is not writable", "change it", undefined],
  JSON5_SYNTAX: ["Unexpected token '}' found", { line: 1, column: 2 }, undefined],
  NAMED_PLUGIN_FAILED: [[{ path: "./guard", reason: "it does not load", nextStep: "correct it" }]],
  STATE_FOLDER_UNUSABLE: ["/state", "is full"],
  STATE_LOCKED: ["gateway.lock", undefined],
  DATABASE_IN_USE: ["database", undefined],
  PORT_TAKEN: ["127.0.0.1", 80],
  MESSAGE_TARGET_NOT_FOUND: ["pager"],
  AGENT_HARNESS_NOT_FOUND: [{ id: "codex", setting: "agents.defaults.agentRuntime.id" }, []],
  AGENT_HARNESS_UNSUPPORTED: [
    { id: "codex", setting: "agents.defaults.agentRuntime.id", model: "demo/echo" },
    "only for its own models",
  ],
  AGENT_HARNESS_FAILED: [
    modelFailure,
    { pluginId: "native", harnessId: "codex", error: new Error("the daemon is gone") },
  ],
  AGENT_HARNESS_TIMEOUT: [
    modelFailure,
    { pluginId: "native", harnessId: "codex", timeoutMs: 5000 },
  ],
  EMPTY_REPLY: ["openai/large", "length"],
  MEMORY_CALL_FAILED: ["memory_read", "no document has this path"],
  MEMORY_UNAVAILABLE: ["memory_read"],
  WORKSPACE_IN_STATE_FOLDER: ["/state/plugins", "/state"],
  MESSAGE_REFUSED: ["empty", "the message has no text"],
  CHANNEL_STARTUP_FAILED: ["telegram", "no token; set channels.telegram.botToken"],
  CHANNEL_DISCONNECTED: ["telegram", "the connection ended; it is opened again"],
  CHANNEL_SEND_FAILED: ["telegram", "the bot was blocked; ask the user to start it again"],
  CHANNEL_INVALID_MESSAGE: ["telegram", "a file is too large; send a smaller one"],
  CHANNEL_AUTH_FAILED: ["telegram", "the token is not accepted; store a new one"],
  CHANNEL_RATE_LIMITED: ["telegram", "too many requests; wait", { retryAfterMs: 1000 }],
  CHANNEL_HTTP: ["telegram", 502, "bad gateway; try again"],
  CHANNEL_HEALTH_CHECK_FAILED: ["telegram", "no answer; check the network"],
  CHANNEL_NOT_FOUND: ["telegarm", "telegram"],
  CHANNEL_ACTION_FAILED: ["telegram", "cannot react messages"],
  CHANNEL_UNKNOWN: ["telegarm", ["telegram"]],
  PAIRING_CODE_UNKNOWN: ["telegram", 9],
  PAIRING_LOCKED: ["telegram", 60_000],
  PAIRED_SENDER_NOT_FOUND: ["telegram", "4711"],
  DEVICE_PROOF_INVALID: ["wrong-signature"],
  DEVICE_WAITING: [{ deviceId: "ab", code: "ABCDEFGH", expiresAt: 1 }, 5000],
  DEVICE_REJECTED: ["abab-abab-abab-abab"],
  DEVICE_REVOKED: ["abab-abab-abab-abab"],
  DEVICE_PAIRING_FULL: [60_000],
  DEVICE_NOT_FOUND: ["ABCDEFGH"],
  LOST_MESSAGE_NOT_FOUND: ["01JA"],
  LOST_MESSAGE_INCOMPLETE: ["01JA", "its text"],
  QUEUE_ITEM_NOT_FOUND: ["reply:01JA"],
  NODE_NOT_FOUND: ["server-1", ["server-1-7", "server-1-8"]],
  LAST_NODE: ["server-1-7"],
  DEVICE_STATE: ["abab-abab-abab-abab", "is approved already; revoke it first"],
  DEVICE_NAME: [],
  PUSH_SUBSCRIPTION_INVALID: ['"auth" has 3 bytes instead of 16'],
  DEVICE_TICKET: [],
  SESSION_EXTENSION: [],
  DEVICE_KEY_UNUSABLE: ["the device key is unusable: it is a folder; name a file"],
  INBOX_FULL: [10_000, 1000],
  GATEWAY_NOT_RESTARTED: [4711, 60_000],
  GATEWAY_NOT_STOPPED: [4711, 25_000],
  LOG_MISSING: ["/state/logs/gateway.log"],
  USAGE: ["name one tool"],
  SERVICE_MANAGER_MISSING: ["systemd", "systemctl not found", "log in as this user"],
  SERVICE_NOT_INSTALLED: ["/home/me/openclaw.service", "openclaw"],
  SERVICE_FILE_FOREIGN: ["/home/me/openclaw.service", "written by hand", "move it away"],
  SERVICE_COMMAND_FAILED: ["systemctl start", "exit code 1", "journalctl"],
  ONBOARDING_TEST_FAILED: ["the key is rejected"],
  UPDATE_REFUSED: ["files of the checkout were changed", "commit or stash them"],
  DOCS_TOPIC_NOT_FOUND: ["memori", ["memory"]],
  DOCS_MISSING: ["/opt/openclaw/dist/docs"],
  UPDATE_FAILED: ["1.1.0", "did not become ready", "version 1.0.0 is in use"],
  POLICY_DECISION_NOT_FOUND: ["pd_1"],
  PLUGIN_SDK_PART_MISSING: [
    {
      ...{ pluginId: "guard", specifier: "openclaw/plugin-sdk/core", name: "inspectCall" },
      ...{ importer: "index.js", nearest: undefined },
    },
  ],
  PLUGIN_SESSION_DENIED: ["guard", "agent:main:main"],
  SPEECH_FAILED: ["the service is away"],
  REPLAY_REACHES_OUTSIDE: ["guard"],
  RUN_NOT_FOUND: ["run"],
  POLICY_DECISION_CHANGED: ["pd_1"],
  CREDENTIAL_REQUEST_REFUSED: ["API_KEY", "another one was requested"],
  TURN_TAKEN_OVER: ["agent:main:main", "another node has ended it"],
  RUN_NOT_FORKABLE: ["run", "it has not ended"],
  SESSION_BUSY: ["agent:main:main", "run"],
  BACKUP_NOT_FOUND: ["openclaw-2026.db"],
  DOCTOR_UNAVAILABLE: [],
  REPAIR_NOT_FOUND: ["file:abc"],
  TASK_NOT_FOUND: ["retentoin", "retention"],
  PLUGIN_PROMPT_NOT_FOUND: ["desk:triaeg"],
  PLUGIN_PROMPT_FAILED: ["desk", "triage", "argument team is missing"],
  TEST_RESOURCE_NOT_FOUND: ["acme://roadmap"],
  TOOL_NOT_FOUND: ["exce", "exec"],
  SESSION_NOT_FOUND: ["agent:main:mian", undefined],
  HOOK_NOT_FOUND: ["agent_ends", "agent_end"],
  APPROVAL_NOT_FOUND: ["ABCD"],
  APPROVAL_ALREADY_DECIDED: [{ code: "ABCD", state: "denied" }],
  DECISION_NOT_ALLOWED: ["ABCD", "allow-always", ["allow-once", "deny"]],
  GRANT_PREFIX_REFUSED: ["ABCD", "docker", "it would grant too much"],
  NOT_AUTHORIZED_TO_APPROVE: ["ABCD", "a guest"],
  APPROVAL_VOTE_REFUSED: ["ABCD", "telegram:ana has voted already"],
  APPROVAL_MISMATCH: ["ABCD", "another digest"],
  APPROVAL_INPUT_INVALID: ["ABCD", "name must be string"],
  GRANT_NOT_FOUND: ["grt_1"],
  POLICY_CONFIG_INVALID: [[{ code: "POLICY_UNKNOWN_KEY", ...place }]],
  POLICY_SNAPSHOT_UNREADABLE: ["it is of version 9"],
  POLICY_CASES_INVALID: [["cases[0]: expected an object"]],
  STORE_UNAVAILABLE: ["database", "full"],
  SCHEMA_TOO_NEW: ["database", "0001-a", ["0002-b"]],
  MIGRATION_CHANGED: ["database", "0001-a", "one", "another"],
  DATABASE_INCOMPLETE: ["database", "source"],
  COPY_REFUSED: ["database", "it has rows", "name an empty one"],
  PLUGIN_DATA_NOT_COPIED: ["guard", "the disk is full"],
  BACKUP_REFUSED: ["file", "exists already", "name a new file"],
  SESSION_ARCHIVE_REFUSED: ["it is damaged", "give another"],
  MIGRATION_FAILED: ["database", "0001-a", new Error("no such table")],
  STORE_CLOSED: ["the store", "open it again"],
  TRANSACTION_MISUSE: ["a transaction was used after its end"],
  ROW_NOT_FOUND: ["sessions.get", "the row", "create it"],
  JOB_BUDGET_EXCEEDED: ["job", "tokens", "11", "10"],
  JOB_NOT_FOUND: ["9f3c"],
  ROUTINE_NOT_FOUND: ["morning"],
  ROUTINE_REFUSED: ["it runs already; wait for the end of that run"],
  SCHEDULE_INVALID: ["every", '"soon" is not a length of time, expected one such as 30m'],
  JOB_NOT_RUNNING: ["85c961bd"],
  JOB_FILE_FORBIDDEN: ["/etc/passwd is outside"],
  JOB_FILE_UNREADABLE: ["notes.md does not exist"],
  JOB_NOT_WAITING: ["85c961bd"],
  JOB_REFUSED: ["its title and its description must not be empty"],
  MAX_JOBS_EXCEEDED: [50],
  JOB_MODE_UNAVAILABLE: ["sandboxed", ["bubblewrap is not installed"]],
  WORKER_API: ["EADDRINUSE"],
  BRIDGE_FAILED: ["Claude Code ended before it gave an answer"],
  WORKER_FAILED: ["it ended with exit code 1"],
  WORKER_WORKSPACE: ["it is larger than 2 GB"],
  JOB_TRANSITION: ["job", "failed", "pending"],
  LEASE_LOST: ["job:one", "host", 1],
  STALE_FENCE: [{ key: "session:agent:main:main", owner: "node", token: 1 }],
  ROW_STATE: ["turns.end", "ended", "running", "start another"],
  ROW_CONSTRAINT: ["other", "a check failed", undefined],
  JOURNAL_TOO_NEW: ["run", 2, 1],
  JOURNAL_SEALED: ["run"],
  ROW_DATA: ["a value has no JSON form"],
  STORE_ARGUMENT: ["list", "limit", "at least 1", 0],
  MODEL_BUDGET_EXHAUSTED: ["the model budget of today is used up"],
  MODEL_NOT_FOUND: ["demo/ecko", "no such model", ["demo/echo"]],
  MODEL_PROVIDER_NOT_READY: ["openai/x", "openai", "set a key", undefined],
  MODEL_PROVIDER_FAILED: ["openai/x", "openai", new Error("odd")],
  MODEL_PROVIDER_INVALID: ["openai", "the id is taken"],
  MODEL_PROVIDER_NOT_INSTALLED: ["bedrock", "@openclaw/bedrock"],
  MODEL_BACKEND_UNKNOWN: ["opneai", [{ name: "openai", aliases: [] }], ["openai"]],
  MODEL_SPEC_UNSUPPORTED: ["the model", "v9"],
  EMBEDDING_DIMENSIONS_UNSUPPORTED: ["local/lexical-v1", 1024, 512],
  EMBEDDINGS_DISABLED: [],
  MODEL_API_UNSUPPORTED: ["google-generative-ai", "flash", ["openai-completions"]],
  MODEL_PROMPT_UNSUPPORTED: ["demo/echo", "v2", "a file"],
  MODEL_TOOL_SCHEMA_INVALID: ["exec", "string"],
  MODEL_REQUEST_FAILED: [modelFailure, true],
  MODEL_RATE_LIMITED: [modelFailure, { exhausted: false }],
  MODEL_AUTHENTICATION_FAILED: [modelFailure],
  MODEL_SESSION_EXPIRED: [modelFailure],
  MODEL_SESSION_RENEWAL_FAILED: [modelFailure],
  MODEL_NONE_AVAILABLE: [[{ ref: "demo/echo", readyInMs: 30_000 }]],
  MODEL_NOT_AVAILABLE: [modelFailure],
  MODEL_CONTEXT_LENGTH_EXCEEDED: [modelFailure, {}],
  MODEL_REPLY_TOO_LARGE: [modelFailure],
  PROVIDER_REPLY_TOO_LARGE: ["line", 16],
  MODEL_INVALID_RESPONSE: [modelFailure],
  MODEL_CONNECTION_FAILED: [modelFailure],
  MODEL_TIMEOUT: [modelFailure],
  MODEL_ABORTED: [modelFailure],
  MODEL_SCRIPT_INVALID: ["script.json", "it is empty"],
  MODEL_SCRIPT_EXHAUSTED: [1],
  PROVIDER_SETTING_MISSING: missingSetting("acme"),
  OPENAI_KEY_MISSING: missingSetting("openai", "OPENAI_KEY_MISSING"),
  ANTHROPIC_KEY_MISSING: missingSetting("anthropic", "ANTHROPIC_KEY_MISSING"),
  OPENAI_COMPATIBLE_ADDRESS_MISSING: missingSetting("x", "OPENAI_COMPATIBLE_ADDRESS_MISSING"),
  PROVIDER_ADDRESS_INVALID: invalidAddress("acme"),
  OPENAI_ADDRESS_INVALID: invalidAddress("openai", "OPENAI_ADDRESS_INVALID"),
  ANTHROPIC_ADDRESS_INVALID: invalidAddress("anthropic", "ANTHROPIC_ADDRESS_INVALID"),
  OPENAI_COMPATIBLE_ADDRESS_INVALID: invalidAddress("x", "OPENAI_COMPATIBLE_ADDRESS_INVALID"),
  PROVIDER_LIST_FAILED: ["http://127.0.0.1/models", "status 500", "check the URL"],
  PROVIDER_SETTING_INVALID: ["acme", { value: "x", source: "ACME_API" }, ["a", "b"]],
  NEARAI_SESSION_MISSING: ["/state/nearai-session.json"],
  NEARAI_SESSION_RENEWAL_FAILED: ["/state/nearai-session.json"],
  NEARAI_SIGN_IN_FAILED: ["the port is taken", "name another one with --port"],
  GUARD_CONFIG_INVALID: ["cost_tracker", ["dayUsd must be >= 0"]],
  GUARD_NOT_FOUND: ["profanity", "profanity_filter", ["profanity_filter"]],
  GUARD_AUDIT_LOG_BROKEN: ["the database", "entry 2 was changed"],
  GUARD_OPTION_INVALID: ["--limit", "expected a number"],
  OPENAI_AUDIO_FAILED: ["http://127.0.0.1:8000/v1", "did not speak a text", "check the key"],
  SEARXNG_FAILED: ["http://127.0.0.1:8888", "responded with HTTP 500", "see its log"],
  MCP_SERVER_FAILED: ["files", "ended with exit code 1", "it is tried again in 2 s"],
  MCP_SERVER_REFUSED: ["files", "has neither a `command` nor a `url`", "correct mcpServers.files"],
  MCP_SERVER_NOT_FOUND: ["files", ["linear"]],
  WASM_FORMAT_INVALID: ["the binary ends early at byte 8"],
  WASM_FEATURE_REFUSED: ["threads", "a memory that is shared"],
  WASM_COMPONENT_UNSUPPORTED: ["the file is a core module", "build a component"],
  WASM_CAPABILITIES_INVALID: ["weather", "http.allowlist", "expected a list, got number 7"],
  WASM_LIMIT_REACHED: ["weather", "fuel", "consumed 11 of 10 units of fuel", 11],
  WASM_TRAP: ["weather", "unreachable"],
  WASM_SETTING_INVALID: ["WASM_DEFAULT_FUEL_LIMIT", "x", "a whole number from 1 to 10"],
  WASM_INSTALL_REFUSED: ["weather.wasm changed", "install it again"],
  WASM_COMPONENT_NOT_FOUND: ["wether", ["weather"]],
  WASM_CONSENT_NEEDED: ["weather", ["secret key: may ask whether it exists"]],
  MCP_TOOL_SUSPENDED: ["files", "read", "the server changed its definition"],
  MCP_ENTRY_INVALID: ["expected a command or a URL", "name one"],
  PROCESS_SANDBOX_UNAVAILABLE: ["node", "bubblewrap is missing", "install it"],
  MCP_AUTH_FAILED: ["files", "the server denied it", "run `openclaw mcp auth files` again"],
  MCP_AUTH_STATE_UNKNOWN: ["files"],
  MCP_IMPORT_INVALID: ["servers.json cannot be read", "check the path of --file"],
  LOBSTER_FAILED: ["parse_error", "pipeline: expected a text"],
  LOBSTER_ENGINE_MISSING: ["the engine is not installed"],
  LOBSTER_RUN_NOT_FOUND: ["ABCDEFGH"],
  MEMORY_INVALID_PARAMETER: ["path", "expected a path"],
  MEMORY_NOT_FOUND: ["path", 'document "a.md"', "list the documents"],
  MEMORY_EMBEDDING_INVALID: ["expected 2 vectors, got 1"],
  MEMORY_IMPORT_FAILED: ["notes", "it is a file"],
  CLIENT_TOOL_DENIED: ["read_file", "denied by the policy"],
  TURN_RECORD: ["run", "a model call", "a tool call"],
  RUN_NOT_REPLAYABLE: ["run", { problem: "it has no journal", nextStep: "record another" }],
  REPLAY_ENDED: [],
  RECORDED_FAILURE: ["the model failed"],
  TURN_SUSPENDED: [],
  TOOL_REFUSAL: ["not-found", "there is no file"],
  NETWORK_DENIED: ["forbidden-address", "10.0.0.1 is private"],
  ALLOWED_HOST_INVALID: ["x"],
  HOOK_CONFIGURATION_INVALID: [
    "config",
    [{ problem: "InvalidTimeout", hook: "h", path: "hooks[0].timeoutMs", message: "expected 1" }],
  ],
  HOOK_ACTION_FAILED: ["config::h", "the program ended with 3"],
  PATTERN_INVALID: ["(a", "missing closing )"],
  OUTBOUND_WEBHOOK_INVALID: ["audit", "InvalidTimeout", "its timeout is 0; use 1 to 30000"],
  CORE_TOOL_OPTIONS: ["root", "is not absolute"],
  PLUGIN_LOAD_FAILED: [
    { pluginId: "guard", problem: "import-failed", message: "no code", hint: "write some" },
  ],
  PLUGIN_REGISTRATION_INVALID: ["guard", "registerTool", "name", "expected a string"],
  PLUGIN_HOOK_UNKNOWN: ["guard", "agent_ends", "there is no such hook"],
  PLUGIN_SDK_SUBPATH_UNKNOWN: ["openclaw/plugin-sdk/cor", "/a.ts", "openclaw/plugin-sdk/core"],
  PLUGIN_SDK_EXPORT_UNKNOWN: ["openclaw/plugin-sdk", "x", "/a.ts", undefined],
  PLUGIN_EXIT_REFUSED: ["/a.ts:1:1", 1],
  PLUGIN_BUILT_INS_CHANGED: ["guard", ["Object.prototype.x was added"]],
  PLUGIN_PERMISSION_MISSING: ["guard", "network.hosts", "example.com", "fetch"],
  PARAMETER_INVALID: ["limit", "a number", "x"],
  PLUGIN_STORE_ARGUMENT: ["guard", "store.kv.set", "the key is empty"],
  PLUGIN_QUOTA_EXCEEDED: ["guard", "store.kv.set", "it keeps 3 values", "delete one"],
  PLUGIN_MIGRATION_FAILED: ["guard", "notes", "it was changed"],
  PLUGIN_QUERY_FAILED: ["guard", "notes", "no such table"],
  PLUGIN_DATA_INVALID: ["notes", "it has no primary key"],
  OPENCLAW_OWN_REQUIRE: ["file:///a.ts"],
  PLUGIN_DISPOSED: ["guard", "on"],
  PLUGIN_RUNTIME_DISPOSED: ["load"],
  PLUGIN_NOT_FOUND: ["gaurd", "guard"],
  PLUGIN_NOT_ISOLABLE: ["guard", "registerProvider", "it needs the process of the host"],
  PLUGIN_STOPPED: ["guard", "it used too much memory", "reload it"],
  PLUGIN_PROPOSAL_MISSING: ["guard", "api.isolation", "isolation-tier"],
  PLUGIN_SOURCE_UNUSABLE: ["./guard", "it does not exist", "check the path"],
  MARKETPLACE_UNUSABLE: ["./market", "it has no list", "check the path"],
  MARKETPLACE_NOT_FOUND: ["tols", "tools"],
  MARKETPLACE_CONFLICT: ["tools", "it was added from ./other", "remove that one first"],
  MARKETPLACE_REDIRECTED: ["https://example.com/tools", "https://example.org/tools"],
  MARKETPLACE_PLUGIN_NOT_FOUND: ["gaurd", "tools", "guard"],
  MARKETPLACE_PLUGIN_REFUSED: ["guard@tools", "its path leads out of the repository"],
  SKILL_INSTALL_REFUSED: ["greet", "it is odd", "look at it"],
  SKILL_NOT_INSTALLED: ["gret", "greet"],
  PLUGIN_INSTALL_REFUSED: ["guard", "it is odd", "look at it"],
  RUNTIME_CAPABILITY_MISSING: ["guard", "runtime.llm", "use a newer host"],
  OPENCLAW_ERROR: ["it failed"],
  DEADLINE_EXCEEDED: [5],
  PLUGIN_MISSING: ["/plugins/guard"],
  PLUGIN_NOT_LOADED: ["guard", []],
  TEST_COMMAND_NOT_FOUND: ["nite", ["note"]],
  TEST_QUESTION_UNCLEAR: [[]],
  PLUGIN_LEFTOVERS: ["guard", [{ kind: "a timer", place: "a.ts:1:1" }]],
  PLUGIN_NOT_PACKED: ["/plugins/guard", new Error("no name")],
  CONFORMANCE_UNAVAILABLE: ["/kit/checks.js"],
  PLUGIN_MANIFEST_MISSING: ["/plugins/guard"],
  CREATE_PLUGIN_USAGE: ["expected one folder"],
  CREATE_PLUGIN_ID_INVALID: ["No Id"],
  CREATE_PLUGIN_FILES_IN_THE_WAY: ["/plugins/guard", ["package.json"]],
  CREATE_PLUGIN_NOT_WRITTEN: ["/plugins/guard", new Error("no space")],
  SAFETY_RULES_INVALID: [[{ path: "added[0]", message: "expected an object" }]],
  HOOK_THREW: [{ ...hookFailure, code: "HOOK_THREW" }],
  HOOK_TIMEOUT: [{ ...hookFailure, code: "HOOK_TIMEOUT" }],
  HOOK_MALFORMED: [{ ...hookFailure, code: "HOOK_MALFORMED" }],
  HOOK_SATURATED: [{ ...hookFailure, code: "HOOK_SATURATED" }],
  HOOK_CONDITION: [{ ...hookFailure, code: "HOOK_CONDITION" }],
  HOOK_ABORTED: [{ ...hookFailure, code: "HOOK_ABORTED" }],
  HOOK_OPTION: [
    { owner: "guard", hook: "agent_end", option: "priority", value: "9", allowed: "a number" },
  ],
  HOOK_UNKNOWN: ["agent_ends", undefined, []],
  HOOK_DEFINITION: ["agent_end", ["it has two kinds"]],
  HOOK_WRONG_KIND: ["HOOK_WRONG_KIND", "not an observer"],
  HOOK_PIN_RELEASED: ["HOOK_PIN_RELEASED", "the pin was released"],
  HOOK_TRANSACTION: ["HOOK_TRANSACTION", "the transaction has ended"],
  HOOK_ARGUMENT: ["HOOK_ARGUMENT", "not an object"],
  GATEWAY_UNREACHABLE: ["no gateway answers"],
  GATEWAY_UNAUTHORIZED: ["the token is wrong"],
  GATEWAY_REFUSED: ["the gateway refused"],
  GATEWAY_STREAM_BROKEN: ["the reply broke off"],
  GATEWAY_TIMEOUT: ["the gateway did not respond"],
  GATEWAY_CLIENT_OVERLOAD: ["1000 calls wait"],
  GATEWAY_CONNECTION_CLOSED: ["the connection was closed"],
  CLIENT_TOO_SLOW: [],
  GATEWAY_REQUEST_TOO_LARGE: ["the call is too large"],
  NOT_FOUND: ["plugins.nothing", ["plugins.list"]],
  CALL_OUTCOME_UNKNOWN: ["a", "sessions.reset", "stopped"],
  IDEMPOTENCY_MISMATCH: ["a", "chat.send"],
  PLUGIN_METHOD_FAILED: ["the device is not paired"],
  PLUGIN_METHOD_TIMEOUT: ["guard.echo", "guard", 60_000],
  PLUGIN_METHOD_ABORTED: ["guard.echo", "guard", "the plugin was unloaded"],
  WEBHOOK_NOT_FOUND: ["deploy"],
  WEBHOOK_UNAUTHORIZED: ["deploy", "is not signed; sign it"],
  WEBHOOK_FLOOD: ["routine/1"],
  WEBHOOK_REPLAYED: ["deploy", { messageId: "message-1" }],
  WEBHOOK_BODY_INVALID: ["deploy", "the body is not JSON; send JSON"],
  WEBHOOK_TOO_LARGE: ["deploy", "body", 262_144],
  UNAUTHORIZED: ["wrong-token"],
  RATE_LIMITED: ["the token made too many requests", 1000],
  FOREIGN_REQUEST: ["Host", "evil.example"],
  PAYLOAD_TOO_LARGE: ["the body is larger than 9 bytes"],
  HTTP_INVALID: ["the request is not valid HTTP/1.1"],
  REQUEST_TIMEOUT: [],
  LISTENER_MISSING: ["a ticket"],
  LISTEN_ADDRESS_UNUSABLE: ["10.0.0.9", "this machine does not have it"],
  SESSION_EXISTS: ["agent:main:main"],
  SESSION_EXTENSION_NOT_FOUND: ["notes", "moood", "mood"],
  IMAGE_NOT_FOUND: ["agent:main:main", 3, 2],
  SESSION_VALUE_TOO_LARGE: ["mood", 20_000],
  SESSION_VALUE_CHANGED: ["mood", 1, 2],
  HTTP_METHOD_NOT_ALLOWED: ["PUT", "chat.send", ["POST"]],
  KEPT_FAILURE: [{ reason: "KEPT_FAILURE", kind: "internal", message: "failed" }],
  CONNECTION_NEEDED: ["sessions.subscribe"],
  INVALID_FRAME: ["a frame must be JSON"],
  HANDSHAKE_FAILED: ["the token is wrong"],
  UNSUPPORTED_PROTOCOL: [
    { min: 2, max: 3 },
    { min: 1, max: 1 },
  ],
  GATEWAY_STOPPING: [],
  TOO_MANY_CALLS: [64, 1000],
  SESSION_KEY_REFUSED: ["cron:daily", ["main"]],
  MISSING_SCOPE: ["plugins.reload", "operator.admin", "reader"],
  INVALID_REQUEST: ["plugins.list", [{ path: "/id", message: "is required" }]],
  INTERNAL: ["0000"],
};

/** Returns every error in the tables of docs/reference/error-codes.md. */
export function documentedErrors(): readonly DocumentedError[] {
  const rows = [...page.matchAll(/^\| (`[A-Z][^|]*`) \| ([^|]+) \| ([^|]+) \| .+ \|$/gm)];
  return rows.flatMap(([, codes = "", classes = "", kinds = ""]) => {
    const classNames = listed(classes);
    const named = listed(kinds);
    return listed(codes).map((code, index) => ({
      code,
      className: classNames[index] ?? classNames[0] ?? "",
      kind: named[index] ?? named[0] ?? "",
    }));
  });
}

/** Returns the table of kinds of docs/reference/error-codes.md: kind, HTTP status and exit code. */
export function documentedKinds(): readonly (readonly [string, number, number])[] {
  return [...page.matchAll(/^\| ([a-z-]+) \| (\d+) \| (\d+) \| .+ \|$/gm)].map(
    ([, kind = "", status, exitCode]) => [kind, Number(status), Number(exitCode)],
  );
}

type Constructor = new (...input: readonly unknown[]) => unknown;

/**
 * Finds the error classes of the whole repository by name, including those that no package exports. The files
 * are read in place, because a package may import only packages below it.
 */
export async function errorClasses(): Promise<ReadonlyMap<string, Constructor>> {
  const classes = new Map<string, Constructor>();
  for (const file of globSync("{packages,extensions,apps}/*/src/**/*.ts", { cwd: root })) {
    const path = join(root, file);
    if (!/^ {2}static (?:override )?readonly code\b/m.test(readFileSync(path, "utf8"))) continue;
    const module: Readonly<Record<string, unknown>> = await import(/* @vite-ignore */ path);
    for (const [name, value] of Object.entries(module)) {
      if (isErrorClass(value)) classes.set(name, value);
    }
  }
  return classes;
}

/**
 * Creates the error of a documented code.
 * @param classes - error classes of the repository
 * @throws Error when the class or the arguments of its constructor are missing here
 */
export function sampleOf(
  { code, className }: DocumentedError,
  classes: ReadonlyMap<string, Constructor>,
): OpenClawError {
  const [errorClass, input] = [classes.get(className), CONSTRUCTION[code]];
  if (errorClass === undefined) throw new Error(`${code}: there is no class ${className}`);
  if (input === undefined) throw new Error(`${code}: add the arguments of ${className}`);
  const sample = new errorClass(...input);
  if (!OpenClawError.isInstance(sample)) throw new Error(`${className} is not of the error family`);
  return sample;
}

function isErrorClass(value: unknown): value is Constructor {
  return typeof value === "function" && (value === OpenClawError || "isInstance" in value);
}

function listed(cell: string): readonly string[] {
  return cell.split(",").map((item) => item.replaceAll("`", "").trim());
}
