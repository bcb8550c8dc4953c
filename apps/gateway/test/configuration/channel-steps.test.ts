import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigurationError } from "@openclaw/configuration";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { openStoredSecrets } from "@openclaw/gateway";
import { describe, expect, it, onTestFinished } from "vitest";
import { addChannelCommand } from "../../src/channels/add-command.js";
import { patchCommand, setCommand, unsetCommand } from "../../src/configuration/change-commands.js";
import type { CommandContext } from "../../src/shell/context.js";
import { createScreen } from "../support/screen.js";

const TELEGRAM = "123456:ABCDEFGHIJKLMNOPQRSTUVW_abc";

/** A new state folder, and the commands in it. */
function newState() {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const environment = { OPENCLAW_STATE_DIR: folder.path, HOME: folder.path };
  const run = async (command: (context: CommandContext) => Promise<number>) => {
    const screen = createScreen();
    const exitCode = await command({ terminal: screen.terminal, environment });
    return { exitCode, text: screen.text };
  };
  const text = () => readFileSync(join(folder.path, "openclaw.json"), "utf8");
  return {
    folder,
    environment,
    text,
    value: (): unknown => JSON.parse(text()),
    set: (key: string, value: string, options = {}) =>
      run((context) => setCommand(key, value, options, context)),
    unset: (key: string) => run((context) => unsetCommand(key, {}, context)),
    patch: (patch: object) => run((context) => patchCommand(JSON.stringify(patch), {}, context)),
    add: (channel: string, settings: readonly string[], options = {}) =>
      run((context) => addChannelCommand(channel, settings, options, context)),
    async secrets() {
      const stored = await openStoredSecrets({
        ...{ stateDir: folder.path, store: undefined, environment },
      });
      try {
        const { secrets } = await stored.methods.call("secrets.list", {});
        return secrets.map(({ name }) => name).sort();
      } finally {
        await stored.close();
      }
    },
  };
}

/** Values of every required setting, by channel. */
const CHANNELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  telegram: { botToken: TELEGRAM },
  discord: { botToken: "token-of-discord", applicationId: "4711", publicKey: "ab".repeat(32) },
  slack: { botToken: "xoxb-1", signingSecret: "s1gning-of-slack" },
  teams: { appId: "app", appPassword: "password-of-teams", appTenantId: "tenant" },
  whatsapp: {
    accessToken: "token-of-meta",
    phoneNumberId: "4711",
    appSecret: "secret-of-meta",
    verifyToken: "my-own-words",
  },
  matrix: { adapter: "@beeper/chat-adapter-matrix" },
};

