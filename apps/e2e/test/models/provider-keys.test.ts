import { join } from "node:path";
import { loadConfiguration } from "@openclaw/configuration";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { openStoredSecrets, startGateway } from "@openclaw/gateway";
import { describe, expect, it, onTestFinished } from "vitest";
import { MODEL_WIRES, type ModelWire } from "../../src/model-wires.js";

const TOKEN = "gateway-token-of-32-characters-0";
/** The plugin "openai" has one configuration, so that one of its two APIs is enough. */
const WIRES = MODEL_WIRES.filter(({ name }) => name !== "openai (chat completions)");

const nameOf = ({ extension }: ModelWire) => `KEY_OF_${extension.toUpperCase().replace("-", "_")}`;

/** Forms in which a configuration has a key. */
const FORMS: readonly (readonly [
  name: string,
  written: (wire: ModelWire) => string,
  stored: "variable" | "secret" | undefined,
])[] = [
  ["a literal", ({ key }) => key, undefined],
  ["a variable", (wire) => `\${${nameOf(wire)}}`, "variable"],
  ["a secret", (wire) => `\${secret:${nameOf(wire)}}`, "secret"],
];

describe("keys and base URLs of the configuration", () => {
  it.each(FORMS)(
    "[LLM-015] reach the server of every provider as %s",
    async (_name, written, stored) => {
      const folder = temporaryFolder();
      onTestFinished(() => folder[Symbol.dispose]());
      const servers = await Promise.all(WIRES.map((wire) => wire.start()));
      onTestFinished(async () => {
        for (const server of servers) await server.close();
      });
      const entries: Record<string, object> = {};
      const keys: Record<string, string> = {};
      for (const [index, wire] of WIRES.entries()) {
        const server = servers[index];
        if (server === undefined) continue;
        server.reply({ text: `Hello from ${wire.name}.` });
        const model = wire.ref.slice(wire.ref.indexOf("/") + 1);
        entries[wire.extension] = { config: { ...wire.configOf(server, written(wire)), model } };
        keys[nameOf(wire)] = wire.key;
      }
      folder.write({
        "openclaw.json": JSON.stringify({
          gateway: { auth: { token: TOKEN } },
          plugins: { entries },
        }),
      });
      const stateDir = join(folder.path, "state");
      const environment = { ...(stored === "variable" && keys), OPENCLAW_KEYCHAIN: "off" };
      if (stored === "secret") {
        const secrets = await openStoredSecrets({ stateDir, store: undefined, environment });
        for (const [name, value] of Object.entries(keys)) {
          await secrets.methods.call("secrets.set", { name, value });
        }
        await secrets.close();
      }
      const configurationFile = join(folder.path, "openclaw.json");
      const gateway = await startGateway({
        version: "1.0.0",
        stateDir,
        configuration: await loadConfiguration(configurationFile, { environment }),
        configurationFile,
        workspaceDir: join(folder.path, "workspace"),
        bundledExtensions: WIRES.map(({ extension }) =>
          join(import.meta.dirname, "../../../../extensions", extension),
        ),
        environment,
        port: 0,
      });
      onTestFinished(() => gateway.stop("command"));
      for (const { ref, name } of WIRES) {
        const response = await fetch(`${gateway.url}/v1/chat/completions`, {
          method: "POST",
          headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
          body: JSON.stringify({ model: ref, messages: [{ role: "user", content: "hi" }] }),
        });
        const body = await response.text();
        expect(body, name).toContain(`Hello from ${name}.`);
      }
    },
  );
});
