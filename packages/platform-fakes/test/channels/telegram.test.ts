import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTelegramServer, type TelegramServer } from "../../src/index.js";

const GROUP = { id: -100, type: "supergroup", topics: [7] } as const;
const KIB = 1024;

let server: TelegramServer;

beforeAll(async () => {
  server = await startTelegramServer();
  server.addChat(GROUP);
});

afterAll(() => server.close());

/** Calls a method and returns its result, or the status and the description of its error. */
async function call(method: string, fields: object | FormData, token = server.token) {
  const isForm = fields instanceof FormData;
  const response = await fetch(`${server.url}/bot${token}/${method}`, {
    method: "POST",
    ...(isForm ? {} : { headers: { "content-type": "application/json" } }),
    body: isForm ? fields : JSON.stringify(fields),
  });
  const answer = (await response.json()) as {
    readonly ok: boolean;
    readonly result?: unknown;
    readonly error_code?: number;
    readonly description?: string;
  };
  if (answer.ok) return answer.result;
  expect(answer.error_code).toBe(response.status);
  return `${response.status} ${answer.description}`;
}

const send = (fields: object) => call("sendMessage", { chat_id: 42, text: "hi", ...fields });
const html = (text: string) => send({ text, parse_mode: "HTML" });
const markdown = (text: string) => send({ text, parse_mode: "MarkdownV2" });

function file(kind: string, bytes: number, more: Readonly<Record<string, string>> = {}) {
  const form = new FormData();
  form.set("chat_id", "42");
  form.set(kind, new Blob([new Uint8Array(bytes)]), "file.bin");
  for (const [name, value] of Object.entries(more)) form.set(name, value);
  return call(`send${kind.charAt(0).toUpperCase()}${kind.slice(1)}`, form);
}