describe("a channel that is configured step by step", () => {
  it.each(Object.keys(CHANNELS))(
    "[GW-780] [GW-782] %s is stored with each setting, names what it lacks, and has its secrets in the store",
    async (channel) => {
      const { set, text } = newState();
      const steps = Object.entries(CHANNELS[channel] ?? {});
      for (const [index, [key, value]] of steps.entries()) {
        const done = await set(`channels.${channel}.${key}`, value);
        expect(done.exitCode).toBe(0);
        const lacks = steps.slice(index + 1).map(([name]) => name);
        if (lacks.length === 0) expect(done.text).not.toContain("is not started");
        else {
          expect(done.text).toContain(
            `channels.${channel} is not started until it has ${lacks.join(", ")}.`,
          );
        }
        if (/token|secret|password/i.test(key)) {
          expect(text()).not.toContain(value);
          expect(done.text).toMatch(/Stored the secret [A-Z_]+\. The configuration refers to it\./);
        }
      }
    },
    60_000,
  );

  it("[GW-780] keeps a required setting, and rejects an addition without any", async () => {
    const { set, unset, add, text } = newState();
    await expect(add("slack", [])).rejects.toThrow(
      /channels\.slack.*lacks botToken, signingSecret/,
    );
    await set("channels.slack.botToken", "xoxb-1");
    expect((await add("slack", ["signingSecret=abc"])).text).not.toContain("not started");
    const before = text();
    await expect(unset("channels.slack.botToken")).rejects.toThrow(
      /slack does not work without botToken.*channels\.slack\.enabled to false/s,
    );
    expect(text()).toBe(before);
    expect((await set("channels.slack.enabled", "false")).exitCode).toBe(0);
    expect((await unset("channels.slack.botToken")).exitCode).toBe(0);
  });

  it("[GW-441] rejects a mistyped key, a wrong type and an unknown channel, with the nearest name", async () => {
    const { set, patch, add, folder } = newState();
    const rejected: readonly (readonly [() => Promise<unknown>, RegExp])[] = [
      [() => add("nope", []), /no plugin offers a channel "nope"/],
      [() => set("channels.slak.botToken", "x"), /did you mean "slack"\?/],
      [() => set("channels.slack.botTokn", "x"), /unknown botTokn; did you mean "botToken"\?/],
      [() => set("channels.slack.dmPolcy", "open"), /unknown dmPolcy; did you mean "dmPolicy"\?/],
      [() => patch({ channels: { slack: { botToken: 7 } } }), /channels\.slack\.botToken.*string/],
      [
        () => set("channels.slack.accounts.a.apiUrl", "ftp://x"),
        /accounts\.a\.apiUrl.*form of this key.*Base URL/,
      ],
      [
        () => add("telegram", ["botToken=abc"]),
        /channels\.telegram\.botToken.*form of this key.*BotFather/,
      ],
      [() => set("channels.terminal.colour", "red"), /unknown colour/],
      [() => set("channels.matrix.options", "{}"), /no plugin offers a channel "matrix"/],
      [
        () => set("channels.matrix", '{ adapter: "a", capabilities: { textLmit: 5 } }'),
        /unknown textLmit; did you mean "textLimit"\?/,
      ],
      [() => patch({ plugins: { entries: { memory: { enabld: true } } } }), /enabld.*enabled/],
    ];
    for (const [change, problem] of rejected) {
      const error: unknown = await change().catch((reason: unknown) => reason);
      expect(ConfigurationError.isInstance(error) && error.message).toMatch(problem);
    }
    expect(() => readFileSync(join(folder.path, "openclaw.json"))).toThrow("ENOENT");
  });

  it("[GW-441] checks a channel of an older plugin by the schema of its manifest, and by the one that its code had", async () => {
    const { set, folder, value } = newState();
    const plugin = (id: string, manifest: object) => {
      const dir = join(folder.path, "extensions", id);
      mkdirSync(dir, { recursive: true });
      writeFileSync(join(dir, "openclaw.plugin.json"), JSON.stringify({ id, ...manifest }));
      writeFileSync(join(dir, "index.js"), "export default { register() {} };");
      return dir;
    };
    const schema = {
      type: "object",
      required: ["host"],
      additionalProperties: false,
      properties: { host: { type: "string" }, port: { type: "integer" } },
    };
    plugin("irc", { channels: ["irc"], channelConfigs: { irc: { schema } }, configSchema: {} });
    const rootDir = plugin("lines", { channels: ["lines"], configSchema: {} });
    const load = { rootDir, at: Date.now() + 60_000, channelSettings: { lines: schema } };
    writeFileSync(join(folder.path, "plugin-loads.json"), JSON.stringify({ lines: load }));
    for (const channel of ["irc", "lines"]) {
      await expect(set(`channels.${channel}.hst`, "a")).rejects.toThrow(
        /unknown hst; did you mean "host"\?/,
      );
      await expect(set(`channels.${channel}.port`, "many")).rejects.toThrow(/port.*integer/);
      expect((await set(`channels.${channel}.host`, "irc.example")).exitCode).toBe(0);
    }
    expect(value()).toMatchObject({ channels: { irc: { host: "irc.example" } } });
  });

  it("[GW-902] says of a channel whose plugin has no schema that its settings were not checked", async () => {
    const { set, folder } = newState();
    const dir = join(folder.path, "extensions", "smoke");
    mkdirSync(dir, { recursive: true });
    const manifest = { id: "smoke", entry: "index.js", contracts: { channels: ["smoke"] } };
    writeFileSync(join(dir, "openclaw.plugin.json"), JSON.stringify(manifest));
    writeFileSync(join(dir, "index.js"), "export default { register() {} };");
    const { exitCode, text } = await set("channels.smoke.anything", "a");
    expect(exitCode).toBe(0);
    expect(text).toContain(
      "The settings of channels.smoke were not checked: its plugin has no schema for them.",
    );
    // What every channel has is checked all the same.
    await expect(set("channels.smoke.enabled", "perhaps")).rejects.toThrow(/enabled/);
    await expect(set("channels.smok.anything", "a")).rejects.toThrow(/did you mean "smoke"/i);
  });
});

