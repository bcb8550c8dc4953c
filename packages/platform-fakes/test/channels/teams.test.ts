import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTeamsServer, type TeamsServer } from "../../src/index.js";

let teams: TeamsServer;
let requests: { readonly url: string; readonly authorization: string | null }[];

beforeAll(async () => {
  requests = [];
  teams = await startTeamsServer({
    messagingEndpoint: "https://bot.example/api/messages",
    async request(url, init) {
      const { headers } = new Request(url, init);
      requests.push({ url: url.href, authorization: headers.get("authorization") });
      return new Response(null, { status: 200 });
    },
  });
});

afterAll(() => teams.close());

async function token(change: Readonly<Record<string, string>> = {}): Promise<Response> {
  const { appId, appPassword, tenantId } = teams.bot;
  return await fetch(`${teams.origin}/${tenantId}/oauth2/v2.0/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: appId,
      client_secret: appPassword,
      scope: "https://api.botframework.com/.default",
      ...change,
    }),
  });
}

async function send(conversation: string, activity: object, authorization?: string) {
  const { access_token: issued } = (await (await token()).json()) as { access_token: string };
  const id = encodeURIComponent(conversation);
  const response = await fetch(`${teams.serviceUrl}v3/conversations/${id}/activities`, {
    method: "POST",
    headers: {
      authorization: authorization ?? `Bearer ${issued}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(activity),
  });
  return { status: response.status, body: JSON.stringify(await response.json()) };
}

describe("the fake of Microsoft Teams", () => {
  it("gives tokens to its bot only", async () => {
    expect((await token()).status).toBe(200);
    for (const [wrong, status] of [
      [{ client_secret: "x" }, 401],
      [{ client_id: "x" }, 400],
      [{ scope: "https://graph.microsoft.com/.default" }, 400],
      [{ grant_type: "password" }, 400],
    ] as const) {
      expect((await token(wrong)).status, JSON.stringify(wrong)).toBe(status);
    }
  });

  it("signs its requests with a key of its metadata", async () => {
    const { conversationId } = await teams.say("hi");
    expect(conversationId).toBe("a:1-alice");
    const metadata = (await (await fetch(teams.openIdMetadataUrl)).json()) as { jwks_uri: string };
    const { keys } = (await (await fetch(metadata.jwks_uri)).json()) as { keys: { kid: string }[] };
    const [header = ""] = requests[0]?.authorization?.replace("Bearer ", "").split(".") ?? [];
    const { kid, alg } = JSON.parse(Buffer.from(header, "base64url").toString());
    expect(alg).toBe("RS256");
    expect(keys.map((key) => key.kid)).toEqual([kid]);
  });
});

const CARD = "application/vnd.microsoft.card.adaptive";
const KIB = 1024;

