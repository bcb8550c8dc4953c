import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { describe, expect, it, onTestFinished } from "vitest";
import { startTestGateway } from "../../support/gateway.js";
import { message } from "../../support/host.js";

/** Hooks that rewrite or replace the reply. */
const REWRITING: Readonly<Record<string, (api: OpenClawPluginApi) => void>> = {
  transform_response: (api) => api.on("transform_response", () => ({ content: "rewritten" })),
  message_sending: (api) => api.on("message_sending", () => ({ content: "rewritten" })),
  before_dispatch: (api) => api.on("before_dispatch", () => undefined),
};

/** Returns the previews and the reply of one message. */
async function ask(register: (api: OpenClawPluginApi) => void, streaming?: object) {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  writeFileSync(join(folder.path, "openclaw.json"), JSON.stringify({ streaming }));
  const gateway = await startTestGateway(folder, { inlinePlugins: [{ id: "guard", register }] });
  onTestFinished(() => gateway.stop("command"));
  let previews = "";
  const shown: string[] = [];
  const outcome = await gateway.receive(message("hello"), {
    onEvent: (event) => {
      if (event.type === "text") previews += event.delta;
    },
    surface: {
      send: async ({ text = "" }) => {
        shown.push(text);
        return {};
      },
    },
  });
  expect(outcome.status).toBe("replied");
  return { previews, shown };
}

describe("previews of a reply", () => {
  it("show the text while no hook rewrites it", async () => {
    const { previews, shown } = await ask(() => undefined);
    expect(previews).not.toBe("");
    expect(shown).toEqual([previews]);
  });

  it.each(Object.entries(REWRITING))(
    "[HCR-013] show nothing while %s is in scope, unless streaming.previewBeforeHooks is true",
    async (hook, register) => {
      const guarded = await ask(register);
      expect(guarded.previews).toBe("");
      const lifted = await ask(register, { previewBeforeHooks: true });
      expect(lifted.previews).not.toBe("");
      const final = hook === "before_dispatch" ? lifted.previews : "rewritten";
      expect([guarded.shown, lifted.shown]).toEqual([[final], [final]]);
    },
  );
});
