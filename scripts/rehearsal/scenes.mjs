import {
  startAnthropicServer,
  startBedrockServer,
  startChatServer,
  startGeminiServer,
  startNearAiServer,
  startTelegramServer,
  startTestServer,
} from "../../packages/platform-fakes/dist/index.js";
import { startPostgres } from "../../packages/store/test/support/postgres-server.ts";
import { componentCompiler } from "./component-scene.mjs";
import { mailLogin, mcpServers } from "./login-scenes.mjs";
import { DOCKER, OLLAMA, SYSTEMCTL } from "./scene-programs.mjs";

const KEY = "test-key";
/** Enough for every command of a page. */
const REPLIES = Array.from({ length: 20 }, () => ({ text: "Hello." }));
const ANY_ID = /[A-Z0-9]{6,8}/;

/** Exit codes of commands that do not end with 0, as their page says, by page. */
export const EXIT_CODES = {
  "docs/use/command-rules.md": { 'openclaw approvals check "cat README.md && npm test"': 3 },
  // The server asks for a login, which the next line of the page makes.
  "docs/use/mcp.md": { "openclaw mcp add linear https://mcp.linear.app/mcp": 1 },
  "extensions/mcp/README.md": { "openclaw mcp add linear https://mcp.linear.app/mcp": 1 },
  "docs/operate/secrets.md": { "openclaw secrets delete OPENAI_KEY": 3 },
};

/**
 * Scenes by page, each with what the page assumes that its reader has: services, which are fakes of this machine, files, and IDs, which are
 * replaced by real ones in the order in which the page uses them. A scene returns `{ environment, replaced, services }`.
 */
export const SCENES = {
  "apps/gateway/README.md": beforeGateway(),
  "CONTRIBUTING.md": (reader) => reader.shell(REPOSITORY),
  "docs/use/approvals.md": async (reader) => ({
    replaced: { K7MPQ2: [await waitingWrite(reader)] },
  }),
  "docs/use/unattended.md": async (reader) => {
    await reader.openclaw(["config", "set", "tools.approval.write", "never"]);
    await reader.openclaw(["chat", "-m", "write a.txt: Hello"]);
    await reader.openclaw(["config", "unset", "tools.approval"]);
    return { replaced: { K7MPQ2: [await waitingWrite(reader)] } };
  },
  "docs/use/wasm.md": componentCompiler,
  "docs/use/mcp.md": mcpServers,
  "extensions/mcp/README.md": mcpServers,
  "docs/operate/oauth.md": mailLogin,
  "docs/operate/devices.md": async (reader) => ({
    replaced: { MD83G8UK: [await waitingDevice(reader, 1), await waitingDevice(reader, 2)] },
  }),
  "docs/operate/channels.md": async (reader) => {
    const telegram = await startTelegramServer();
    const { token: botToken, url: apiRoot } = telegram;
    await reader.openclaw([
      "config",
      "set",
      "channels.telegram",
      JSON.stringify({ botToken, apiRoot }),
    ]);
    telegram.write({ text: "hello" });
    const code = await reader.awaited(["pairing", "list"], /\b[A-Z0-9]{8}\b/);
    return { replaced: { K7QX2MPA: [code] }, services: [telegram] };
  },
  "docs/use/lobster.md": suspendedRuns,
  "docs/examples/lobster/README.md": suspendedRuns,
  "docs/operate/tool-policy.md": async (reader) => {
    reader.write({ "candidate.json": "{}", "policy-cases.json": '{"cases": []}' });
    await reader.openclaw(["chat", "-m", "what time is it"]);
    const trace = await reader.openclaw(["trace", "--json"]);
    return { replaced: { pd_ef84c52450ef2f75b6e0: [/pd_[0-9a-f]+/.exec(trace)?.[0]] } };
  },
  "docs/operate/operating.md": async (reader) => {
    const openai = await startChatServer(REPLIES, { apiKey: KEY });
    const ollama = await startOpenServer(REPLIES);
    const collector = await startTestServer({ body: "{}" });
    reader.write({ "candidate.json": "{}" });
    await reader.shell("cp -r search-guard my-plugin");
    reader.program("systemctl", SYSTEMCTL);
    reader.program("docker", DOCKER);
    await reader.openclaw(["chat", "-m", "what time is it"]);
    const { runId } = JSON.parse(await reader.openclaw(["trace", "--json"]));
    return {
      environment: { MY_KEY: KEY, OPENAI_BASE_URL: openai.baseURL },
      replaced: {
        "595af1d4-79a6-447f-b822-d06f65f53d1f": [runId],
        "http://localhost:4318": [collector.origin],
        "http://nas.local:11434": [ollama.origin],
      },
      services: [openai, ollama, collector],
    };
  },
  "docs/reference/methods.md": (reader) => reader.shell("ln -s ~/.openclaw .openclaw-state"),
  "docs/operate/upkeep.md": async () => {
    const database = await startPostgres();
    return {
      replaced: { "postgres://openclaw@db.example/openclaw": [database.url] },
      services: [{ close: () => database.remove() }],
    };
  },
  "extensions/anthropic/README.md": provider("ANTHROPIC_BASE_URL", startAnthropicServer),
  "extensions/bedrock/README.md": beforeGateway(async () => {
    const server = await startBedrockServer(REPLIES);
    return {
      environment: { BEDROCK_BASE_URL: server.baseURL },
      replaced: { "…": ["AKIATEST", "test-secret"] },
      services: [server],
    };
  }),
  "extensions/google/README.md": provider("GEMINI_BASE_URL", startGeminiServer),
  "extensions/nearai/README.md": beforeGateway(async () => {
    const server = await startNearAiServer(REPLIES, KEY);
    const { baseURL } = server;
    return {
      environment: { NEARAI_BASE_URL: baseURL, NEARAI_AUTH_URL: baseURL },
      replaced: { "…": [KEY] },
      services: [server],
    };
  }),
  "extensions/ollama/README.md": provider("OLLAMA_BASE_URL", startOpenServer, (reader) =>
    reader.program("ollama", OLLAMA),
  ),
  "extensions/openai/README.md": provider("OPENAI_BASE_URL", startChatServer),
  "extensions/openai-compatible/README.md": provider("", startOpenServer),
  "extensions/openrouter/README.md": provider("OPENROUTER_BASE_URL", startChatServer),
  "extensions/searxng/README.md": async (reader) => {
    reader.program("docker", DOCKER);
    const server = await startTestServer({ body: '{"query": "openclaw", "results": []}' });
    return { replaced: { "http://127.0.0.1:8888": [server.origin] }, services: [server] };
  },
};