describe("[SDK-580] the fake of Teams rejects", () => {
  const alice = "a:1-alice";
  const refused = (status: number, code: string, message: string) => ({
    status,
    body: JSON.stringify({ error: { code, message } }),
  });
  const bad = (message: string) => refused(400, "BadSyntax", message);
  const message = (fields: object) => send(alice, { type: "message", ...fields });
  const image = (type: string, bytes: number) => ({
    contentType: type,
    contentUrl: `data:${type};base64,${Buffer.alloc(bytes).toString("base64")}`,
  });

  it("requests without a token, and with an expired or a revoked one", async () => {
    await teams.say("hi");
    const denied = {
      status: 401,
      body: JSON.stringify({ message: "Authorization has been denied for this request." }),
    };
    expect(await send(alice, { type: "message", text: "hi" }, "Bearer x")).toEqual(denied);
    for (const end of [() => teams.expireTokens(), () => teams.revokeTokens()]) {
      const { access_token: issued } = (await (await token()).json()) as { access_token: string };
      const answer = () => send(alice, { type: "message", text: "hi" }, `Bearer ${issued}`);
      expect((await answer()).status).toBe(201);
      end();
      expect(await answer()).toEqual(denied);
    }
  });

  it("unknown conversations, foreign ones, and people who blocked the bot", async () => {
    const hi = { type: "message", text: "hi" };
    expect(await send("nowhere", hi)).toEqual(
      refused(404, "ConversationNotFound", "Conversation not found."),
    );
    expect(await send("a:1-stranger", hi)).toEqual(
      refused(403, "BotNotInConversationRoster", "The bot is not part of the conversation roster."),
    );
    const { conversationId } = await teams.say({
      text: "hi",
      from: { id: "29:1-bob", name: "Bob" },
    });
    teams.block(conversationId);
    expect(await send(conversationId, hi)).toEqual(
      refused(403, "ConversationBlockedByUser", "User blocked the conversation with the bot."),
    );
  });

  it("activities without a type or content, of another kind, or too large", async () => {
    expect(await send(alice, { text: "hi" })).toEqual(
      refused(400, "BadSyntax", "Missing required property 'type'"),
    );
    expect(await send(alice, { type: "poem" })).toEqual(
      refused(400, "BadSyntax", "unknown activity type"),
    );
    for (const text of [undefined, "", " \n"]) {
      expect(await message({ text })).toEqual(bad("Activity resulted into no message"));
    }
    expect(await message({ text: 5 })).toEqual(bad("text must be a string"));
    expect(await message({ text: "hi", textFormat: "html" })).toEqual(
      bad("textFormat is not plain, markdown or xml"),
    );
    const tooLarge = refused(413, "MessageSizeTooBig", "Message size too large.");
    expect((await message({ text: "x".repeat(14 * KIB - 10) })).status).toBe(201);
    expect(await message({ text: "x".repeat(15_000) })).toEqual(tooLarge);
    expect((await message({ attachments: [image("image/png", KIB * KIB)] })).status).toBe(201);
    expect(await message({ attachments: [image("image/png", KIB * KIB + 1)] })).toEqual(tooLarge);
    expect(await message({ attachments: [image("image/webp", 1)] })).toEqual(
      bad("Unknown attachment type image/webp"),
    );
    expect(await message({ attachments: [image("application/pdf", 1)] })).toEqual(
      bad("Unknown attachment type application/pdf"),
    );
    const many = Array.from({ length: 11 }, () => image("image/png", 1));
    expect(await message({ attachments: many })).toEqual(bad("more than 10 attachments"));
  });

  it("cards of other versions, with incomplete elements, and with more than 6 actions", async () => {
    const body = [{ type: "TextBlock", text: "x" }];
    const submit = { type: "Action.Submit", title: "a", data: {} };
    const adaptive = { type: "AdaptiveCard", version: "1.4", body };
    const card = (content: object) => message({ attachments: [{ contentType: CARD, content }] });
    expect((await card(adaptive)).status).toBe(201);
    const link = { type: "Action.OpenUrl", title: "Site", url: "https://a.example" };
    expect((await card({ ...adaptive, actions: [link] })).status).toBe(201);
    for (const [content, problem] of [
      [
        { ...adaptive, version: "2.0" },
        "the card has no type AdaptiveCard or no supported version",
      ],
      [{ ...adaptive, body: undefined }, "the card has no body"],
      [{ ...adaptive, body: [{ type: "TextBlock" }] }, "a TextBlock has no text"],
      [{ ...adaptive, body: [{}] }, "an element of the card has no type"],
      [{ ...adaptive, actions: Array.from({ length: 7 }, () => submit) }, "more than 6 actions"],
      [
        { ...adaptive, actions: [{ ...submit, title: "" }] },
        "an action of the card is not an Action.Submit with a title",
      ],
    ] as const) {
      expect(await card(content)).toEqual(bad(problem));
    }
  });

  it("changes of messages that are unknown or deleted, and unknown members", async () => {
    const { access_token: issued } = (await (await token()).json()) as { access_token: string };
    const call = async (method: string, path: string, body?: object) => {
      const url = `${teams.serviceUrl}v3/conversations/${encodeURIComponent(alice)}/${path}`;
      const response = await fetch(url, {
        method,
        headers: { authorization: `Bearer ${issued}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: JSON.stringify(await response.json()) };
    };
    const gone = refused(
      404,
      "ActivityNotFoundInConversation",
      "The message ID provided could not be found in the conversation.",
    );
    const edit = (id: string) => call("PUT", `activities/${id}`, { type: "message", text: "two" });
    expect(await edit("1")).toEqual(gone);
    await message({ text: "one" });
    const id = teams.sent.all.at(-1)?.id ?? "";
    expect((await edit(id)).status).toBe(200);
    expect((await call("DELETE", `activities/${id}`)).status).toBe(200);
    expect(await edit(id)).toEqual(gone);
    expect(await call("DELETE", `activities/${id}`)).toEqual(gone);
    expect(await call("GET", "members/nobody")).toEqual(
      refused(404, "MemberNotFoundInConversation", "The user is not a member of the conversation."),
    );
  });

  it("messages above a limit of their rate", async () => {
    teams.fail({ kind: "rate-limit", retryAfterS: 2 });
    expect(await message({ text: "hi" })).toEqual(
      refused(429, "TooManyRequests", "Too many requests"),
    );
  });
});
