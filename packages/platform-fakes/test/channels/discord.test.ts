import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DiscordServer, startDiscordServer } from "../../src/index.js";

const MEBIBYTE = 1024 * 1024;
const button = (more: object = {}) => ({
  ...{ type: 2, style: 1, label: "Go", custom_id: "go" },
  ...more,
});
const row = (...components: readonly object[]) => ({ components: [{ type: 1, components }] });

let discord: DiscordServer;
/** Answers of the app to interactions. */
let answer: () => Response;

beforeAll(async () => {
  answer = () => Response.json({ type: 6 });
  discord = await startDiscordServer({
    interactionsUrl: "https://bot.example/interactions",
    request: async () => answer(),
  });
});

afterAll(() => discord.close());

async function call(method: string, path: string, body?: object, headers: object = {}) {
  const isForm = body instanceof FormData;
  const response = await fetch(`${discord.apiUrl}${path}`, {
    method,
    headers: {
      authorization: `Bot ${discord.botToken}`,
      ...(isForm ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
}

const messages = () => `/channels/${discord.general.id}/messages`;
const post = (body: object) => call("POST", messages(), body);

/** Returns the response to a request with an invalid field. */
function invalid(path: readonly (string | number)[], code: string, message: string) {
  const errors = path.reduceRight<object>((inner, field) => ({ [field]: inner }), {
    _errors: [{ code, message }],
  });
  return { status: 400, body: { message: "Invalid Form Body", code: 50035, errors } };
}

const tooLong = (path: readonly (string | number)[], limit: number) =>
  invalid(path, "BASE_TYPE_MAX_LENGTH", `Must be ${limit} or fewer in length.`);
const badLength = (path: readonly (string | number)[], limit: number) =>
  invalid(path, "BASE_TYPE_BAD_LENGTH", `Must be between 1 and ${limit} in length.`);
const missing = (path: readonly (string | number)[]) =>
  invalid(path, "BASE_TYPE_REQUIRED", "This field is required");
const refused = (status: number, code: number, message: string) => ({
  status,
  body: { message, code },
});

describe("[SDK-580] the fake of Discord rejects", () => {
  it("wrong tokens, bodies that are not JSON, and IDs that are not snowflakes", async () => {
    expect(await call("GET", "/users/@me", undefined, { authorization: "Bot x" })).toEqual(
      refused(401, 0, "401: Unauthorized"),
    );
    const response = await fetch(discord.apiUrl + messages(), {
      method: "POST",
      headers: {
        authorization: `Bot ${discord.botToken}`,
        "content-type": "application/json",
      },
      body: "{",
    });
    expect(await response.json()).toEqual({
      message: "The request body contains invalid JSON.",
      code: 50109,
    });
    expect(await call("POST", "/channels/general/messages", { content: "hi" })).toEqual(
      invalid(["channel_id"], "NUMBER_TYPE_COERCE", 'Value "general" is not snowflake.'),
    );
  });

  it("unknown channels, messages, people and references, and places where it may not write", async () => {
    const unknown = "1200000000000009999";
    expect(await call("POST", `/channels/${unknown}/messages`, { content: "hi" })).toEqual(
      refused(404, 10003, "Unknown Channel"),
    );
    expect(await call("PATCH", `${messages()}/${unknown}`, { content: "hi" })).toEqual(
      refused(404, 10008, "Unknown Message"),
    );
    const foreign = discord.say("hi", { channelId: discord.general.id });
    expect(await call("PATCH", `${messages()}/${foreign.id}`, { content: "hi" })).toEqual(
      refused(403, 50005, "Cannot edit a message authored by another user"),
    );
    expect(await call("POST", "/users/@me/channels", { recipient_id: unknown })).toEqual(
      refused(400, 50033, "Invalid Recipient(s)"),
    );
    const reply = { content: "hi", message_reference: { message_id: unknown } };
    expect(await post(reply)).toEqual(
      invalid(["message_reference"], "REPLIES_UNKNOWN_MESSAGE", "Unknown message"),
    );
    const lenient = { message_id: unknown, fail_if_not_exists: false };
    expect((await post({ ...reply, message_reference: lenient })).status).toBe(200);
    for (const [reason, code, problem] of [
      ["access", 50001, "Missing Access"],
      ["permissions", 50013, "Missing Permissions"],
      ["direct", 50007, "Cannot send messages to this user"],
    ] as const) {
      const { id } = discord.guild.addChannel({ type: 0 });
      discord.deny(id, reason);
      expect(await call("POST", `/channels/${id}/messages`, { content: "hi" })).toEqual(
        refused(403, code, problem),
      );
    }
  });

  it("text that are empty, of another type or too long", async () => {
    const empty = refused(400, 50006, "Cannot send an empty message");
    for (const content of [undefined, null, "", " \n"])
      expect(await post({ content })).toEqual(empty);
    expect(await post({ content: 5 })).toEqual(
      invalid(["content"], "BASE_TYPE_STRING", "Could not interpret value as string."),
    );
    expect((await post({ content: "x".repeat(2000) })).status).toBe(200);
    expect(await post({ content: "x".repeat(2001) })).toEqual(tooLong(["content"], 2000));
    expect(await post({ content: "hi", nonce: "x".repeat(26) })).toEqual(tooLong(["nonce"], 25));
    expect(await post({ content: "hi", allowed_mentions: { parse: ["all"] } })).toEqual(
      invalid(
        ["allowed_mentions", "parse", 0],
        "BASE_TYPE_CHOICES",
        "Value must be one of ('roles', 'users', 'everyone').",
      ),
    );
  });

  it("embeds that are empty, incomplete or too large, and too many of them", async () => {
    const embeds = (...list: readonly object[]) => post({ embeds: list });
    const field = { name: "a", value: "b" };
    expect((await embeds({ title: "x".repeat(256), fields: [field] })).status).toBe(200);
    expect(await embeds({})).toEqual(missing(["embeds", 0, "description"]));
    expect(await embeds({ title: "x".repeat(257) })).toEqual(tooLong(["embeds", 0, "title"], 256));
    expect(await embeds({ description: "x".repeat(4097) })).toEqual(
      tooLong(["embeds", 0, "description"], 4096),
    );
    expect(await embeds({ title: "a", fields: [field, { name: "a" }] })).toEqual(
      missing(["embeds", 0, "fields", 1, "value"]),
    );
    expect(await embeds({ fields: [{ ...field, value: "x".repeat(1025) }] })).toEqual(
      tooLong(["embeds", 0, "fields", 0, "value"], 1024),
    );
    expect(await embeds({ fields: Array.from({ length: 26 }, () => field) })).toEqual(
      tooLong(["embeds", 0, "fields"], 25),
    );
    expect(await embeds({ title: "a", footer: { text: "x".repeat(2049) } })).toEqual(
      tooLong(["embeds", 0, "footer", "text"], 2048),
    );
    expect(await embeds(...Array.from({ length: 11 }, () => ({ title: "a" })))).toEqual(
      tooLong(["embeds"], 10),
    );
    const half = { description: "x".repeat(3001) };
    expect(await embeds(half, half)).toEqual(
      invalid(["embeds"], "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000"),
    );
  });

  it("buttons that are incomplete, too long or the same, and too many of them", async () => {
    const at = ["components", 0, "components", 0] as const;
    expect((await post(row(button(), button({ style: 5, url: "https://a.example" })))).status).toBe(
      200,
    );
    for (const [wrong, response] of [
      [button({ label: "x".repeat(81) }), tooLong([...at, "label"], 80)],
      [button({ custom_id: "x".repeat(101) }), badLength([...at, "custom_id"], 100)],
      [button({ custom_id: "" }), badLength([...at, "custom_id"], 100)],
      [button({ custom_id: undefined }), missing([...at, "custom_id"])],
      [button({ style: 5 }), missing([...at, "url"])],
      [
        button({ label: undefined }),
        invalid(at, "BUTTON_COMPONENT_INVALID", "A button must have at least a label or an emoji"),
      ],
    ] as const) {
      expect(await post(row(wrong))).toEqual(response);
    }
    const six = Array.from({ length: 6 }, (_, index) => button({ custom_id: `b${index}` }));
    expect(await post(row(...six))).toEqual(badLength(["components", 0, "components"], 5));
    expect(await post(row())).toEqual(badLength(["components", 0, "components"], 5));
    const rows = six.map((each) => ({ type: 1, components: [each] }));
    expect(await post({ components: rows })).toEqual(tooLong(["components"], 5));
    expect(await post(row(button(), button()))).toEqual(
      invalid(
        ["components"],
        "COMPONENT_CUSTOM_ID_DUPLICATED",
        "Component custom id cannot be duplicated",
      ),
    );
    expect((await post({ components: [button()] })).body.errors.components[0].type).toBeDefined();
  });

  it("files that are too large, and too many of them", async () => {
    const form = (...sizes: readonly number[]) => {
      const files = new FormData();
      for (const [index, bytes] of sizes.entries()) {
        files.set(`files[${index}]`, new Blob([new Uint8Array(bytes)]), `${index}.bin`);
      }
      return call("POST", messages(), files);
    };
    expect((await form(10 * MEBIBYTE)).status).toBe(200);
    expect(await form(10 * MEBIBYTE + 1)).toEqual(refused(413, 40005, "Request entity too large"));
    expect(await form(...Array.from({ length: 11 }, () => 1))).toEqual(
      tooLong(["attachments"], 10),
    );
  });

  it("reactions that it does not know, and more than 20", async () => {
    const { id } = discord.say("hi", { channelId: discord.general.id });
    const react = (emoji: string) =>
      call("PUT", `${messages()}/${id}/reactions/${encodeURIComponent(emoji)}/@me`);
    expect(await react("ok")).toEqual(refused(400, 10014, "Unknown Emoji"));
    for (let code = 0x1f600; code < 0x1f600 + 20; code += 1) {
      expect((await react(String.fromCodePoint(code))).status).toBe(204);
    }
    expect(await react("👍")).toEqual(
      refused(400, 30010, "Maximum number of reactions reached (20)"),
    );
  });

  it("answers to presses that are unknown, late, repeated or of another kind", async () => {
    const pressed = async () => {
      answer = () => new Response(null, { status: 202 });
      await post(row(button()));
      const message = await discord.message(({ buttons }) => buttons.length > 0);
      let token = "";
      let id = "";
      const request = discord.sendInteraction.bind(discord);
      discord.sendInteraction = (interaction, signature) => {
        ({ token, id } = interaction as { token: string; id: string });
        return request(interaction, signature);
      };
      await discord.press(message, "Go");
      discord.sendInteraction = request;
      return { id, token };
    };
    const respond = ({ id, token }: { id: string; token: string }, type: number) =>
      call("POST", `/interactions/${id}/${token}/callback`, { type });
    const first = await pressed();
    const followup = () =>
      call("POST", `/webhooks/${discord.applicationId}/${first.token}`, { content: "more" });
    expect(await respond({ ...first, token: "x" }, 6)).toEqual(
      refused(404, 10062, "Unknown interaction"),
    );
    expect(await respond(first, 99)).toEqual(
      invalid(["type"], "BASE_TYPE_CHOICES", "Value must be one of {1, 4, 5, 6, 7, 8, 9, 10, 12}."),
    );
    expect(await followup()).toEqual(refused(404, 10015, "Unknown Webhook"));
    expect((await respond(first, 6)).status).toBe(204);
    expect(await respond(first, 6)).toEqual(
      refused(400, 40060, "Interaction has already been acknowledged."),
    );
    expect((await followup()).status).toBe(200);
    const late = await pressed();
    discord.interactions.advance(3001);
    expect(await respond(late, 6)).toEqual(refused(404, 10062, "Unknown interaction"));
    discord.interactions.advance(15 * 60_000);
    expect(await followup()).toEqual(refused(401, 50027, "Invalid Webhook Token"));
  });

  it("requests above a limit of their rate, with the seconds to wait", async () => {
    discord.fail({ kind: "rate-limit", retryAfterS: 2 });
    expect(await post({ content: "hi" })).toEqual({
      status: 429,
      body: { message: "You are being rate limited.", retry_after: 2, global: false },
    });
  });
});