/** A server of the reader, which asks for no key. */
function startOpenServer(replies) {
  return startChatServer(replies, { apiKey: null });
}

function beforeGateway(prepare = () => undefined) {
  return Object.assign(prepare, { hasGateway: false });
}

/** The reader sets up a model before any gateway runs. */
function provider(variable, startServer, prepare = () => undefined) {
  return beforeGateway(async (reader) => {
    prepare(reader);
    const server = await startServer(REPLIES, { apiKey: KEY });
    const { baseURL } = server;
    return {
      environment: variable === "" ? {} : { [variable]: baseURL },
      replaced: { "…": [KEY], "http://localhost:1234/v1": [baseURL] },
      services: [server],
    };
  });
}

/** A write that waits for an approval; returns its code. */
async function waitingWrite(reader) {
  await reader.openclaw(["config", "set", "approvals.headless", "wait"]);
  reader.background(["chat", "-m", "write b.txt: Hello"]);
  return await reader.awaited(["approvals", "list"], ANY_ID);
}

/** A device that waits for an approval; returns its code. */
async function waitingDevice(reader, number) {
  const device = `openDeviceKey("device-${number}.pem", { name: "Phone ${number}" })`;
  reader.module(`
    import { connectGateway } from ${JSON.stringify(clientFile("index"))};
    import { openDeviceKey } from ${JSON.stringify(clientFile("device-file"))};
    const client = { id: "my-program", version: "1.0.0", mode: "node" };
    const gateway = connectGateway({ url: process.env.GATEWAY_URL, device: ${device}, client });
    await gateway.ready();
  `);
  const line = await reader.awaited(
    ["devices", "list"],
    new RegExp(`[A-Z0-9]{8} .*Phone ${number}`),
  );
  return line.slice(0, line.indexOf(" "));
}

function clientFile(name) {
  return new URL(`../../packages/client/dist/${name}.js`, import.meta.url).href;
}

/** Runs of the workflow that wait at their gate: one to continue, one to cancel. */
async function suspendedRuns(reader) {
  await reader.openclaw(["config", "set", "tools.alsoAllow", '["plugin:lobster"]']);
  await reader.openclaw(["config", "set", "approvals.headless", "wait"]);
  reader.write({ "inbox/plan.done.md": "Done.\n" });
  await reader.openclaw(["lobster", "run", "triage.lobster"]);
  const ask = ["lobster", "run", "--pipeline", "exec pwd | approve --prompt go?"];
  await reader.openclaw(ask);
  const { runs } = JSON.parse(await reader.openclaw(["lobster", "list", "--json"]));
  const pipeline = runs.find(({ kind }) => kind === "pipeline")?.code;
  const workflow = runs.find(({ kind }) => kind === "workflow")?.code;
  return { replaced: { "7KQ2M4XZ": [pipeline, workflow, pipeline] } };
}

/** A repository of the reader, with a remote to push to. */
const REPOSITORY = `git init -q --bare ../remote.git && git init -q . && git remote add origin ../remote.git
git config user.email reader@example.com && git config user.name Reader && git add README.md && git commit -qm first`;
