import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SlackManifest, type SlackServer, startSlackServer } from "../../src/index.js";

const MANIFEST: SlackManifest = {
  display_information: { name: "OpenClaw" },
  features: {
    bot_user: { display_name: "openclaw" },
    slash_commands: [{ command: "/claw", url: "https://bot.example/c", description: "Asks." }],
  },
  oauth_config: {
    scopes: { bot: ["chat:write", "commands", "files:write", "im:history", "reactions:write"] },
  },
  settings: {
    event_subscriptions: { request_url: "https://bot.example/e", bot_events: ["message.im"] },
    interactivity: { is_enabled: true, request_url: "https://bot.example/i" },
  },
};
const CHANNEL = "C0GENERAL1";

let slack: SlackServer;
let forms: URLSearchParams[];

beforeAll(async () => {
  forms = [];
  slack = await startSlackServer({
    manifest: MANIFEST,
    async request(url, init) {
      forms.push(new URLSearchParams(await new Request(url, init).text()));
      return new Response();
    },
  });
  slack.addChannel(CHANNEL);
});

afterAll(() => slack.close());

async function call(method: string, given: object | string, token: string | null = slack.botToken) {
  const response = await fetch(slack.apiUrl + method, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: typeof given === "string" ? given : JSON.stringify(given),
  });
  return (await response.json()) as Readonly<Record<string, unknown>>;
}

const post = (given: object) => call("chat.postMessage", { channel: CHANNEL, ...given });
const refused = (error: string, more: object = {}) => ({ ok: false, error, ...more });
const invalid = (problem: string, pointer: string) => {
  const text = `${problem} [json-pointer:${pointer}]`;
  const response_metadata = { messages: [`[ERROR] ${text}`] };
  return refused("invalid_blocks", { errors: [text], response_metadata });
};
const missing = (field: string) =>
  refused("invalid_arguments", {
    response_metadata: { messages: [`[ERROR] missing required field: ${field}`] },
  });
const text = (value: string, type = "mrkdwn") => ({ type, text: value });
const section = (value: string) => ({ type: "section", text: text(value) });
const button = (more: object = {}) => ({
  ...{ type: "button", text: text("Go", "plain_text"), action_id: "go" },
  ...more,
});
const actions = (...elements: readonly object[]) => ({ type: "actions", elements });