describe("[SDK-580] the fake of Telegram rejects", () => {
  it("a wrong token, an unknown method and a body that it cannot read", async () => {
    expect(await call("getMe", {}, `1:${"x".repeat(35)}`)).toBe("401 Unauthorized");
    expect(await call("getMe", {}, "no-token")).toBe("404 Not Found");
    expect(await call("sendTelepathy", {})).toBe("404 Not Found: method not found");
    const response = await fetch(`${server.url}/bot${server.token}/sendMessage`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{",
    });
    expect(await response.json()).toEqual({
      ok: false,
      error_code: 400,
      description: "Bad Request: can't parse JSON object",
    });
  });

  it("missing, unknown and closed chats, unknown topics and messages", async () => {
    const refused: readonly (readonly [object, string])[] = [
      [{ chat_id: undefined }, "400 Bad Request: chat_id is empty"],
      [{ chat_id: 999 }, "400 Bad Request: chat not found"],
      [{ chat_id: -100, message_thread_id: 8 }, "400 Bad Request: message thread not found"],
      [{ reply_parameters: { message_id: 1 } }, "400 Bad Request: message to be replied not found"],
    ];
    for (const [fields, problem] of refused) expect(await send(fields)).toBe(problem);
    const lenient = { message_id: 1, allow_sending_without_reply: true };
    expect(await send({ reply_parameters: lenient })).toMatchObject({ text: "hi" });
    server.addChat({ id: 43, type: "private" });
    server.addChat({ id: -5, type: "group" });
    server.block(43);
    server.block(-5);
    expect(await send({ chat_id: 43 })).toBe("403 Forbidden: bot was blocked by the user");
    expect(await send({ chat_id: -5 })).toBe("403 Forbidden: bot was kicked from the group chat");
  });

  it("a group that became a supergroup, with the new ID", async () => {
    server.addChat({ id: -6, type: "group" });
    server.upgrade(-6, -1006);
    const response = await fetch(`${server.url}/bot${server.token}/sendMessage`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ chat_id: -6, text: "hi" }),
    });
    expect(await response.json()).toEqual({
      ok: false,
      error_code: 400,
      description: "Bad Request: group chat was upgraded to a supergroup chat",
      parameters: { migrate_to_chat_id: -1006 },
    });
  });

  it("text that are missing, empty, of another type or too long after the formatting", async () => {
    const empty = "400 Bad Request: message text is empty";
    for (const text of [undefined, "", " \n\t"]) expect(await send({ text })).toBe(empty);
    expect(await html("<b> </b>")).toBe(empty);
    expect(await send({ text: 5 })).toBe("400 Bad Request: strings must be encoded in UTF-8");
    expect(await send({ text: "x".repeat(4096) })).toMatchObject({ chat: { id: 42 } });
    const tooLong = "400 Bad Request: message is too long";
    expect(await send({ text: "x".repeat(4097) })).toBe(tooLong);
    expect(await html(`<b>${"x".repeat(4096)}</b>`)).toMatchObject({ chat: { id: 42 } });
    expect(await html(`<b>${"&lt;".repeat(4097)}</b>`)).toBe(tooLong);
  });

  it("formatting that it does not know or cannot read", async () => {
    const unreadable = (reason: string) => `400 Bad Request: can't parse entities: ${reason}`;
    expect(await send({ parse_mode: "Rich" })).toBe("400 Bad Request: unsupported parse_mode");
    for (const [text, reason] of [
      ["a<br>b", 'Unsupported start tag "br" at byte offset 1'],
      ["ä < b", "Unclosed start tag at byte offset 3"],
      ["<b>bold", 'Can\'t find end tag corresponding to start tag "b"'],
      ["bold</b>", "Unexpected end tag at byte offset 4"],
      ["<b><i>x</b></i>", 'Unmatched end tag at byte offset 7, expected "</i>", found "</b>"'],
      ["<span>x</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'],
    ] as const) {
      expect(await html(text), text).toBe(unreadable(reason));
    }
    const reserved = (character: string) =>
      unreadable(
        `Character '${character}' is reserved and must be escaped with the preceding '\\'`,
      );
    expect(await markdown("Done.")).toBe(reserved("."));
    expect(await markdown("a-b")).toBe(reserved("-"));
    expect(await markdown("*bold")).toBe(
      unreadable("Can't find end of the entity starting at byte offset 0"),
    );
    expect(
      await markdown("*bold* _it_ `a.b` [see \\[1\\]](https://a.example/b)\\.\n>quote"),
    ).toMatchObject({ text: "bold it a.b see [1].\nquote" });
    const bold = (offset: unknown, length: number) => ({
      entities: [{ type: "bold", offset, length }],
    });
    expect(await send(bold(0, 2))).toMatchObject({ text: "hi" });
    expect(await send(bold(1, 2))).toBe(
      "400 Bad Request: entity beginning at UTF-16 offset 1 ends after the end of the text at UTF-16 offset 2",
    );
    expect(await send(bold(-1, 2))).toBe(
      "400 Bad Request: receive an entity with incorrect offset -1",
    );
  });

  it("buttons without a text or an action, with too much data, and too many of them", async () => {
    const button = { text: "Go", callback_data: "x".repeat(64) };
    const keyboard = (...row: readonly object[]) =>
      send({ reply_markup: { inline_keyboard: [row] } });
    expect(await keyboard(button, { text: "Site", url: "https://a.example" })).toMatchObject({});
    for (const [row, problem] of [
      [{ ...button, callback_data: "x".repeat(65) }, "BUTTON_DATA_INVALID"],
      [{ ...button, callback_data: "é".repeat(33) }, "BUTTON_DATA_INVALID"],
      [{ ...button, callback_data: "" }, "BUTTON_DATA_INVALID"],
      [{ ...button, text: " " }, "inline keyboard button text must be non-empty"],
      [{ text: "Go" }, "text buttons are unallowed in the inline keyboard"],
      [
        { text: "Go", url: "not a url" },
        "inline keyboard button URL 'not a url' is invalid: Wrong HTTP URL specified",
      ],
    ] as const) {
      expect(await keyboard(row)).toBe(`400 Bad Request: ${problem}`);
    }
    expect(await keyboard(...Array.from({ length: 101 }, () => button))).toBe(
      "400 Bad Request: reply markup is too long",
    );
    expect(await send({ reply_markup: 5 })).toBe(
      "400 Bad Request: object expected as reply markup",
    );
  });

  it("files that are missing, empty or too large, and captions that are too long", async () => {
    expect(await file("photo", 10 * KIB * KIB)).toMatchObject({ chat: { id: 42 } });
    expect(await file("photo", 10 * KIB * KIB + 1)).toBe(
      "400 Bad Request: file of size 10485761 bytes is too big for a photo; the maximum size is 10485760 bytes",
    );
    expect(await file("document", 50 * KIB * KIB + 1)).toBe("413 Request Entity Too Large");
    expect(await file("document", 0)).toBe("400 Bad Request: file must be non-empty");
    expect(await call("sendPhoto", { chat_id: 42 })).toBe(
      "400 Bad Request: there is no photo in the request",
    );
    expect(await call("sendPhoto", { chat_id: 42, photo: "no-such-id" })).toBe(
      "400 Bad Request: wrong file identifier/HTTP URL specified",
    );
    const byUrl = { chat_id: 42, photo: "https://a.example/b.png" };
    expect(await call("sendPhoto", byUrl)).toMatchObject({ chat: { id: 42 } });
    expect(await file("document", 1, { caption: "x".repeat(1025) })).toBe(
      "400 Bad Request: message caption is too long",
    );
    server.addFile("large", new Uint8Array(20 * KIB * KIB + 1));
    expect(await call("getFile", { file_id: "large" })).toBe("400 Bad Request: file is too big");
    expect(await call("getFile", {})).toBe("400 Bad Request: invalid file_id");
  });

  it("changes of messages that are missing, deleted, foreign, unchanged or of another kind", async () => {
    const edit = (message_id: number, text: string) =>
      call("editMessageText", { chat_id: 42, message_id, text });
    await send({ text: "one" });
    const { messageId = 0 } = server.sent.at(-1) ?? {};
    const update = server.write({ text: "of Alice" }) as { message: { message_id: number } };
    const foreign = update.message.message_id;
    expect(await edit(messageId, "one")).toContain("400 Bad Request: message is not modified");
    expect(await edit(messageId, "")).toBe("400 Bad Request: message text is empty");
    expect(await edit(1, "two")).toBe("400 Bad Request: message to edit not found");
    expect(await edit(foreign, "two")).toBe("400 Bad Request: message can't be edited");
    const remove = (message_id: number) => call("deleteMessage", { chat_id: 42, message_id });
    expect(await remove(messageId)).toBe(true);
    expect(await remove(messageId)).toBe("400 Bad Request: message to delete not found");
    expect(await edit(messageId, "two")).toBe("400 Bad Request: message to edit not found");
    await file("document", 1, { caption: "before" });
    const { messageId: ofFile = 0 } = server.sent.at(-1) ?? {};
    expect(await edit(ofFile, "two")).toBe(
      "400 Bad Request: there is no text in the message to edit",
    );
    const caption = { chat_id: 42, message_id: ofFile, caption: "after" };
    expect(await call("editMessageCaption", caption)).toMatchObject({ text: "after" });
  });

  it("reactions, actions and webhooks that it does not know", async () => {
    const update = server.write({ text: "of Alice" }) as { message: { message_id: number } };
    const react = (...emoji: readonly string[]) =>
      call("setMessageReaction", {
        chat_id: 42,
        message_id: update.message.message_id,
        reaction: emoji.map((each) => ({ type: "emoji", emoji: each })),
      });
    expect(await react("👍")).toBe(true);
    expect(await react("✅")).toBe("400 Bad Request: REACTION_INVALID");
    expect(await react("❤️")).toBe("400 Bad Request: REACTION_INVALID");
    expect(await react("👍", "🎉")).toBe("400 Bad Request: REACTIONS_TOO_MANY");
    expect(await call("sendChatAction", { chat_id: 42, action: "thinking" })).toBe(
      "400 Bad Request: wrong parameter action in request",
    );
    for (const [fields, problem] of [
      [{ url: "http://a.example" }, "bad webhook: An HTTPS URL must be provided for webhook"],
      [
        { url: "https://a.example:18789/" },
        "bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443",
      ],
      [
        { url: "https://a.example/", secret_token: "with space" },
        "secret token contains unallowed characters",
      ],
    ] as const) {
      expect(await call("setWebhook", fields)).toBe(`400 Bad Request: ${problem}`);
    }
    await call("setWebhook", { url: "https://a.example/" });
    expect(await call("getUpdates", {})).toBe(
      "409 Conflict: can't use getUpdates method while webhook is active; use deleteWebhook first",
    );
    await call("deleteWebhook", {});
  });

  it("an answer to a press that is unknown, late, repeated or too long", async () => {
    const old =
      "400 Bad Request: query is too old and response timeout expired or query ID is invalid";
    const answer = (id: unknown, text?: string) =>
      call("answerCallbackQuery", { callback_query_id: id, text });
    const press = async () => {
      await send({ reply_markup: { inline_keyboard: [[{ text: "Go", callback_data: "go" }]] } });
      const sent = server.sent.at(-1);
      if (sent === undefined) throw new Error("nothing was sent");
      server.press(sent, "Go");
      const updates = (await call("getUpdates", {})) as { callback_query?: { id: string } }[];
      return updates.at(-1)?.callback_query?.id;
    };
    const id = await press();
    expect(await answer(id)).toBe(true);
    expect(await answer(id)).toBe(old);
    expect(await answer("1")).toBe(old);
    expect(await answer(await press(), "x".repeat(201))).toBe("400 Bad Request: MESSAGE_TOO_LONG");
    const late = await press();
    server.expirePresses();
    expect(await answer(late)).toBe(old);
  });

  it("calls above a limit of their rate, with the seconds to wait", async () => {
    server.refuse("sendMessage", [429, "Too Many Requests: retry after 7", { retry_after: 7 }]);
    const response = await fetch(`${server.url}/bot${server.token}/sendMessage?chat_id=42&text=hi`);
    expect(response.status).toBe(429);
    expect(await response.json()).toEqual({
      ok: false,
      error_code: 429,
      description: "Too Many Requests: retry after 7",
      parameters: { retry_after: 7 },
    });
  });
});

it("sends updates of one chat to the webhook one after another, and again those that were rejected", async () => {
  const own = await startTelegramServer();
  try {
    own.addChat(GROUP);
    own.write({ text: "one" });
    own.write({ text: "two" });
    own.write({ chat: GROUP, text: "other" });
    const begun: string[] = [];
    let release: (() => void) | undefined;
    const first = own.deliver(async (update) => {
      const { text } = update.message as { text: string };
      begun.push(text);
      if (text === "one") await new Promise<void>((resolve) => (release = resolve));
      return text === "other" ? 503 : 200;
    });
    expect(begun).toEqual(["one", "other"]);
    release?.();
    await first;
    expect(begun).toEqual(["one", "other", "two"]);
    expect(own.unconfirmed).toBe(1);
    await own.deliver(async () => 200);
    expect(own.unconfirmed).toBe(0);
  } finally {
    await own.close();
  }
});
