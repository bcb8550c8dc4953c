import { startTelegramServer } from "@openclaw/plugin-testkit";
import { describe, expect, it, vi } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { startGatewayProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";

describe("openclaw channels and openclaw pairing", () => {
  it("[HOST-022] take a new bot to its first answer, as the page of Telegram says", async () => {
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

    await using gateway = await startGatewayProcess(place);
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
    }, 10_000);
    const [, code = ""] = /pairing code is (\w{8})\./.exec(offer.text) ?? [];
    const waiting = await run("pairing", "list");
    expect(waiting.stdout).toMatch(new RegExp(`${code} +telegram +Alice \\(42\\)`));
    expect(await run("pairing", "approve", "telegram", "AAAAAAAA")).toMatchObject({ exitCode: 4 });
    const approved = await run("pairing", "approve", "telegram", code.toLowerCase());
    expect(approved.stdout).toBe("Admitted Alice (42) to telegram.\n");

    telegram.write({ text: "what time is it" });
    await vi.waitFor(() => expect(telegram.sent).toHaveLength(2), 10_000);
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
    await vi.waitFor(() => expect(telegram.sent).toHaveLength(3), 10_000);
    expect(telegram.sent[2]?.text).toMatch(/pairing code is/);
    const logs = await run("channels", "logs", "telegram", "--json");
    expect(logs.exitCode).toBe(0);
    expect(logs.stdout).not.toContain(telegram.token);
    expect(gateway.pid).toBeGreaterThan(0);
  });
});
