import { createNamedToken } from "@openclaw/server";
import { expect, it } from "vitest";
import { createTestHost, serve, TOKEN, testAccess } from "../../support/host.js";

it("[TURN-002] an idempotency key belongs to one token, whatever user a request names", async () => {
  const tokens = await Promise.all(
    ["first", "second"].map(async (name) => {
      const { hash, token } = await createNamedToken(name);
      return { token, entry: { name, hash, scopes: ["operator.write"] as const } };
    }),
  );
  const host = await createTestHost({
    script: ({ prompt }) => ({ text: `reply ${prompt.length}: ${host.asked().length}` }),
  });
  const access = testAccess({ tokens: tokens.map(({ entry }) => entry) });
  const { url } = await serve(host, { access });
  const ask = async (token: string, user?: string) => {
    const messages = [{ role: "user", content: "hello" }];
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "idempotency-key": "once" },
      body: JSON.stringify({ model: "openclaw", messages, ...(user && { user }) }),
    });
    const { choices } = (await response.json()) as {
      choices: { message: { content: string } }[];
    };
    return choices[0]?.message.content;
  };
  const [one = "", two = ""] = tokens.map(({ token }) => token);
  for (const user of [undefined, "ada"]) {
    const before = host.asked().length;
    const replies = [await ask(one, user), await ask(two, user), await ask(TOKEN, user)];
    expect(host.asked()).toHaveLength(before + 3);
    // A repeat has the reply of its own token's request.
    expect([await ask(one, user), await ask(two, user), await ask(TOKEN, user)]).toEqual(replies);
    expect(host.asked()).toHaveLength(before + 3);
  }
});
