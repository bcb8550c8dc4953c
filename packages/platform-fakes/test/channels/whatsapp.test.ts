import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startWhatsAppServer, type WhatsAppServer } from "../../src/index.js";

const ALICE = "491700000001";
const MEBIBYTE = 1024 * 1024;

let meta: WhatsAppServer;

beforeAll(async () => {
  meta = await startWhatsAppServer({
    callbackUrl: "https://bot.example/webhook",
    request: async () => new Response(),
  });
  await meta.say("hi");
});

afterAll(() => meta.close());

async function send(body: object | string, token = meta.accessToken) {
  const response = await fetch(`${meta.apiUrl}/v25.0/${meta.phoneNumberId}/messages`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

const message = (more: object) => send({ messaging_product: "whatsapp", to: ALICE, ...more });
const text = (body: unknown) => message({ type: "text", text: { body } });

async function upload(type: string, bytes: number) {
  const form = new FormData();
  form.set("messaging_product", "whatsapp");
  form.set("file", new Blob([new Uint8Array(bytes)], { type }), "file");
  const response = await fetch(`${meta.apiUrl}/v25.0/${meta.phoneNumberId}/media`, {
    method: "POST",
    headers: { authorization: `Bearer ${meta.accessToken}` },
    body: form,
  });
  const body = (await response.json()) as { id?: string; error?: { message: string } };
  return { status: response.status, body };
}

/** Returns the response to a rejected request. */
function refused(message: string, code: number, details?: string, more: object = {}) {
  const error = {
    ...{ message, type: "OAuthException", code },
    ...(details === undefined ? {} : { error_data: { messaging_product: "whatsapp", details } }),
    ...more,
    fbtrace_id: "trace",
  };
  return { status: code === 190 ? 401 : code === 130429 ? 429 : 400, body: { error } };
}

const missing = (parameter: string) =>
  refused(
    "(#131008) Required parameter is missing",
    131008,
    `Parameter '${parameter}' is mandatory`,
  );
const invalid = (details: string) =>
  refused("(#131009) Parameter value is not valid", 131009, details);
const tooLong = (parameter: string, limit: number) =>
  refused(`(#100) Param ${parameter} must be at most ${limit} characters long.`, 100);
const mediaError = (details: string) => refused("(#131053) Media upload error", 131053, details);

describe("[SDK-580] the fake of WhatsApp rejects", () => {
  it("wrong and expired tokens, and bodies that are not JSON", async () => {
    expect(await send({}, "x")).toEqual(
      refused("Invalid OAuth access token - Cannot parse access token", 190),
    );
    expect(await send("{")).toEqual(refused("(#100) The request body is not valid JSON.", 100));
    const own = await startWhatsAppServer({ callbackUrl: "", request: async () => new Response() });
    own.expireToken();
    const response = await fetch(`${own.apiUrl}/v25.0/${own.phoneNumberId}`, {
      headers: { authorization: `Bearer ${own.accessToken}` },
    });
    const { body, status } = refused(
      "Error validating access token: Session has expired.",
      190,
      undefined,
      { error_subcode: 463 },
    );
    expect([response.status, await response.json()]).toEqual([status, body]);
    await own.close();
  });

  it("missing parameters, malformed recipients and unknown kinds of messages", async () => {
    expect(await send({ to: ALICE })).toEqual(missing("messaging_product"));
    expect(await message({ to: undefined })).toEqual(missing("to"));
    expect(await message({ to: "alice" })).toEqual(invalid("Recipient phone number is not valid."));
    expect(await message({ type: "poem" })).toEqual(
      refused(
        "(#131051) Unsupported message type",
        131051,
        "Message type 'poem' is not currently supported.",
      ),
    );
    expect(
      await message({ type: "text", text: { body: "hi" }, context: { message_id: "x" } }),
    ).toEqual(invalid("Message ID of the context is not valid."));
    expect(await send({ messaging_product: "whatsapp", status: "read", message_id: "x" })).toEqual(
      invalid("Message ID is not valid."),
    );
  });

  it("people who cannot be reached, or did not write within 24 hours", async () => {
    meta.block("491700000009");
    expect(await message({ to: "491700000009", type: "text", text: { body: "hi" } })).toEqual(
      refused("(#131026) Message undeliverable", 131026),
    );
    expect(await message({ to: "491700000002", type: "text", text: { body: "hi" } })).toEqual(
      refused(
        "(#131047) Re-engagement message",
        131047,
        "Message failed to send because more than 24 hours have passed since the customer last replied to this number.",
      ),
    );
  });

  it("text that are missing, empty, of another type or too long", async () => {
    for (const empty of [undefined, "", " \n"]) {
      expect(await text(empty)).toEqual(missing("text['body']"));
    }
    expect(await text(5)).toEqual(refused("(#100) Param text['body'] must be a string.", 100));
    expect((await text("x".repeat(4096))).status).toBe(200);
    expect(await text("x".repeat(4097))).toEqual(tooLong("text['body']", 4096));
  });

  it("buttons that are missing, too long or the same, and too many of them", async () => {
    const button = (id: string, title: string) => ({ type: "reply", reply: { id, title } });
    const ask = (buttons: readonly object[], more: object = {}) =>
      message({
        type: "interactive",
        interactive: { type: "button", body: { text: "Sure?" }, action: { buttons }, ...more },
      });
    const three = ["a", "b", "c"].map((name) => button(name, name));
    expect((await ask(three)).status).toBe(200);
    const count = "Invalid buttons count. Min allowed buttons: 1, Max allowed buttons: 3";
    expect(await ask([...three, button("d", "d")])).toEqual(invalid(count));
    expect(await ask([])).toEqual(invalid(count));
    const length = (name: string, limit: number) =>
      invalid(`${name} length invalid. Min length: 1, Max length: ${limit}`);
    expect(await ask([button("a", "x".repeat(21))])).toEqual(length("Button title", 20));
    expect(await ask([button("x".repeat(257), "a")])).toEqual(length("Button id", 256));
    expect(await ask([button("a", "a"), button("a", "b")])).toEqual(invalid("Duplicate button id"));
    expect(await ask([button("a", "a"), button("b", "a")])).toEqual(
      invalid("Duplicate button title"),
    );
    expect(await ask(three, { body: { text: "x".repeat(1025) } })).toEqual(
      length("Body text", 1024),
    );
    expect(await ask(three, { body: undefined })).toEqual(missing("interactive['body']"));
    expect(await ask(three, { header: { text: "x".repeat(61) } })).toEqual(
      length("Header text", 60),
    );
    expect(await ask(three, { type: "carousel" })).toEqual(
      invalid("Interactive type 'carousel' is not valid."),
    );
    const list = (rows: readonly object[]) =>
      ask([], { type: "list", action: { button: "Choose", sections: [{ rows }] } });
    const row = (id: string, title = "a") => ({ id, title });
    expect((await list([row("a")])).status).toBe(200);
    expect(await list(Array.from({ length: 11 }, (_, index) => row(`r${index}`)))).toEqual(
      invalid("Invalid list row count. Min allowed: 1, Max allowed: 10"),
    );
    expect(await list([row("a", "x".repeat(25))])).toEqual(length("Row title", 24));
    expect(await list([row("a"), row("a")])).toEqual(invalid("Duplicate row id"));
  });

  it("files of other types, empty or too large, and captions that are too long", async () => {
    const big = (limit: number) =>
      mediaError(`Media file size too big. Max file size we currently support: ${limit} bytes.`);
    expect((await upload("image/png", 5 * MEBIBYTE)).status).toBe(200);
    expect(await upload("image/png", 5 * MEBIBYTE + 1)).toEqual(big(5 * MEBIBYTE));
    expect(await upload("audio/ogg; codecs=opus", 16 * MEBIBYTE + 1)).toEqual(big(16 * MEBIBYTE));
    expect(await upload("text/plain", 0)).toEqual(mediaError("Media file is empty."));
    const zip = await upload("application/zip", 1);
    expect(zip.status).toBe(400);
    expect(zip.body.error?.message).toContain("Received file of type 'application/zip'.");
    const {
      body: { id },
    } = await upload("application/pdf", 4);
    const document = { id, caption: "x".repeat(1025) };
    expect(await message({ type: "document", document })).toEqual(
      tooLong("document['caption']", 1024),
    );
    expect(await message({ type: "image", image: { id } })).toEqual(
      mediaError("Unsupported image mime type application/pdf."),
    );
    expect(await message({ type: "image", image: {} })).toEqual(missing("image['id']"));
    expect(await message({ type: "image", image: { id: "none" } })).toEqual(
      mediaError("Media none was not found."),
    );
    expect(await message({ type: "audio", audio: { id, caption: "a" } })).toEqual(
      refused('(#100) Unexpected key "caption" on param "audio".', 100),
    );
  });

  it("reactions to unknown messages, and with other characters than an emoji", async () => {
    const { id } = await meta.say("nice");
    const react = (reaction: object) => message({ type: "reaction", reaction });
    expect((await react({ message_id: id, emoji: "👍" })).status).toBe(200);
    expect(await react({ emoji: "👍" })).toEqual(missing("reaction['message_id']"));
    expect(await react({ message_id: id })).toEqual(missing("reaction['emoji']"));
    expect(await react({ message_id: "x", emoji: "👍" })).toEqual(
      invalid("Message ID is not valid."),
    );
    expect(await react({ message_id: id, emoji: "ok" })).toEqual(
      invalid("Reaction emoji is not valid."),
    );
  });

  it("messages above a limit of their rate", async () => {
    meta.fail({ kind: "rate-limit", retryAfterS: 0 });
    expect(await text("hi")).toEqual(refused("(#130429) Rate limit hit", 130429));
  });
});