describe("[SDK-580] the fake of Slack rejects", () => {
  it("calls without a token, with a wrong or an expired one, and without a scope", async () => {
    expect(await call("auth.test", {}, null)).toEqual(refused("not_authed"));
    expect(await call("auth.test", {}, "xoxb-1")).toEqual(refused("invalid_auth"));
    expect(await call("users.info", { user: "U0ALICE001" })).toEqual(
      refused("missing_scope", {
        needed: "users:read",
        provided: MANIFEST.oauth_config.scopes.bot.join(","),
      }),
    );
    for (const problem of ["token_expired", "token_revoked", "account_inactive"] as const) {
      const own = await startSlackServer({
        manifest: MANIFEST,
        request: async () => new Response(),
      });
      own.revokeToken(problem);
      const response = await fetch(`${own.apiUrl}auth.test`, {
        method: "POST",
        headers: { authorization: `Bearer ${own.botToken}` },
      });
      expect(await response.json()).toEqual(refused(problem));
      await own.close();
    }
  });

  it("unknown methods, bodies that are not JSON objects, and missing arguments", async () => {
    expect(await call("chat.think", {})).toEqual(
      refused("unknown_method", { req_method: "chat.think" }),
    );
    expect(await call("chat.postMessage", "{")).toEqual(refused("invalid_json"));
    expect(await call("chat.postMessage", "[]")).toEqual(refused("json_not_object"));
    expect(await call("chat.postMessage", { text: "hi" })).toEqual(missing("channel"));
    expect(await call("chat.delete", { channel: CHANNEL })).toEqual(missing("ts"));
    expect(await call("reactions.add", { channel: CHANNEL })).toEqual(missing("name"));
  });

  it("unknown and closed channels, unknown threads, and foreign messages", async () => {
    expect(await post({ channel: "C0NONE", text: "hi" })).toEqual(refused("channel_not_found"));
    slack.addChannel("C0FOREIGN", undefined, false);
    expect(await post({ channel: "C0FOREIGN", text: "hi" })).toEqual(refused("not_in_channel"));
    for (const [id, problem] of [
      ["C0OLD", "is_archived"],
      ["C0NEWS", "restricted_action"],
    ] as const) {
      slack.addChannel(id);
      slack.closeChannel(id, problem);
      expect(await post({ channel: id, text: "hi" })).toEqual(refused(problem));
    }
    expect(await post({ text: "hi", thread_ts: "1.1" })).toEqual(refused("thread_not_found"));
    expect(await post({ text: "hi", thread_ts: "now" })).toEqual(refused("invalid_thread_ts"));
    const { ts } = await slack.say("hi", { channel: CHANNEL });
    const own = { channel: CHANNEL, ts, text: "two" };
    expect(await call("chat.update", own)).toEqual(refused("cant_update_message"));
    expect(await call("chat.delete", own)).toEqual(refused("cant_delete_message"));
    expect(await call("chat.update", { ...own, ts: "1.1" })).toEqual(refused("message_not_found"));
  });

  it("text that are empty or too long, and two kinds of text at once", async () => {
    for (const empty of [{}, { text: "" }, { text: " \n" }, { blocks: [] }]) {
      expect(await post(empty)).toEqual(refused("no_text"));
    }
    expect(await post({ text: "x".repeat(40_000) })).toMatchObject({ ok: true });
    expect(await post({ text: "x".repeat(40_001) })).toEqual(refused("msg_too_long"));
    expect(await post({ markdown_text: "x".repeat(12_001) })).toEqual(refused("msg_too_long"));
    expect(await post({ markdown_text: "a", text: "b" })).toEqual(
      refused("markdown_text_conflict"),
    );
    const attachments = Array.from({ length: 101 }, () => ({ text: "a" }));
    expect(await post({ text: "hi", attachments })).toEqual(refused("too_many_attachments"));
  });

  it("blocks that are malformed, empty or too long, and too many of them", async () => {
    const blocks = (...list: readonly unknown[]) => post({ blocks: list });
    expect(await blocks(section("x".repeat(3000)), { type: "divider" })).toMatchObject({
      ok: true,
    });
    expect(await post({ blocks: "[" })).toEqual(refused("invalid_blocks_format"));
    expect(await post({ blocks: {} })).toEqual(invalid("must provide an array", "/blocks"));
    expect(await blocks("a")).toEqual(invalid("must provide an object", "/blocks/0"));
    expect(await blocks({ type: "poem" })).toEqual(
      invalid("unsupported type: poem", "/blocks/0/type"),
    );
    expect(await blocks(...Array.from({ length: 51 }, () => ({ type: "divider" })))).toEqual(
      invalid("no more than 50 items allowed", "/blocks"),
    );
    for (const [block, problem, at] of [
      [section(""), "must be more than 0 characters", "/text/text"],
      [section("x".repeat(3001)), "must be less than 3001 characters", "/text/text"],
      [{ type: "section" }, "missing required field: text", ""],
      [
        { type: "section", fields: Array.from({ length: 11 }, () => text("a")) },
        "no more than 10 items allowed",
        "/fields",
      ],
      [{ type: "header", text: text("a") }, "unsupported type: mrkdwn", "/text/type"],
      [
        { type: "header", text: text("x".repeat(151), "plain_text") },
        "must be less than 151 characters",
        "/text/text",
      ],
      [
        { type: "markdown", text: "x".repeat(12_001) },
        "must be less than 12001 characters",
        "/text",
      ],
      [{ type: "image", image_url: "https://a.example/b" }, "missing required field: alt_text", ""],
      [{ type: "context", elements: [] }, "no fewer than 1 items allowed", "/elements"],
      [{ ...section("a"), block_id: "" }, "must be more than 0 characters", "/block_id"],
    ] as const) {
      expect(await blocks(block)).toEqual(invalid(problem, `/blocks/0${at}`));
    }
    expect(await blocks(...Array.from({ length: 5 }, () => section("x".repeat(2700))))).toEqual(
      refused("msg_blocks_too_long"),
    );
  });

  it("buttons that are incomplete, too long or the same, and too many of them", async () => {
    const row = (...elements: readonly object[]) =>
      post({ text: "a", blocks: [actions(...elements)] });
    expect(await row(button(), button({ action_id: "other" }))).toMatchObject({ ok: true });
    for (const [wrong, problem, at] of [
      [
        button({ text: text("x".repeat(76), "plain_text") }),
        "must be less than 76 characters",
        "/text/text",
      ],
      [button({ text: text("Go") }), "unsupported type: mrkdwn", "/text/type"],
      [button({ action_id: undefined }), "must provide a string", "/action_id"],
      [button({ value: "x".repeat(2001) }), "must be less than 2001 characters", "/value"],
      [button({ style: "loud" }), "invalid value: loud", "/style"],
    ] as const) {
      expect(await row(wrong)).toEqual(invalid(problem, `/blocks/0/elements/0${at}`));
    }
    expect(await row(button(), button())).toEqual(
      invalid("action_id must be unique in its block", "/blocks/0/elements"),
    );
    const many = Array.from({ length: 26 }, (_, index) => button({ action_id: `b${index}` }));
    expect(await row(...many)).toEqual(
      invalid("no more than 25 items allowed", "/blocks/0/elements"),
    );
  });

  it("reactions that it does not know, repeated ones, and too many of them", async () => {
    const { ts } = await slack.say("hi", { channel: CHANNEL });
    const react = (name: string) =>
      call("reactions.add", { channel: CHANNEL, timestamp: ts, name });
    expect(await react("👍")).toEqual(refused("invalid_name"));
    for (let count = 0; count < 23; count += 1) {
      expect(await react(`emoji${count}`)).toMatchObject({ ok: true });
    }
    expect(await react("emoji0")).toEqual(refused("already_reacted"));
    expect(await react("emoji23")).toEqual(refused("too_many_reactions"));
  });

  it("files that were not uploaded, or not as announced", async () => {
    const announce = (length: number) =>
      call("files.getUploadURLExternal", { filename: "a.txt", length });
    expect(await announce(0)).toEqual(missing("length"));
    const { upload_url: url, file_id: id } = await announce(3);
    const complete = () =>
      call("files.completeUploadExternal", { channel_id: CHANNEL, files: [{ id }] });
    expect((await fetch(String(url), { method: "POST", body: "four" })).status).toBe(400);
    expect(await complete()).toEqual(refused("file_not_found"));
    expect((await fetch(String(url), { method: "POST", body: "abc" })).status).toBe(200);
    expect(await complete()).toMatchObject({ ok: true });
  });

  it("answers to an interaction after five of them, or after 30 minutes", async () => {
    const respond = async (url: string, answer: object = { text: "ok" }) => {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(answer),
      });
      return `${response.status} ${await response.text()}`;
    };
    const command = async () => {
      await slack.command("/claw", "hi", CHANNEL);
      return forms.at(-1)?.get("response_url") ?? "";
    };
    const url = await command();
    expect(await respond(url, {})).toBe('400 {"ok":false,"error":"no_text"}');
    for (let count = 0; count < 4; count += 1) expect(await respond(url)).toBe("200 ok");
    expect(await respond(url)).toBe('404 {"ok":false,"error":"used_url"}');
    const late = await command();
    slack.responses.advance(30 * 60_000 + 1);
    expect(await respond(late)).toBe('404 {"ok":false,"error":"expired_url"}');
  });

  it("calls above a limit of their rate, with the seconds to wait", async () => {
    slack.fail("chat.postMessage", { kind: "rate-limit", retryAfterS: 3 });
    const response = await fetch(`${slack.apiUrl}chat.postMessage`, { method: "POST" });
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "3"]);
    expect(await response.json()).toEqual(refused("ratelimited"));
  });
});
