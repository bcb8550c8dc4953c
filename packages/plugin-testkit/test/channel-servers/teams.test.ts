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

  it("rejects messages that Teams rejects", async () => {
    const card = (content: object) => ({
      type: "message",
      attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", content }],
    });
    const body = [{ type: "TextBlock", text: "x" }];
    const submit = { type: "Action.Submit", title: "a", data: {} };
    const adaptive = { type: "AdaptiveCard", version: "1.4", body };
    await teams.say("hi");
    for (const [activity, status, conversation = "a:1-alice"] of [
      [{ type: "message", text: "hi" }, 201],
      [{ type: "message", text: "hi" }, 403, "a:1-stranger"],
      [{ type: "message", text: "" }, 400],
      [{ type: "unknown" }, 400],
      [{ type: "message", text: "x".repeat(15_000) }, 413],
      [card(adaptive), 201],
      [card({ ...adaptive, version: "2.0" }), 400],
      [card({ ...adaptive, actions: Array.from({ length: 7 }, () => submit) }), 400],
      [card({ ...adaptive, actions: [{ ...submit, title: "" }] }), 400],
      [
        {
          type: "message",
          attachments: [
            { contentType: "application/pdf", contentUrl: "data:application/pdf;base64,eA==" },
          ],
        },
        400,
      ],
    ] as const) {
      const { status: answered } = await send(conversation, activity);
      expect(answered, JSON.stringify(activity).slice(0, 200)).toBe(status);
    }
    expect((await send("a:1-alice", { type: "message", text: "hi" }, "Bearer x")).status).toBe(401);
    teams.revokeTokens();
  });
});