describe("a literal secret", () => {
  it("[GW-782] of each section is stored, also within an object, and the file refers to it", async () => {
    const { set, patch, text, value, secrets } = newState();
    await set("plugins.entries.openai.config.apiKey", "sk-of-the-plugin-1");
    await set("webhooks.build", '{ token: "a-token-of-24-characters!", text: "built" }');
    await patch({
      mcpServers: { files: { command: "files", env: { API_KEY: "key-of-files", LANG: "C" } } },
      models: {
        providers: {
          rack: { type: "openai-compatible", baseUrl: "http://rack/v1", apiKey: "key-of-rack" },
        },
      },
    });
    await set("channels.telegram.accounts.work.botToken", TELEGRAM);
    const other = TELEGRAM.replace("123456", "987654");
    await set('channels.telegram.accounts["WORK"].botToken', other);
    for (const secret of ["sk-of", "a-token-of", "key-of-", TELEGRAM, other]) {
      expect(text()).not.toContain(secret);
    }
    expect(value()).toMatchObject({
      plugins: { entries: { openai: { config: { apiKey: "${secret:PLUGIN_OPENAI_API_KEY}" } } } },
      webhooks: { build: { token: "${secret:WEBHOOK_BUILD_TOKEN}", text: "built" } },
      mcpServers: { files: { env: { API_KEY: "${secret:MCP_FILES_ENV_API_KEY}", LANG: "C" } } },
      models: { providers: { rack: { apiKey: "${secret:MODEL_RACK_API_KEY}" } } },
      channels: {
        telegram: {
          accounts: {
            work: { botToken: "${secret:TELEGRAM_WORK_BOT_TOKEN}" },
            WORK: { botToken: "${secret:TELEGRAM_WORK_BOT_TOKEN_2}" },
          },
        },
      },
    });
    expect(await secrets()).toEqual([
      "MCP_FILES_ENV_API_KEY",
      "MODEL_RACK_API_KEY",
      "PLUGIN_OPENAI_API_KEY",
      "TELEGRAM_WORK_BOT_TOKEN",
      "TELEGRAM_WORK_BOT_TOKEN_2",
      "WEBHOOK_BUILD_TOKEN",
    ]);
  });

  it("[GW-782] that is rejected is not stored, and a reference stays as it is", async () => {
    const { set, value, secrets } = newState();
    await expect(set("channels.telegram.botToken", "not-a-token")).rejects.toThrow(
      /form of this key/,
    );
    await set("channels.slack.botToken", "${secret:MY_SLACK}");
    expect(value()).toEqual({ channels: { slack: { botToken: "${secret:MY_SLACK}" } } });
    expect(await secrets()).toEqual([]);
  });

  it("[GW-782] [GW-780] of a setting in the database is stored, too", async () => {
    const { set, secrets, folder } = newState();
    const done = await set("channels.slack.botToken", "xoxb-1", { db: true });
    expect(done.text).toContain("Stored the secret SLACK_BOT_TOKEN.");
    expect(done.text).toContain("Set channels.slack.botToken in the database");
    expect(done.text).toContain("channels.slack is not started until it has signingSecret.");
    expect(await secrets()).toEqual(["SLACK_BOT_TOKEN"]);
    expect(() => readFileSync(join(folder.path, "openclaw.json"))).toThrow("ENOENT");
    await expect(set("channels.slack.botTokn", "x", { db: true })).rejects.toThrow(/botToken/);
    await expect(set("channels.nope.enabled", "true", { db: true })).rejects.toThrow(/nope/);
  });
});
