import { once } from "node:events";
import { createServer } from "node:net";
import { startOAuthServer } from "@openclaw/platform-fakes";
import { expect, it, onTestFinished } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { startWatchingProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

const PLUGIN = (issuer: string) => `
export default {
  id: "mail",
  register(api) {
    api.registerOAuthCredential({ id: "box", clientId: "client", issuer: ${JSON.stringify(issuer)} });
  },
};`;

it("[HOST-018] logs in and out by command, over port 9876 or a free one", async () => {
  const server = await startOAuthServer();
  onTestFinished(() => server.close());
  using place = emptyPlace();
  place.installPlugin("mail", PLUGIN(server.issuer));
  place.writeState({
    "openclaw.json": JSON.stringify({ tools: { http: { allowHosts: [server.host] } } }),
  });
  const offline = await openclaw(["secrets", "login", "box"], place);
  expect([offline.exitCode, offline.stderr]).toEqual([69, expect.stringContaining("gateway run")]);
  await using gateway = await startGateway(place);
  expect(gateway.url).toMatch(/^http/);
  const unknown = await openclaw(["secrets", "login", "bax"], place);
  expect([unknown.exitCode, unknown.stderr]).toEqual([
    4,
    expect.stringContaining(`did you mean "box"`),
  ]);

  const logIn = async (choice: "allow" | "deny") => {
    await using command = startWatchingProcess(place, ["secrets", "login", "mail/box"]);
    await command.says(/Waiting up to 10 minutes/);
    const [url = ""] = /^http\S+$/m.exec(command.output().stdout) ?? [];
    const redirect = new URL(url).searchParams.get("redirect_uri") ?? "";
    const wrong = await fetch(`${redirect}?state=${"A".repeat(32)}&code=x`);
    expect([wrong.status, await wrong.text()]).toEqual([
      400,
      expect.stringContaining("was not started here"),
    ]);
    const page = await fetch(await server.login(url, choice));
    expect(page.status).toBe(choice === "allow" ? 200 : 400);
    const exitCode = await command.ended;
    return { exitCode, ...command.output(), port: new URL(redirect).port };
  };

  expect(await logIn("deny")).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining("access_denied"),
  });
  // Another program may have the port already.
  const other = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    other.once("error", () => resolve(false));
    other.listen(9876, "127.0.0.1", () => resolve(true));
  });
  const elsewhere = await logIn("allow");
  expect(elsewhere).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Logged in") });
  expect(elsewhere.port).not.toBe("9876");
  if (isFree) {
    other.close();
    await once(other, "close");
    expect(await logIn("allow")).toMatchObject({ exitCode: 0, port: "9876" });
  }
  const listed = await openclaw(["secrets", "logins", "--json"], place);
  expect(JSON.parse(listed.stdout)).toMatchObject({
    credentials: [{ name: "mail/box", status: "logged-in" }],
  });
  await using again = startWatchingProcess(place, ["secrets", "login", "box"]);
  await again.says(/Waiting up to 10 minutes/);
  const ended = await openclaw(["secrets", "logout", "box", "--yes"], place);
  expect([ended.exitCode, ended.stdout]).toEqual([0, expect.stringContaining("revoked")]);
  expect(server.revoked).toHaveLength(1);
  expect(await again.ended).toBe(3);
  expect(again.output().stderr).toContain("was logged out");
});
