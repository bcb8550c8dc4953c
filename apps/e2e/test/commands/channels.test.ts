import { createHmac, randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { startTelegramServer } from "@openclaw/platform-fakes";
import { describe, expect, it, vi } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { emptyPlace } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

describe("openclaw channels and openclaw pairing", () => {
  it("[HOST-022] [GW-571] take a new bot to its first answer, as the page of Telegram says", async () => {
    await using telegram = await startTelegramServer();
    using place = emptyPlace({ TELEGRAM_TOKEN: telegram.token });
    const run = (...args: string[]) => openclaw(args, place);

    const offered = await run("channels", "list");
    expect(offered.stdout).toMatch(
      /telegram +telegram +not configured \(openclaw channels add telegram\)/,
    );
    const added = await run(
      ...["channels", "add", "telegram", `apiRoot=${telegram.url}`],
      ...["--secret", "botToken", "--from-env", "TELEGRAM_TOKEN"],
    );
    expect(added).toMatchObject({ exitCode: 0 });
    expect(added.stdout).toContain("Stored the secret TELEGRAM_BOT_TOKEN.");
    expect(added.stdout).not.toContain(telegram.token);

    await using gateway = await startGateway(place);
    const tested = await run("channels", "test", "telegram");
    expect(tested).toMatchObject({ exitCode: 0, stdout: "telegram works.\n" });
    const unknown = await run("channels", "test", "telegarm");
    expect(unknown).toMatchObject({ exitCode: 4 });
    expect(unknown.stderr).toContain('did you mean "telegram"?');

    telegram.write({ text: "hi" });
    const offer = await vi.waitFor(() => {
      const [sent] = telegram.sent;
      if (sent === undefined) throw new Error("no code was sent");
      return sent;
    }, 60_000);
    const [, code = ""] = /pairing code is (\w{8})\./.exec(offer.text) ?? [];
    const waiting = await run("pairing", "list");
    expect(waiting.stdout).toMatch(new RegExp(`${code} +telegram +Alice \\(42\\)`));
    expect(await run("pairing", "approve", "telegram", "AAAAAAAA")).toMatchObject({ exitCode: 4 });
    const approved = await run("pairing", "approve", "telegram", code.toLowerCase());
    expect(approved.stdout).toBe("Admitted Alice (42) to telegram.\n");

    telegram.write({ text: "what time is it" });
    await vi.waitFor(() => expect(telegram.sent).toHaveLength(2), 60_000);
    const status = await run("channels", "status", "telegram");
    expect(status.exitCode).toBe(0);
    expect(status.stdout).toMatch(/^telegram: connected\n {2}messages: 2 received/);
    const listed = await run("channels", "list", "--json");
    expect(JSON.parse(listed.stdout).channels).toContainEqual(
      expect.objectContaining({ channel: "telegram", state: "connected", pluginId: "telegram" }),
    );
    const overall = await run("status", "--json");
    expect(JSON.parse(overall.stdout)).toMatchObject({ status: { channels: ["telegram"] } });

    expect(await run("pairing", "revoke", "telegram", "42")).toMatchObject({ exitCode: 0 });
    telegram.write({ text: "still there?" });
    await vi.waitFor(() => expect(telegram.sent).toHaveLength(3), 60_000);
    expect(telegram.sent[2]?.text).toMatch(/pairing code is/);
    const logs = await run("channels", "logs", "telegram", "--json");
    expect(logs.exitCode).toBe(0);
    expect(logs.stdout).not.toContain(telegram.token);
    const sent = await run("channels", "send", "telegram", "42", "from a terminal");
    expect(sent).toMatchObject({ exitCode: 0, stdout: "Sent to 42 on telegram.\n" });
    expect(telegram.sent.at(-1)?.text).toBe("from a terminal");
    expect(gateway.pid).toBeGreaterThan(0);
  });

  it("[GW-441] add and set reject what no plugin offers, and store a token as a secret", async () => {
    using place = emptyPlace();
    const token = "123456:ABCDEFGHIJKLMNOPQRSTUVW_abc";
    const rejected: readonly (readonly [string[], RegExp])[] = [
      [
        ["channels", "add", "nope"],
        /no plugin offers a channel "nope"; the channels are discord, /,
      ],
      [
        ["channels", "add", "telegrm"],
        /no plugin offers a channel "telegrm"; did you mean "telegram"\?/,
      ],
      [["channels", "add", "telegram", "botTokn=x"], /unknown botTokn; did you mean "botToken"\?/],
      [["channels", "add", "telegram"], /botToken.*give it with `openclaw channels add telegram/],
      [["config", "set", "channels.nope.enabled", "true"], /no plugin offers a channel "nope"/],
      [["config", "set", "agents.Bad!.model", "a/b"], /"Bad!" is not the id of an agent/],
      [
        ["config", "set", "plugins.entries.memry.enabled", "true"],
        /no plugin "memry" is installed; did you mean "memory"\?/,
      ],
      [["config", "set", "plugins.entries.memory.config.noSuch", "1"], /unknown noSuch/],
      [
        ["config", "patch", "{ plugins: { entries: { memory: { config: { noSuch: 1 } } } } }"],
        /unknown noSuch/,
      ],
    ];
    for (const [args, problem] of rejected) {
      const { exitCode, stderr } = await openclaw(args, place);
      expect([args, exitCode]).toEqual([args, 78]);
      expect(stderr).toMatch(problem);
      expect(stderr).toContain("Nothing was written.");
    }
    expect(existsSync(join(place.state, "openclaw.json"))).toBe(false);
    const added = await openclaw(["channels", "add", "telegram", `botToken=${token}`], place);
    expect(added).toMatchObject({ exitCode: 0 });
    expect(added.stdout).toContain(
      "Stored the secret TELEGRAM_BOT_TOKEN. The configuration refers to it.",
    );
    const file = () => readFileSync(join(place.state, "openclaw.json"), "utf8");
    expect(file()).toContain("${secret:TELEGRAM_BOT_TOKEN}");
    expect(file()).not.toContain(token);
    const removed = await openclaw(["config", "unset", "channels.telegram"], place);
    expect(removed).toMatchObject({ exitCode: 0 });
    const set = await openclaw(["config", "set", "channels.telegram.botToken", token], place);
    expect(set).toMatchObject({ exitCode: 0 });
  });

  it("[CHAN-009] name a channel that does not start in status and doctor, while the gateway and the others run", async () => {
    using place = emptyPlace();
    const channel = (id: string, start: string) =>
      `export function register(api) {
        api.registerChannel({ name: ${JSON.stringify(id)}, async *start({ signal, connected }) { ${start} },
          respond: async () => ({}) });
      }`;
    const waits =
      "connected(); await new Promise((resolve) => signal.addEventListener('abort', resolve));";
    const manifest = (id: string) => ({ id, channels: [id] });
    place.installPlugin(
      "broken",
      channel("broken", "throw new Error('no route');"),
      manifest("broken"),
    );
    place.installPlugin("quiet", channel("quiet", waits), manifest("quiet"));
    place.writeState({ "openclaw.json": "{ channels: { broken: {}, quiet: {} } }" });
    await using gateway = await startGateway(place);
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);

    await vi.waitFor(async () => {
      const { stdout } = await openclaw(["channels", "status"], place);
      expect(stdout).toMatch(/^broken: degraded/m);
      expect(stdout).toMatch(/^quiet: connected/m);
    }, 60_000);
    const doctor = await openclaw(["doctor"], place);
    expect(doctor.stdout).toMatch(/broken is degraded: no route/);
    expect(doctor.stdout).toContain("openclaw channels status broken");
    expect(doctor.stdout).not.toMatch(/quiet is/);
  });

  it("take a secret to the first replies over HTTP, as the page of HTTP says", async () => {
    const SECRET = randomBytes(32).toString("hex");
    const digestOf = (text: string) => createHmac("sha256", SECRET).update(text).digest("hex");
    using place = emptyPlace({ HTTP_SECRET: SECRET });
    const run = (...args: string[]) => openclaw(args, place);
    await using replies = await startReplyServer();
    await run("config", "set", "tools.http.allowHosts", JSON.stringify([replies.place]));
    await using gateway = await startGateway(place);

    // Steps 2 to 4, at a gateway that runs.
    const added = await run(
      ...["channels", "add", "http", "--secret", "webhookSecret", "--from-env", "HTTP_SECRET"],
    );
    expect(added).toMatchObject({ exitCode: 0 });
    const status = await vi.waitFor(async () => {
      const shown = await run("channels", "status", "http");
      expect(shown.stdout).toContain("connected");
      return shown;
    }, 60_000);
    expect(status.exitCode).toBe(0);
    // Step 5.
    const health = await fetch(`${gateway.url}/health`);
    expect(await health.text()).toBe('{"status":"healthy","channel":"http"}');
    // Steps 6 to 9.
    const send = async (fields: object, headers: Record<string, string> = {}) => {
      const body = JSON.stringify(fields);
      const response = await fetch(`${gateway.url}/webhook`, { method: "POST", body, headers });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const accepted = await send({ content: "hi", secret: SECRET });
    expect(accepted).toMatchObject({ status: 200, body: { status: "accepted" } });
    const waited = await send({ content: "hi", wait_for_response: true, secret: SECRET });
    expect(waited.body.response).toEqual(expect.any(String));
    const signed = { content: "hi", thread_id: "order-7", wait_for_response: true };
    const time = String(Math.floor(Date.now() / 1000));
    const digest = digestOf(`${time}.${JSON.stringify(signed)}`);
    const headers = { "X-OpenClaw-Timestamp": time, "X-OpenClaw-Signature": `sha256=${digest}` };
    expect(await send(signed, headers)).toMatchObject({ status: 200 });
    expect(await send(signed)).toMatchObject({ status: 401 });
    // Step 10.
    await run("channels", "add", "http", `callbackUrl=${replies.url}`);
    const received = await vi.waitFor(async () => {
      // The gateway applies the setting a moment after the command.
      await send({ content: "later", secret: SECRET });
      const [first] = replies.received;
      if (first === undefined) throw new Error("no callback was sent");
      return first;
    }, 60_000);
    expect(JSON.parse(received.body)).toMatchObject({ user_id: "http" });
    const { timestamp, id, body, signature } = received;
    expect(signature).toBe(`sha256=${digestOf(`${timestamp}.${id}.${body}`)}`);
    expect(JSON.parse(body)).toMatchObject({ delivery_id: id });
    const logs = await run("logs", "--json");
    expect(logs.stdout).not.toContain(SECRET);
  });
});

/** Receives callbacks. */
async function startReplyServer() {
  const received: Record<"body" | "signature" | "timestamp" | "id", string>[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const header = (name: string) => String(request.headers[name]);
    received.push({
      body,
      signature: header("x-openclaw-signature"),
      timestamp: header("x-openclaw-timestamp"),
      id: header("idempotency-key"),
    });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    received,
    place: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}/replies`,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
