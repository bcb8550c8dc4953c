import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { folderContents } from "@openclaw/foundation/testing";
import { openStore } from "@openclaw/store";
import { describe, expect, it, onTestFinished } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { type GatewayProcess, startGatewayProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";

/** Blocks messages about the merger, and asks for a credential on request. */
const PLUGIN = `export default { id: "guard", register(api) {
  api.on("before_agent_run", async ({ prompt }, { sessionKey }) => {
    if (prompt.includes("please connect")) {
      await api.runtime.messages.requestCredential({ sessionKey, name: "API_KEY" });
    }
    return prompt.includes("merger-on-friday")
      ? { outcome: "block", reason: "the insider list", message: "I may not speak of this." }
      : { outcome: "pass" };
  });
} };`;

/** Longer than a page of the database, so that it is stored in separate pages. */
const long = (mark: string) => `${mark} ${`words of ${mark} `.repeat(400)}`;
interface Job {
  readonly state: string;
  readonly sessionKey: string;
}

const BLOCKED = "merger-on-friday";
const CREDENTIAL = "credential-of-the-service-0815";
const DELETED = "text-of-the-deleted-session";
const CLEARED = "text-of-the-cleared-conversation";
const WORK = "text-of-work-in-the-background";
const SECRET = "value-of-the-deleted-secret-4711";

async function send({ url, token }: GatewayProcess, text: string, session = "agent:main:main") {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": randomUUID(),
      "x-openclaw-session-key": session,
    },
    body: JSON.stringify({ model: "openclaw", messages: [{ role: "user", content: text }] }),
  });
  const body = (await response.json()) as {
    choices?: { message: { content: string } }[];
    error?: { message: string };
  };
  return body.choices?.[0]?.message.content ?? `${body.error?.message}`;
}

async function respond({ url, token }: GatewayProcess, input: string) {
  const response = await fetch(`${url}/v1/responses`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "openclaw", input }),
  });
  const body = (await response.json()) as { output: { content: { text: string }[] }[] };
  return body.output[0]?.content[0]?.text;
}

/** Returns the files of a folder with the strings that they contain, plain or in base64. */
function filesWith(folder: string, texts: readonly string[]): string[] {
  return folderContents(folder).flatMap(({ name, content }) => {
    const found = texts.filter(
      (text) => content.includes(text) || content.includes(Buffer.from(text).toString("base64")),
    );
    return found.map((text) => `${name}: ${text}`);
  });
}

describe("text that a host must not keep", () => {
  it("[TURN-024] is in no file of the state folder while the gateway runs, after a kill, a restart and a further turn", async () => {
    const place = emptyPlace();
    onTestFinished(() => place[Symbol.dispose]());
    place.writeWorkspace({
      "guard/openclaw.plugin.json": JSON.stringify({ id: "guard", entry: "index.ts" }),
      "guard/index.ts": PLUGIN,
    });
    const start = () => startGatewayProcess(place, ["--plugin", join(place.workspace, "guard")]);
    const first = await start();
    onTestFinished(async () => void (await first.end("SIGKILL")));
    const { state } = place;
    const texts: string[] = [];
    const expectErased = (...erased: string[]) => {
      texts.push(...erased);
      expect(readdirSync(state)).toContain("openclaw.db-wal");
      expect(filesWith(state, texts)).toEqual([]);
    };

    const run = async (...args: string[]) => {
      const { exitCode, stdout, stderr } = await openclaw(args, place);
      expect(exitCode, stderr).toBe(0);
      return stdout;
    };
    await run("cron", "add", "watcher", "look at it", "--on-message", "merger-on|credential-of");

    expect(await send(first, long(BLOCKED))).toBe("I may not speak of this.");
    expectErased(BLOCKED, "the insider list");
    expect(await respond(first, long(BLOCKED))).toBe("I may not speak of this.");
    expectErased();

    await send(first, "please connect");
    expect(await send(first, CREDENTIAL)).toContain('"API_KEY" of the plugin guard is stored');
    expectErased(CREDENTIAL);

    await send(first, long(DELETED), "agent:main:gone");
    expect(filesWith(state, [DELETED])).not.toEqual([]);
    const deleted = await openclaw(["sessions", "delete", "agent:main:gone", "--yes"], place);
    expect(deleted).toMatchObject({ exitCode: 0 });
    expectErased(DELETED);

    await send(first, long(CLEARED));
    expect(filesWith(state, [CLEARED])).not.toEqual([]);
    expect(await send(first, "/clear")).toBe("The conversation is empty now.");
    expectErased(CLEARED);

    const jobs = async (state: string): Promise<string> => {
      for (;;) {
        const { jobs } = JSON.parse(await run("jobs", "list", "--json")) as { jobs: Job[] };
        const job = jobs.find((each) => each.state === state);
        if (job !== undefined) return job.sessionKey;
      }
    };
    await run("jobs", "create", BLOCKED);
    await jobs("failed");
    expectErased();
    await run("jobs", "create", WORK);
    const session = await jobs("completed");
    expect(filesWith(state, [WORK])).not.toEqual([]);
    await run("sessions", "delete", session, "--yes");
    expectErased(WORK);

    texts.pop();
    await run("cron", "add", "morning", long(WORK), "--manual");
    await run("cron", "run", "morning");
    while (!(await run("cron", "runs", "morning")).includes("attention"));
    expect(filesWith(state, [WORK])).not.toEqual([]);
    await run("cron", "rm", "morning");
    expectErased(WORK);

    await openclaw(["secrets", "set", "TOKEN"], { ...place, input: SECRET });
    const store = await openStore({ file: join(state, "openclaw.db") });
    const [stored] = await store.secrets.list("operator");
    await store.close();
    expect(filesWith(state, [`${stored?.ciphertext}`])).not.toEqual([]);
    const secret = await openclaw(["secrets", "delete", "TOKEN", "--yes"], place);
    expect(secret).toMatchObject({ exitCode: 0 });
    expectErased(SECRET, `${stored?.ciphertext}`);

    await first.end("SIGKILL");
    expect(filesWith(state, texts)).toEqual([]);
    const second = await start();
    onTestFinished(async () => void (await second.end("SIGKILL")));
    expect(filesWith(state, texts)).toEqual([]);
    await send(second, "are you there?");
    expect(filesWith(state, texts)).toEqual([]);
  });
});
